public import ExactJSON

/// What came back, with its JSON by path: `answer.text("permission.rule")`, `answer.int("events.0.seq")`.
package struct HTTPAnswer {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// Without parameters such as the charset.
    package var contentType: String? { header("Content-Type") }

    package var isJSON: Bool { contentType == "application/json" || contentType == "application/problem+json" }

    /// Null for anything that is no JSON, so that expectations fail and name the path.
    package var json: JSONValue {
        do { return try JSONReader.read(body, maximumDepth: 64) } catch { return .null }
    }

    package subscript(path: String) -> JSONValue? { json.at(path) }

    package func text(_ path: String) -> String? { json.at(path)?.text }
    package func int(_ path: String) -> Int? { json.at(path)?.int }
    package func isNull(_ path: String) -> Bool { json.at(path) == .null }
    package func list(_ path: String) -> [JSONValue] { json.at(path)?.elements ?? [] }
    package func texts(_ path: String) -> [String] { list(path).compactMap(\.text) }

    package var code: String? { text("code") }
    package var seq: Int? { int("seq") }
}

extension JSONValue {
    /// The value at a path of names and indices, such as `events.0.type`.
    package func at(_ path: String) -> JSONValue? {
        var value = self
        for step in path.split(separator: ".") {
            switch value {
            case .object:
                guard let member = value[String(step)] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var int: Int? { if case .number(let literal) = self { Int(literal) } else { nil } }
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    package func text(_ path: String) -> String? { at(path)?.text }
    package func int(_ path: String) -> Int? { at(path)?.int }

    /// JSON as compact text.
    package var written: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let literal): literal
        case .string(let text): Self.quote(text)
        case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quote($0.name) + ":" + $0.value.written }.joined(separator: ",") + "}"
        }
    }

    private static func quote(_ text: String) -> String {
        var json = JSONWriter(reserving: text.utf8.count + 2)
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember(name: $0.0, value: $0.1) })
    }
}
