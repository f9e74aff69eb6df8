/// What an identifier names; gives the prefix that people see (`room_…`).
public protocol IdentifierKind {
    static var prefix: String { get }
}

/// An opaque, sortable, prefixed identifier: 128 bits, written as 26 Crockford base-32 digits behind the prefix of its kind.
///
/// Identifiers that the service draws begin with 48 bits of wall-clock milliseconds, so their texts sort by age. In
/// memory it is a plain number: comparing and hashing it touches no heap.
public struct Identifier<Kind: IdentifierKind>: Hashable, Comparable, Sendable {
    public let bits: UInt128

    public init(bits: UInt128) { self.bits = bits }

    /// Reads the text form; nil unless it is exactly what `description` would write.
    public init?(_ text: String) {
        guard let bits = Crockford.decode(text, behind: Kind.prefix) else { return nil }
        self.bits = bits
    }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// The text form as bytes, appended without making a string.
    public func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: Kind.prefix.utf8)
        Crockford.encode(bits, to: &bytes)
    }
}

extension Identifier: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Kind.prefix.utf8.count + Crockford.digitCount)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an identifier \(Kind.prefix)…: \(text)")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Crockford's base 32, lower case, fixed width for 128 bits: no letter that reads like a digit.
///
/// Concrete on purpose: ids are read and written several times per request, and generic code over sequences of bytes costs
/// more than the rest of a read.
private enum Crockford {
    static let digitCount = 26
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    static func encode(_ bits: UInt128, to bytes: inout [UInt8]) {
        let alphabet = alphabet
        // 128 bits are three bits and twenty-five digits of five; two halves keep the shifts in one register.
        let (high, low) = (UInt64(truncatingIfNeeded: bits >> 65), UInt64(truncatingIfNeeded: bits >> 5) & (1 << 60 - 1))
        bytes.append(alphabet[Int(high >> 60)])
        for shift in stride(from: UInt64(55), through: 0, by: -5) { bytes.append(alphabet[Int(high >> shift & 31)]) }
        for shift in stride(from: UInt64(55), through: 0, by: -5) { bytes.append(alphabet[Int(low >> shift & 31)]) }
        bytes.append(alphabet[Int(truncatingIfNeeded: bits) & 31])
    }

    static func decode(_ text: String, behind prefix: String) -> UInt128? {
        let (bytes, expected, values) = (text.utf8Span.span, prefix.utf8Span.span, values)
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

public enum RoomKind: IdentifierKind { public static let prefix = "room_" }
public enum UserKind: IdentifierKind { public static let prefix = "user_" }
public enum ItemKind: IdentifierKind { public static let prefix = "item_" }
public enum BidKind: IdentifierKind { public static let prefix = "bid_" }
public enum MessageKind: IdentifierKind { public static let prefix = "message_" }

public typealias RoomID = Identifier<RoomKind>
public typealias UserID = Identifier<UserKind>
public typealias ItemID = Identifier<ItemKind>
public typealias BidID = Identifier<BidKind>
public typealias MessageID = Identifier<MessageKind>
