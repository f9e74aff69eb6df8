/// The kind of object that an identifier names, with the prefix of its text form (`room_…`).
package protocol IdentifierKind {
    /// Lower-case ASCII letters and an underscore.
    static var prefix: String { get }
    /// The prefix behind a quotation mark, as a string in JSON begins.
    static var opening: StaticString { get }
    /// What stands for the digits of the number 0, which is no identifier that the service draws; nil: its digits.
    static var nameOfZero: String? { get }
}

extension IdentifierKind {
    /// By default the number 0 is written in digits as every other.
    @inlinable package static var nameOfZero: String? { nil }
}

/// An opaque, sortable, prefixed identifier: 128 bits, written as its kind's prefix and 26 Crockford base-32 digits.
///
/// Identifiers that the service generates begin with 48 bits of wall-clock milliseconds, so their texts sort by age. The
/// value in memory is a number: comparing and hashing need no heap.
package struct Identifier<Kind: IdentifierKind>: Hashable, Comparable, Sendable {
    private let words: WordPair

    package init(bits: UInt128) { words = WordPair(bits) }

    /// All 128 bits; their numeric order is that of the texts.
    package var bits: UInt128 { words.number }

    /// Parses the text form; nil unless the text is exactly what `description` returns.
    package init?(_ text: String) {
        self.init(text.utf8Span.span)
    }

    /// Parses the text form; nil unless the bytes are exactly what `write` appends.
    package init?(_ text: Span<UInt8>) {
        guard let bits = Crockford.decode(text, behind: Kind.prefix) else {
            guard let name = Kind.nameOfZero, text.isEqual(to: Kind.prefix, then: name) else { return nil }
            self.init(bits: 0)
            return
        }
        if bits == 0, Kind.nameOfZero != nil { return nil }
        self.init(bits: bits)
    }

    package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Hashes the number as `WordPair` does.
    package func _rawHashValue(seed: Int) -> Int { words._rawHashValue(seed: seed) }

    /// Number of bytes of the text form, at most.
    package static var textLength: Int { Kind.prefix.utf8.count + Crockford.digitCount }

    /// Number of bytes of the text form of this one.
    package var textLength: Int { Kind.prefix.utf8.count + (name?.utf8.count ?? Crockford.digitCount) }

    /// What the text form has in place of digits; nil: it has digits.
    package var name: String? { words.high | words.low == 0 ? Kind.nameOfZero : nil }

    /// The text form behind the prefix, as ASCII in words, the most significant byte first: two bytes in the first word, eight in the others.
    package var digits: InlineArray<4, UInt64> { Crockford.encode(words.high, words.low) }

    /// Appends the text form as ASCII without allocating a string.
    package func write(to out: inout OutputSpan<UInt8>) {
        let (prefix, digits) = (Kind.prefix.utf8Span.span, digits)
        for index in prefix.indices { out.append(prefix[index]) }
        if let name {
            for byte in name.utf8 { out.append(byte) }
            return
        }
        for index in digits.indices {
            let count = index == 0 ? 2 : 8
            var rest = digits[index].byteSwapped &>> UInt64(64 - 8 * count)
            for _ in 0..<count {
                out.append(UInt8(truncatingIfNeeded: rest))
                rest &>>= 8
            }
        }
    }
}

extension Identifier: CustomStringConvertible {
    package var description: String {
        String(decoding: [UInt8](capacity: Self.textLength) { write(to: &$0) }, as: UTF8.self)
    }
}

extension Identifier: Codable {
    /// Decodes the text form; throws `DecodingError` if it is not an identifier of this kind.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an identifier \(Kind.prefix)…: \(text)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// Crockford's base 32 in lower case with a fixed width for 128 bits; it omits letters that resemble digits.
///
/// Not generic over sequences of bytes, which measured slower than the rest of a read: identifiers are parsed and written
/// several times per request.
private enum Crockford {
    static let digitCount = 26
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// One digit for the highest three bits and 25 for five each. Eight digits at a time, because a bid writes eight identifiers.
    static func encode(_ high: UInt64, _ low: UInt64) -> InlineArray<4, UInt64> {
        [
            eightDigits((high >> 61) << 5 | high >> 56 & 31) & 0xFFFF,
            eightDigits(high >> 16), eightDigits(high << 24 | low >> 40), eightDigits(low),
        ]
    }

    /// The digits of the lowest 40 bits, one in each byte.
    private static func eightDigits(_ bits: UInt64) -> UInt64 {
        // Halved three times: 20 bits in each half, 10 in each quarter, 5 in each byte.
        var values = bits & 0xFFFFF | (bits & 0xFF_FFF0_0000) << 12
        values = values & 0x0000_03FF_0000_03FF | (values & 0x000F_FC00_000F_FC00) << 6
        values = values & 0x001F_001F_001F_001F | (values & 0x03E0_03E0_03E0_03E0) << 3
        // The letters follow the digits in ASCII after a gap, and four of them are left out. No byte carries into the next.
        let letters = reach(values, 10) &* 39
        return values &+ 0x3030_3030_3030_3030 &+ letters &+ reach(values, 18) &+ reach(values, 20) &+ reach(values, 22)
            &+ reach(values, 27)
    }

    /// 1 in each byte whose value, below 32, is at least `least`; 0 in the others.
    @inline(__always)
    private static func reach(_ values: UInt64, _ least: UInt64) -> UInt64 {
        (values &+ 0x0101_0101_0101_0101 &* (128 &- least)) >> 7 & 0x0101_0101_0101_0101
    }

    static func decode(_ bytes: Span<UInt8>, behind prefix: String) -> UInt128? {
        let (expected, values) = (prefix.utf8Span.span, values)
        guard bytes.count == expected.count + digitCount else { return nil }
        for index in 0..<expected.count where bytes[index] != expected[index] { return nil }
        var bits: UInt128 = 0
        for index in expected.count..<bytes.count {
            let value = values[Int(bytes[index])]
            guard value < 32, index > expected.count || value < 8 else { return nil }
            bits = bits << 5 | UInt128(value)
        }
        return bits
    }
}

extension Span<UInt8> {
    fileprivate func isEqual(to first: String, then second: String) -> Bool {
        let (first, second) = (first.utf8Span.span, second.utf8Span.span)
        guard count == first.count + second.count else { return false }
        for index in 0..<first.count where self[index] != first[index] { return false }
        for index in 0..<second.count where self[first.count + index] != second[index] { return false }
        return true
    }
}

/// The kind of `RoomID`.
package enum RoomKind: IdentifierKind { public static let prefix = "room_" }
extension RoomKind { @inlinable package static var opening: StaticString { "\"room_" } }
/// The kind of `UserID`.
package enum UserKind: IdentifierKind { public static let prefix = "user_" }
extension UserKind { @inlinable package static var opening: StaticString { "\"user_" } }
extension UserKind {
    /// The floor: the text of `UserID.floor` is `user_floor`.
    @inlinable package static var nameOfZero: String? { "floor" }
}
/// The kind of `LotID`.
package enum LotKind: IdentifierKind { public static let prefix = "lot_" }
extension LotKind { @inlinable package static var opening: StaticString { "\"lot_" } }
/// The kind of `ItemID`.
package enum ItemKind: IdentifierKind { public static let prefix = "item_" }
extension ItemKind { @inlinable package static var opening: StaticString { "\"item_" } }
/// The kind of `BidID`.
package enum BidKind: IdentifierKind { public static let prefix = "bid_" }
extension BidKind { @inlinable package static var opening: StaticString { "\"bid_" } }
/// The kind of `MessageID`.
package enum MessageKind: IdentifierKind { public static let prefix = "message_" }
extension MessageKind { @inlinable package static var opening: StaticString { "\"message_" } }
/// The kind of `ReportID`.
package enum ReportKind: IdentifierKind { public static let prefix = "report_" }
extension ReportKind { @inlinable package static var opening: StaticString { "\"report_" } }
/// The kind of `OfferID`.
package enum OfferKind: IdentifierKind { public static let prefix = "offer_" }
extension OfferKind { @inlinable package static var opening: StaticString { "\"offer_" } }

/// Identifier of a room, such as `room_…`.
package typealias RoomID = Identifier<RoomKind>
/// Identifier of a user across all rooms, such as `user_…`.
package typealias UserID = Identifier<UserKind>
/// Identifier of a lot.
package typealias LotID = Identifier<LotKind>
/// Identifier of an item; a new one for every upload and every lot.
package typealias ItemID = Identifier<ItemKind>
/// Identifier of a bid, explicit or automatic.
package typealias BidID = Identifier<BidKind>
/// Identifier of an offer to the next bidder.
package typealias OfferID = Identifier<OfferKind>
/// Identifier of a chat message.
package typealias MessageID = Identifier<MessageKind>
/// Identifier of a report of a message.
package typealias ReportID = Identifier<ReportKind>
