/// The kind of object that an identifier names, with the prefix of its text form (`room_…`).
package protocol IdentifierKind {
    /// Lower-case ASCII letters and an underscore.
    static var prefix: String { get }
}

/// An opaque, sortable, prefixed identifier: 128 bits, written as its kind's prefix and 26 Crockford base-32 digits.
///
/// Identifiers that the service generates begin with 48 bits of wall-clock milliseconds, so their texts sort by age. The
/// value in memory is a number: comparing and hashing need no heap.
package struct Identifier<Kind: IdentifierKind>: Hashable, Comparable, Sendable {
    /// All 128 bits; their numeric order is that of the texts.
    package let bits: UInt128

    package init(bits: UInt128) { self.bits = bits }

    /// Parses the text form; nil unless the text is exactly what `description` returns.
    package init?(_ text: String) {
        self.init(text.utf8Span.span)
    }

    /// Parses the text form; nil unless the bytes are exactly what `write` appends.
    package init?(_ text: Span<UInt8>) {
        guard let bits = Crockford.decode(text, behind: Kind.prefix) else { return nil }
        self.bits = bits
    }

    package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Number of bytes of the text form.
    package static var textLength: Int { Kind.prefix.utf8.count + Crockford.digitCount }

    /// Appends the text form as ASCII without allocating a string.
    package func write(to out: inout OutputSpan<UInt8>) {
        let prefix = Kind.prefix.utf8Span.span
        for index in prefix.indices { out.append(prefix[index]) }
        Crockford.encode(bits, to: &out)
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
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

    static func encode(_ bits: UInt128, to out: inout OutputSpan<UInt8>) {
        let alphabet = alphabet
        // 128 bits are one digit of three bits and 25 digits of five; two 64-bit halves keep the shifts in one register.
        let (high, low) = (UInt64(truncatingIfNeeded: bits >> 65), UInt64(truncatingIfNeeded: bits >> 5) & (1 << 60 - 1))
        let digits = alphabet.span
        out.append(digits[Int(truncatingIfNeeded: high >> 60)])
        for half in 0..<24 {
            let (word, shift) = half < 12 ? (high, 55 - 5 * half) : (low, 55 - 5 * (half - 12))
            out.append(digits[Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: shift)) & 31])
        }
        out.append(digits[Int(truncatingIfNeeded: bits) & 31])
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

/// The kind of `RoomID`.
package enum RoomKind: IdentifierKind { public static let prefix = "room_" }
/// The kind of `UserID`.
package enum UserKind: IdentifierKind { public static let prefix = "user_" }
/// The kind of `ItemID`.
package enum ItemKind: IdentifierKind { public static let prefix = "item_" }
/// The kind of `BidID`.
package enum BidKind: IdentifierKind { public static let prefix = "bid_" }
/// The kind of `MessageID`.
package enum MessageKind: IdentifierKind { public static let prefix = "message_" }

/// Identifier of a room, such as `room_…`.
package typealias RoomID = Identifier<RoomKind>
/// Identifier of a user across all rooms, such as `user_…`.
package typealias UserID = Identifier<UserKind>
/// Identifier of an item; a new one for every upload.
package typealias ItemID = Identifier<ItemKind>
/// Identifier of a bid, explicit or automatic.
package typealias BidID = Identifier<BidKind>
/// Identifier of a chat message.
package typealias MessageID = Identifier<MessageKind>
