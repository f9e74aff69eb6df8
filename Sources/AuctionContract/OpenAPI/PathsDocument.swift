internal import AuctionDomain
internal import ExactJSON

/// The paths of the contract: operations, with what is the same for all of their kind.
struct PathsDocument {
    private let problems: ProblemExamples

    init() throws {
        problems = try ProblemExamples()
    }

    /// The Paths Object of the operations, in their order.
    func paths(of operations: [Operation]) throws(JSONError) -> JSONValue {
        var paths: [(name: String, value: JSONValue?)] = []
        for operation in operations {
            let method = (name: operation.method.rawValue.lowercased(), value: Optional(try object(of: operation)))
            if let index = paths.firstIndex(where: { $0.name == operation.path }) {
                paths[index].value = paths[index].value?.changed(by: .members([method]))
            } else {
                paths.append((operation.path, .members([("parameters", try pathParameters(of: operation)), method])))
            }
        }
        return .members(paths)
    }

    private func pathParameters(of operation: Operation) throws(JSONError) -> JSONValue? {
        var parameters: [JSONValue] = []
        for name in operation.pathNames {
            if let own = operation.parameters.first(where: { $0.place == .path && $0.name == name }) {
                parameters.append(try own.object())
            } else if let shared = SharedParameters.inPath.first(where: { $0.parameter.name == name }) {
                parameters.append(.reference("parameters", shared.name))
            }
        }
        return parameters.isEmpty ? nil : .array(parameters)
    }

    private func object(of operation: Operation) throws(JSONError) -> JSONValue {
        .members([
            ("operationId", .string(operation.name)), ("tags", .texts([operation.tag])),
            ("summary", .string(operation.summary)), ("description", operation.description.map { .string($0) }),
            ("x-permission-actions", .texts(operation.needs.map(\.rawValue))), ("security", security(of: operation)),
            ("parameters", try parameters(of: operation)), ("requestBody", try requestBody(of: operation)),
            ("responses", try responses(of: operation)),
        ])
    }

    private func security(of operation: Operation) -> JSONValue {
        func scheme(_ name: String) -> JSONValue { .members([(name, .array([]))]) }
        let schemes: [JSONValue] =
            switch operation.access {
            case .anonymous: []
            case .optional: [.object([]), scheme("bearer")]
            case .required: [scheme("bearer")]
            case .operator: [.object([]), scheme("operator")]
            }
        return .array(schemes + (operation.takesTicket ? [scheme("ticket")] : []))
    }

    private func parameters(of operation: Operation) throws(JSONError) -> JSONValue {
        var parameters: [JSONValue] = []
        for parameter in operation.parameters where parameter.place != .path { parameters.append(try parameter.object()) }
        let shared = (operation.takesKey ? ["IdempotencyKey"] : []) + ["AcceptLanguage", "RequestId"]
        return .array(parameters + shared.map { .reference("parameters", $0) })
    }

    private func requestBody(of operation: Operation) throws(JSONError) -> JSONValue? {
        guard let body = operation.body else { return nil }
        var content: [(name: String, value: JSONValue?)] = []
        for part in body.content { content.append((part.mediaType, try part.object())) }
        return .members([
            ("description", body.description.map { .string($0) }), ("required", .bool(body.isRequired)),
            ("content", .members(content)),
        ])
    }

    private func responses(of operation: Operation) throws(JSONError) -> JSONValue {
        let own = Set(operation.responses.map(\.status))
        var responses: [(status: Int, value: JSONValue)] = []
        for response in operation.responses { responses.append((response.status, try object(of: response, operation))) }
        for (status, name) in operation.usualResponses where !own.contains(status) {
            responses.append((status, .reference("responses", name)))
        }
        let sorted = responses.sorted { $0.status < $1.status }.map { (name: String($0.status), value: Optional($0.value)) }
        return .members(sorted + [("default", .reference("responses", "AnyProblem"))])
    }

    private func object(of response: Operation.Response, _ operation: Operation) throws(JSONError) -> JSONValue {
        if let name = response.shared { return .reference("responses", name) }
        var content: [(name: String, value: JSONValue?)] = []
        for part in response.content { content.append((part.mediaType, try part.object())) }
        if let media = try problems.content(of: response, operation) { content.append(("application/problem+json", media)) }
        return .members([
            ("description", .string(response.description)), ("headers", try headers(of: response, operation)),
            ("x-problem-codes", .texts(response.codes)), ("content", content.isEmpty ? nil : .members(content)),
        ])
    }

    private func headers(of response: Operation.Response, _ operation: Operation) throws(JSONError) -> JSONValue {
        var headers: [(name: String, value: JSONValue?)] = []
        for name in response.usualHeaders(of: operation) { headers.append((name, .reference("headers", name))) }
        for header in response.headers {
            let value = try JSONValue.definition(header.definition, "headers")
            if let index = headers.firstIndex(where: { $0.name == header.name }) {
                headers[index].value = value
            } else {
                headers.append((header.name, value))
            }
        }
        return .members(headers)
    }
}

extension Operation {
    /// Names of the parameters in its path.
    var pathNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    private var sendsBody: Bool { method == .post || method == .put || method == .patch }

    /// The contract's responses of all operations of its kind, which it need not list.
    fileprivate var usualResponses: [(status: Int, name: String)] {
        var responses = [
            (400, "Malformed"), (406, "NotAcceptable"), (414, "TargetTooLong"), (431, "HeaderTooLarge"), (500, "InternalError"),
            (503, "Unavailable"),
        ]
        if access == .optional || access == .required {
            responses.append((401, takesTicket ? "TicketRefused" : "Unauthorized"))
        }
        if isInRoom || access == .operator { responses.append((404, "NotFound")) }
        if sendsBody { responses += [(408, "Timeout"), (413, "TooLarge"), (415, "UnsupportedMediaType")] }
        if takesKey { responses.append((422, "KeyReused")) }
        if method != .get, access == .required { responses.append((429, "TooManyCommands")) }
        return responses
    }
}

extension Operation.Response {
    /// A request may be refused with one of these before its head is read.
    private static let withoutRequestID: Set<Int> = [408, 413, 414, 431, 503]

    /// The headers of all responses with its status to such operations.
    fileprivate func usualHeaders(of operation: Operation) -> [String] {
        let isSuccess = status < 400
        let isRead = operation.method == .get && (operation.access == .optional || operation.access == .required)
        let mayBeReplayed = isSuccess && operation.takesKey
        var headers: [String] = isSuccess && isRead ? ["Age"] : []
        if hasRequestID ?? !Self.withoutRequestID.contains(status) { headers.append("X-Request-Id") }
        headers.append("Cache-Control")
        if status == 429 || isSuccess && operation.saysWhatIsLeft { headers += ["RateLimit", "RateLimit-Policy"] }
        if status == 429 || status == 503 { headers.append("Retry-After") }
        if status == 401 { headers.append("WWW-Authenticate") }
        if mayBeReplayed { headers.append("Idempotency-Replayed") }
        return headers
    }
}
