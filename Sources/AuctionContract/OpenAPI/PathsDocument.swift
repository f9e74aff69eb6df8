internal import AuctionDomain
internal import ExactJSON

/// The paths of the contract: operations, with what is the same for all of their kind.
struct PathsDocument {
    let responseObjects: ResponseObjects

    /// The Paths Object of the operations, in their order.
    func paths(of operations: [Operation]) throws(JSONError) -> JSONValue {
        var paths: [(name: String, value: JSONValue?)] = []
        for operation in operations {
            let method = (
                name: operation.method.rawValue.lowercased(), value: Optional(try object(of: operation))
            )
            if let index = paths.firstIndex(where: { $0.name == operation.path }) {
                paths[index].value = paths[index].value?.changed(by: .members([method]))
            } else {
                paths.append(
                    (operation.path, .members([("parameters", try pathParameters(of: operation)), method])))
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
            ("summary", .string(operation.summary)),
            ("description", operation.description.map { .string($0) }),
            ("x-permission-actions", .texts(operation.needs.map(\.rawValue))),
            ("security", security(of: operation)),
            ("parameters", try parameters(of: operation)),
            ("requestBody", try requestBody(of: operation)),
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
            case .service(let scope): [.members([("service", .texts([scope.rawValue]))])]
            }
        return .array(schemes + (operation.takesTicket ? [scheme("ticket")] : []))
    }

    private func parameters(of operation: Operation) throws(JSONError) -> JSONValue {
        var parameters: [JSONValue] = []
        for parameter in operation.parameters where parameter.place != .path {
            parameters.append(try parameter.object())
        }
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
        for response in operation.responses {
            responses.append(
                (response.status, try responseObjects.object(of: response, to: ResponseContext(operation))))
        }
        for name in operation.usualResponses {
            guard let shared = SharedResponse.named[name], !own.contains(shared.response.status) else {
                continue
            }
            responses.append((shared.response.status, .reference("responses", name)))
        }
        let sorted = responses.sorted { $0.status < $1.status }.map {
            (name: String($0.status), value: Optional($0.value))
        }
        return .members(sorted + [("default", .reference("responses", "AnyProblem"))])
    }
}

extension Operation {
    /// Names of the parameters in its path.
    var pathNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
    }

    /// Whether callers send the token of a person.
    var isForPersons: Bool { access == .optional || access == .required }

    private var isForServices: Bool {
        if case .service = access { true } else { false }
    }

    private var sendsBody: Bool { method == .post || method == .put || method == .patch }

    /// Names of the contract's responses of all operations of its kind, which it need not list.
    fileprivate var usualResponses: [String] {
        var responses = [
            "Malformed", "NotAcceptable", "TargetTooLong", "HeaderTooLarge", "InternalError",
            "Unavailable",
        ]
        if isForPersons {
            responses += [takesTicket ? "TicketRefused" : "Unauthorized", refusesBanned ? "Banned" : "NotAPerson"]
        }
        if isInRoom || access == .operator || isForServices { responses.append("NotFound") }
        if isForServices { responses.append("ScopeMissing") }
        if sendsBody { responses += ["Timeout", "TooLarge", "UnsupportedMediaType"] }
        if takesKey { responses.append("KeyReused") }
        if method != .get, access == .required { responses.append("TooManyCommands") }
        return responses
    }
}
