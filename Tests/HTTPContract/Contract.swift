package import ExactJSON
package import Foundation
internal import Synchronization
internal import Yams

/// The API contract, `openapi/openapi.yaml`, with the operations that it leaves out, `Unlisted.yaml`; checks requests and responses
/// against both.
///
/// The contract is open: clients meet members and values that they do not know. The check is closed: the server of this repository must
/// send exactly what the contract lists.
package struct Contract: Sendable {
    /// One operation of the contract.
    package struct Operation: Sendable {
        /// The `operationId`, such as `placeBid`.
        package let id: String
        /// In upper case, such as `POST`.
        package let method: String
        /// The path template, such as `/v1/rooms/{id}`.
        package let path: String
        /// The Operation Object of the document.
        package let node: JSONValue
    }

    /// Why the document could not be read.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    /// Location of the served document.
    package static let file = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "openapi/openapi.yaml")

    /// The contract of this repository, parsed once per process.
    package static let shared = Result {
        let unlisted = folder.appending(path: "Unlisted.yaml")
        return try Contract(
            yaml: String(contentsOf: file, encoding: .utf8), unlisted: String(contentsOf: unlisted, encoding: .utf8))
    }

    /// Both documents, merged.
    package let root: JSONValue
    /// The ids of the operations that the served document leaves out.
    package let unlisted: Set<String>
    /// Every operation, of all paths and methods.
    package let operations: [Operation]
    private let components: [String: JSONValue]
    /// The operations with the segments of their templates; a template has the same number of segments as the paths that it matches.
    private let routes: [RouteKey: [(segments: [Substring], operation: Operation)]]

    private struct RouteKey: Hashable {
        let method: String
        let segmentCount: Int
    }

    /// Parses a document and the operations that it leaves out; throws if one is no YAML or uses aliases.
    package init(yaml: String, unlisted: String) throws {
        let rest = try JSONValue(yaml: unlisted)
        let root = try JSONValue(yaml: yaml).merging(rest)
        var components: [String: JSONValue] = [:]
        for kind in root["components"]?.members ?? [] {
            for component in kind.value.members ?? [] {
                components["#/components/\(kind.name)/\(component.name)"] = component.value
            }
        }
        self.root = root
        self.components = components
        operations = Self.operations(of: root)
        routes = Dictionary(
            grouping: operations.map { (segments: Self.segments(of: $0.path[...]), operation: $0) },
            by: { RouteKey(method: $0.operation.method, segmentCount: $0.segments.count) })
        self.unlisted = Set(Self.operations(of: rest).map(\.id))
    }

    private static func operations(of root: JSONValue) -> [Operation] {
        (root["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).filter { $0.name != "parameters" }.map { member in
                Operation(
                    id: member.value.text("operationId") ?? "", method: member.name.uppercased(), path: path.name,
                    node: member.value)
            }
        }
    }

    /// Checks values against the closed schemas of this document. An event is one of those that are known.
    package var checker: SchemaChecker {
        let known = "#/components/schemas/KnownEvent"
        return SchemaChecker(isClosed: true) { components[$0 == "#/components/schemas/Event" ? known : $0] }
    }

    /// The target of a `$ref`, or the value itself if it is no reference.
    package func resolved(_ value: JSONValue?) -> JSONValue? {
        guard let target = value?.text("$ref") else { return value }
        return components[target]
    }

    /// A component of the document, such as a schema; nil if there is none of that kind and name.
    package func component(_ kind: String, _ name: String) -> JSONValue? { components["#/components/\(kind)/\(name)"] }

    /// The operation that a request's path matches, nil if there is none; HEAD matches GET, and so does OPTIONS, which
    /// only probes accept: `OPTIONS /` is answered as `GET /readyz`.
    package func operation(_ method: String, _ path: String) -> Operation? {
        let path = method == "OPTIONS" && path.prefix { $0 != "?" } == "/" ? "/readyz" : path
        let method = ["HEAD", "OPTIONS"].contains(method) ? "GET" : method
        let segments = Self.segments(of: path.prefix { $0 != "?" })
        let candidates = (routes[RouteKey(method: method, segmentCount: segments.count)] ?? []).filter { route in
            zip(route.segments, segments).allSatisfy { $0.hasPrefix("{") && !$1.isEmpty || $0 == $1 }
        }
        return candidates.min { $0.operation.path.count { $0 == "{" } < $1.operation.path.count { $0 == "{" } }?.operation
    }

    private static func segments(of path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Every violation of the contract by a request and its response; the request is checked only if it was accepted (2xx).
    package func violations(of request: HTTPRequest, _ response: HTTPResponse) -> [String] {
        let operation = operation(request.method, request.path)
        guard let responseObject = responseObject(to: operation, response) else {
            return ["the contract has no \(response.status) for \(request.method) \(request.path)"]
        }
        let value = Self.value(of: response)
        return headerViolations(response, responseObject) + bodyViolations(request, response, value, responseObject)
            + problemViolations(response.status, value, responseObject, operation)
            + (200..<300 ~= response.status ? requestViolations(request, operation) : [])
    }

    /// Violations of the contract by a response body that was received without HTTP, as in a WebSocket frame.
    /// - Parameter operation: nil if the frame was too malformed to name one.
    package func violations(ofBody body: JSONValue?, status: Int, of operation: Operation?) -> [String] {
        let described =
            operation.map { resolved($0.node["responses"]?[String(status)]) } ?? component("responses", "AnyProblem")
        guard let described else { return ["the contract has no \(status) for \(operation?.id ?? "frames")"] }
        let type = status < 400 ? "application/json" : "application/problem+json"
        guard let schema = described["content"]?[type]?["schema"] else {
            return body == nil ? [] : ["the contract has no body for a \(status) here"]
        }
        return checker.violations(of: body ?? .null, against: schema)
            + problemViolations(status, body ?? .null, described, operation)
    }

    private func responseObject(to operation: Operation?, _ response: HTTPResponse) -> JSONValue? {
        // 405, and 404 for an unknown path, belong to no operation; shared components describe them.
        if response.status == 405 { return component("responses", "MethodNotAllowed") }
        guard let operation else { return response.status == 404 ? component("responses", "NotFound") : nil }
        return resolved(operation.node["responses"]?[String(response.status)])
    }

    /// Headers with a meaning to clients: a response may have them only if the contract declares them for it.
    private static let semanticHeaders = [
        "Location", "ETag", "Age", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate",
        "Allow",
    ]

    private func headerViolations(_ response: HTTPResponse, _ responseObject: JSONValue) -> [String] {
        let declared = responseObject["headers"]?.members ?? []
        let names = Set(declared.map(\.name))
        let undeclared = Self.semanticHeaders.filter { !names.contains($0) && response.header($0) != nil }
        return undeclared.map { "the header \($0) is not in the contract" }
            + declared.flatMap { member -> [String] in
                guard let header = resolved(member.value), let schema = header["schema"] else {
                    return ["\(member.name) is not described"]
                }
                guard let value = response.header(member.name) else {
                    return header["required"] == .bool(true) ? ["the header \(member.name) is missing"] : []
                }
                return checker.violations(of: .string(value), against: schema, at: member.name)
            }
    }

    private func bodyViolations(
        _ request: HTTPRequest, _ response: HTTPResponse, _ value: JSONValue, _ responseObject: JSONValue
    ) -> [String] {
        guard let content = responseObject["content"]?.members else {
            return response.body.isEmpty ? [] : ["there is a body, and the contract has none"]
        }
        guard let media = content.first(where: { $0.name == response.contentType }), let schema = media.value["schema"] else {
            return ["the contract has no \(response.contentType ?? "body without a type") here"]
        }
        if request.method == "HEAD" { return response.body.isEmpty ? [] : ["a response to HEAD has a body"] }
        return checker.violations(of: value, against: schema)
    }

    /// The body as the JSON value that the schema applies to; text bodies as a string.
    private static func value(of response: HTTPResponse) -> JSONValue {
        if response.isJSON { return response.json }
        guard response.contentType == "application/yaml" else { return .string(response.bodyText) }
        let text = response.bodyText
        return documents.withLock { documents in
            if let known = documents[text] { return known }
            let value = (try? JSONValue(yaml: text)) ?? .string(text)
            documents[text] = value
            return value
        }
    }

    /// The YAML documents that were received, by their text: a debug build parses the contract for a second.
    private static let documents = Mutex<[String: JSONValue]>([:])

    /// Violations by the body of an accepted request.
    private func requestViolations(_ request: HTTPRequest, _ operation: Operation?) -> [String] {
        guard let operation, let body = request.body, !body.isEmpty else { return [] }
        let content = operation.node.at("requestBody.content")
        // RFC 9110, section 8.3: without a type it may be taken as this one.
        let type = request.headers.first { $0.name == "Content-Type" }?.value.prefix { $0 != ";" } ?? "application/octet-stream"
        if type != "application/json", let schema = content?[String(type)]?["schema"] {
            return checker.violations(of: .string(String(decoding: body, as: UTF8.self)), against: schema, at: "request")
        }
        guard let schema = content?["application/json"]?["schema"] else {
            // A DELETE's body has no meaning and is ignored (RFC 9110, section 9.3.5).
            let isIgnored = request.method == "DELETE" || ["{}", "null"].contains(String(decoding: body, as: UTF8.self))
            return isIgnored ? [] : ["a body was accepted, and the contract has none"]
        }
        let json = HTTPResponse(status: 0, headers: [], body: body).json
        // Like an absent body.
        let sent = json == .null ? .object([]) : json
        return checker.violations(of: sent, against: schema, at: "request")
    }
}

extension JSONValue {
    /// Parses a document; throws if it is no YAML or uses aliases.
    package init(yaml: String) throws {
        guard let node = try compose(yaml: yaml) else { throw Contract.Failure(description: "the document is empty") }
        self = try JSONValue(node)
    }

    /// Both values' members, recursively where both have one of the same name.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        guard let own = members, let others = other.members else { return other }
        let changed = own.map { member in
            JSONMember(name: member.name, value: other[member.name].map { member.value.merging($0) } ?? member.value)
        }
        return .object(changed + others.filter { self[$0.name] == nil })
    }

    /// Converts YAML: plain scalars in JSON's syntax become null, booleans and numbers, all other scalars strings.
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
