package import ExactJSON
package import Foundation
internal import Yams

/// `openapi/openapi.yaml`, and whether an answer is one that it allows.
package struct Contract: Sendable {
    /// One operation, with its part of the document.
    package struct Operation: Sendable {
        package let id: String
        package let method: String
        package let path: String
        package let node: JSONValue
    }

    /// Why the document could not be read.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    /// Where the document stands.
    package static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "openapi/openapi.yaml")

    /// Read once for all tests.
    package static let shared = Result { try Contract(yaml: String(contentsOf: file, encoding: .utf8)) }

    package let root: JSONValue
    package let operations: [Operation]
    private let components: [String: JSONValue]

    /// Reads the document.
    package init(yaml: String) throws {
        guard let node = try compose(yaml: yaml) else { throw Failure(description: "the contract is empty") }
        let root = try JSONValue(node)
        var components: [String: JSONValue] = [:]
        for kind in root["components"]?.members ?? [] {
            for component in kind.value.members ?? [] {
                components["#/components/\(kind.name)/\(component.name)"] = component.value
            }
        }
        self.root = root
        self.components = components
        operations = (root["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).filter { $0.name != "parameters" }.map { member in
                Operation(
                    id: member.value.text("operationId") ?? "", method: member.name.uppercased(), path: path.name,
                    node: member.value)
            }
        }
    }

    /// Checks values against the schemas of this document.
    package var checker: SchemaChecker { SchemaChecker { components[$0] } }

    /// What a reference points at, or the value itself.
    package func resolved(_ value: JSONValue?) -> JSONValue? {
        guard let target = value?.text("$ref") else { return value }
        return components[target]
    }

    /// One of the document's components, such as a schema.
    package func component(_ kind: String, _ name: String) -> JSONValue? { components["#/components/\(kind)/\(name)"] }

    /// The operation of a request; HEAD is described by GET.
    package func operation(_ method: String, _ path: String) -> Operation? {
        let method = method == "HEAD" ? "GET" : method
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        let candidates = operations.filter { operation in
            let pattern = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return operation.method == method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") && !$1.isEmpty || $0 == $1 }
        }
        return candidates.min { $0.path.count { $0 == "{" } < $1.path.count { $0 == "{" } }
    }

    /// Everything about an exchange that the contract does not allow.
    package func violations(of request: HTTPRequest, _ answer: HTTPAnswer) -> [String] {
        guard let response = response(to: request, answer) else {
            return ["the contract has no \(answer.status) for \(request.method) \(request.path)"]
        }
        return headerViolations(answer, response) + bodyViolations(request, answer, response)
            + (200..<300 ~= answer.status ? requestViolations(request) : [])
    }

    /// What the contract does not allow about the body of an answer that came without HTTP, as in a frame.
    /// - Parameter operation: nil where the request was too malformed to be one.
    package func violations(ofBody body: JSONValue?, status: Int, of operation: Operation?) -> [String] {
        let described =
            operation.map { resolved($0.node["responses"]?[String(status)]) } ?? component("responses", "AnyProblem")
        guard let described else { return ["the contract has no \(status) for \(operation?.id ?? "frames")"] }
        let type = status < 400 ? "application/json" : "application/problem+json"
        guard let schema = described["content"]?[type]?["schema"] else {
            return body == nil ? [] : ["the contract has no body for a \(status) here"]
        }
        return checker.violations(of: body ?? .null, against: schema)
    }

    private func response(to request: HTTPRequest, _ answer: HTTPAnswer) -> JSONValue? {
        // No operation describes these two: there is none.
        if answer.status == 405 { return component("responses", "MethodNotAllowed") }
        guard let operation = operation(request.method, request.path) else {
            return answer.status == 404 ? component("responses", "NotFound") : nil
        }
        return resolved(operation.node["responses"]?[String(answer.status)])
    }

    /// Headers that mean something to clients: one that the contract does not name for an answer must not be there.
    private static let telling = [
        "Location", "ETag", "Age", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate",
        "Allow",
    ]

    private func headerViolations(_ answer: HTTPAnswer, _ response: JSONValue) -> [String] {
        let declared = response["headers"]?.members ?? []
        let names = Set(declared.map(\.name))
        let undeclared = Self.telling.filter { !names.contains($0) && answer.header($0) != nil }
        return undeclared.map { "the header \($0) is not in the contract" }
            + declared.flatMap { member -> [String] in
                guard let header = resolved(member.value), let schema = header["schema"] else {
                    return ["\(member.name) is not described"]
                }
                guard let value = answer.header(member.name) else {
                    return header["required"] == .bool(true) ? ["the header \(member.name) is missing"] : []
                }
                return checker.violations(of: .string(value), against: schema, at: member.name)
            }
    }

    private func bodyViolations(_ request: HTTPRequest, _ answer: HTTPAnswer, _ response: JSONValue) -> [String] {
        guard let content = response["content"]?.members else {
            return answer.body.isEmpty ? [] : ["there is a body, and the contract has none"]
        }
        guard let media = content.first(where: { $0.name == answer.contentType }), let schema = media.value["schema"] else {
            return ["the contract has no \(answer.contentType ?? "body without a type") here"]
        }
        if request.method == "HEAD" { return answer.body.isEmpty ? [] : ["an answer to HEAD has a body"] }
        return checker.violations(of: Self.value(of: answer), against: schema)
    }

    /// The body as a schema sees it.
    private static func value(of answer: HTTPAnswer) -> JSONValue {
        if answer.isJSON { return answer.json }
        guard answer.contentType == "application/yaml" else { return .string(answer.bodyText) }
        return (try? Contract(yaml: answer.bodyText).root) ?? .string(answer.bodyText)
    }

    /// What was accepted must have been allowed.
    private func requestViolations(_ request: HTTPRequest) -> [String] {
        guard let operation = operation(request.method, request.path), let body = request.body, !body.isEmpty else { return [] }
        guard let schema = operation.node.at("requestBody.content")?["application/json"]?["schema"] else {
            return body == Array("{}".utf8) ? [] : ["a body was accepted, and the contract has none"]
        }
        let sent = HTTPAnswer(status: 0, headers: [], body: body).json
        return checker.violations(of: sent, against: schema, at: "request")
    }
}

extension JSONValue {
    /// YAML as JSON: plain scalars that read like JSON's are its null, booleans and numbers, everything else is text.
    fileprivate init(_ node: Node) throws {
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            switch scalar.string {
            case "null" where isPlain: self = .null
            case "true" where isPlain: self = .bool(true)
            case "false" where isPlain: self = .bool(false)
            case let text where isPlain && SchemaChecker.matches(text, #"^-?(0|[1-9]\d*)(\.\d+)?$"#): self = .number(text)
            case let text: self = .string(text)
            }
        case .sequence(let elements): self = .array(try elements.map { try JSONValue($0) })
        case .mapping(let members):
            self = .object(try members.map { JSONMember(name: $0.key.string ?? "", value: try JSONValue($0.value)) })
        default: throw Contract.Failure(description: "the contract uses YAML aliases")
        }
    }
}
