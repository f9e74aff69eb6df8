/// A JSON value as in the source text: numbers keep their literal, objects keep their order.
///
/// Foundation's decoder turns `0.1` into a binary fraction and keeps one of two equal names; money and strictness forbid both.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The literal, such as `120`, `1.50` or `1e3`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Name of the kind of value for error messages, with its article.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of the member called `name`; nil if this is not an object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The same in Chinese.
    package var chineseKind: String {
        switch self {
        case .null: "null"
        case .bool: "布尔值"
        case .number: "数字"
        case .string: "字符串"
        case .array: "数组"
        case .object: "对象"
        }
    }

    /// Whether this is an object with two members of the same name (`JSONLimits.allowsRepeatedNames`).
    package var hasRepeatedName: Bool {
        guard case .object(let members) = self else { return false }
        var (names, before) = (MemberNames(), [JSONMember]())
        for member in members {
            guard names.insert(member.name, after: before) else { return true }
            before.append(member)
        }
        return false
    }
}

/// One `"name": value` of an object.
package struct JSONMember: Hashable, Sendable {
    /// Name with its escapes decoded.
    package let name: String
    /// Value of any kind, including null.
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// Why bytes are not JSON, or not the JSON that was expected.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of the error, for programs; other readers can add their own.
    package struct Code: Hashable, Sendable {
        private let name: String

        /// A code for errors of readers built on this one.
        package init(_ name: String) { self.name = name }

        /// Not JSON by RFC 8259, or not UTF-8.
        package static let malformed = Code("malformed")
        /// An object names the same member twice.
        package static let duplicateName = Code("duplicateName")
        /// Nested deeper than allowed.
        package static let tooDeep = Code("tooDeep")
        /// More members, elements or values than allowed.
        package static let tooMany = Code("tooMany")
        /// A member that the object does not have.
        package static let unknownField = Code("unknownField")
        /// A required member is absent.
        package static let missingField = Code("missingField")
        /// A member's value is of another kind or out of its range.
        package static let invalidField = Code("invalidField")
    }

    /// Kind of the error.
    package let code: Code
    /// The path of the member concerned, such as `rules.startingPrice`; nil if the error concerns the whole text.
    package let field: String?
    /// Message for users: what was wrong, and what is expected.
    package let detail: String
    private let makeChinese: @Sendable () -> String?
    /// What was wrong in Chinese, as a sentence without the member's name; nil: `detail` or the code say it. Made when it is read.
    package var chinese: String? { makeChinese() }

    package init(
        _ code: Code, field: String? = nil, _ detail: String, _ chinese: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.code = code
        self.field = field
        self.detail = detail
        makeChinese = chinese
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.field == right.field && left.detail == right.detail
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(detail)
    }

    package var description: String { detail }
}
