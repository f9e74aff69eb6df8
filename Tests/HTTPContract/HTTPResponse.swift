package import ExactJSON

/// A response as a client received it, with access to its JSON by path: `response.text("permission.rule")`,
/// `response.int("events.0.seq")`.
package struct HTTPResponse {
    /// The HTTP status code.
    package let status: Int
    /// In the order received; a name may occur several times.
    package let headers: [(name: String, value: String)]
    /// Without transfer coding; empty for HEAD, 204 and 304.
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, case-insensitively by name; nil if there is none.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as UTF-8; invalid bytes are replaced.
    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The `Content-Type` header; nil if there is none.
    package var contentType: String? { header("Content-Type") }

    /// Whether the content type is JSON or a problem (RFC 9457).
    package var isJSON: Bool { contentType == "application/json" || contentType == "application/problem+json" }

    /// The parsed body; null if it is not JSON, so that an expectation fails on the path it names.
    package var json: JSONValue {
        do { return try JSONReader.read(body, maximumDepth: 64) } catch { return .null }
    }

    /// The value at a path such as `events.0.seq`; nil if there is none.
    package subscript(path: String) -> JSONValue? { json.at(path) }

    /// The string at a path; nil if there is no string.
    package func text(_ path: String) -> String? { json.at(path)?.text }
    /// The whole number at a path; nil if there is none.
    package func int(_ path: String) -> Int? { json.at(path)?.int }
    /// Whether an explicit null is at the path; false if the path is absent.
    package func isNull(_ path: String) -> Bool { json.at(path) == .null }
    /// The elements of the array at a path; empty if there is no array.
    package func list(_ path: String) -> [JSONValue] { json.at(path)?.elements ?? [] }
    /// The strings in the array at a path; other elements are left out.
    package func texts(_ path: String) -> [String] { list(path).compactMap(\.text) }

    /// The machine-readable code of a problem.
    package var code: String? { text("code") }
    /// The room's seq that the response was created at.
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

    /// The value of a string; nil for other types.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The value of a whole number within `Int`; nil otherwise.
    package var int: Int? { if case .number(let literal) = self { Int(literal) } else { nil } }
    /// The elements of an array; nil for other types.
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members of an object in their order; nil for other types.
    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    /// The string at a path; nil if there is no string.
    package func text(_ path: String) -> String? { at(path)?.text }
    /// The whole number at a path; nil if there is none.
    package func int(_ path: String) -> Int? { at(path)?.int }

    /// The value as compact JSON.
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
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember(name: $0.0, value: $0.1) })
    }
}
