/// A JSON value. Numbers keep their literal, so no digit is lost and nothing is rounded.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The literal as it was sent: `12`, `0.50`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The last of several members with the same name counts.
    case object([String: JSONValue])

    /// The member of an object; nil if this is not an object or has no such member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string; nil for every other value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A whole number that fits into 64 bits; nil for every other value.
    public var integer: Int64? {
        guard case .number(let literal) = self else { return nil }
        return Int64(literal)
    }

    /// True or false; nil for every other value.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; nil for every other value.
    public var elements: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// Whether this is null.
    public var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
