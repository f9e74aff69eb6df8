/// A JSON value as it was written: numbers keep their literal, objects keep their order.
///
/// Foundation's decoder turns `0.1` into a binary fraction and keeps one of two equal names; money and strictness forbid both.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The literal, such as `120`, `1.50` or `1e3`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// What a person calls this kind of value.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of the member called `name`; nil for anything that is no object or has no such member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

/// One `"name": value` of an object.
public struct JSONMember: Hashable, Sendable {
    public let name: String
    public let value: JSONValue

    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// Why bytes are not the JSON that was wanted.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        private let name: String

        /// For readers built on this one that know further mistakes.
        public init(_ name: String) { self.name = name }

        /// Not JSON by RFC 8259, or not UTF-8.
        public static let malformed = Code("malformed")
        /// An object names the same member twice.
        public static let duplicateName = Code("duplicateName")
        /// Nested deeper than allowed.
        public static let tooDeep = Code("tooDeep")
        /// More members, elements or values than allowed.
        public static let tooMany = Code("tooMany")
        /// A member that the object does not have.
        public static let unknownField = Code("unknownField")
        /// A member that must be there is not.
        public static let missingField = Code("missingField")
        /// A member's value is of another kind or out of its range.
        public static let invalidField = Code("invalidField")
    }

    public let code: Code
    /// The path of the member concerned, such as `rules.startingPrice`; nil when the text as a whole is at fault.
    public let field: String?
    /// For a person: what was wrong and what would be right.
    public let detail: String

    public init(_ code: Code, field: String? = nil, _ detail: String) {
        self.code = code
        self.field = field
        self.detail = detail
    }

    public var description: String { detail }
}
