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
            ("description", description(of: operation).map { .string($0) }),
            ("x-permission-actions", .texts(operation.needs.map(\.rawValue))),
            ("security", security(of: operation)),
            ("parameters", try parameters(of: operation)),
            ("requestBody", try requestBody(of: operation)),
            ("responses", try responses(of: operation)),
        ])
    }

    /// Its own, and what operators add to the request.
    private func description(of operation: Operation) -> String? {
        let note: String
        if operation.takesOperators {
            let place = operation.saysReasonInQuery ? "the query" : "the body"
            note =
                "Also for operators, with a service token of the scope `rooms:write` and a `reason` in \(place), which all in the room see."
        } else if operation.isReadByOperators {
            note = "Also for operators, with a service token of the scope `rooms:read`: of any room\(operation.operatorsView)."
        } else {
            return operation.description
        }
        return operation.description.map { "\($0)\n\n\(note)" } ?? note
    }

    private func security(of operation: Operation) -> JSONValue {
        func scheme(_ name: String) -> JSONValue { .members([(name, .array([]))]) }
        func service(_ scope: ServiceScope) -> JSONValue { .members([("service", .texts([scope.rawValue]))]) }
        let schemes: [JSONValue] =
            switch operation.access {
            case .anonymous: []
            case .optional: [.object([]), scheme("bearer")] + (operation.isReadByOperators ? [service(.readRooms)] : [])
            case .required:
                [scheme("bearer")] + (operation.takesOperators ? [service(.writeRooms)] : [])
                    + (operation.isReadByOperators ? [service(.readRooms)] : [])
            case .operator: [.object([]), scheme("operator")]
            case .service(let scope): [service(scope)]
            }
        return .array(schemes + (operation.takesTicket ? [scheme("ticket")] : []))
    }

    private func parameters(of operation: Operation) throws(JSONError) -> JSONValue {
        var parameters: [JSONValue] = []
        for parameter in operation.parameters where parameter.place != .path {
            parameters.append(try parameter.object())
        }
        let hasReason = operation.parameters.contains { $0.place == .query && $0.name == Operation.operatorReason }
        if operation.saysReasonInQuery, !hasReason { parameters.append(try Self.reason.object()) }
        let shared = (operation.takesKey ? ["IdempotencyKey"] : []) + ["AcceptLanguage", "RequestId"]
        return .array(parameters + shared.map { .reference("parameters", $0) })
    }

    private static let reason: Operation.Parameter = .query(
        Operation.operatorReason, "Why an operator acts: required of service tokens, refused from users.", "prose 1...500",
        example: "The host asked us to.")

    private func requestBody(of operation: Operation) throws(JSONError) -> JSONValue? {
        guard let body = operation.body else { return nil }
        var content: [(name: String, value: JSONValue?)] = []
        for part in body.content {
            var media = try part.object()
            if operation.addsReasonToBody {
                let choices = [part.schema, Operation.byOperator(part.schema)].map { JSONValue.reference("schemas", $0) }
                let schema: JSONValue = .members([("oneOf", .array(choices))])
                media = JSONValue.members([("schema", schema)]).changed(by: media.without("schema"))
            }
            content.append((part.mediaType, media))
        }
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

    /// As whom operators read it.
    fileprivate var operatorsView: String {
        switch name {
        case "listRooms": " that is public"
        case "listReports": ", as its host"
        case "readEvents": ", as it is shown without a token, and without waiting: for that they have the feed"
        default: ", as it is shown without a token"
        }
    }

    private var isForServices: Bool {
        if case .service = access { true } else { false }
    }

    /// Whether a body is read: that of a DELETE is, to refuse what it says.
    private var readsBody: Bool { method != .get }

    /// Names of the contract's responses of all operations of its kind, which it need not list.
    fileprivate var usualResponses: [String] {
        var responses = [
            "Malformed", "NotAcceptable", "TargetTooLong", "HeaderTooLarge", "InternalError",
            "Unavailable",
        ]
        if isForPersons {
            responses += [
                takesTicket ? "TicketRefused" : "Unauthorized",
                takesOperators
                    ? "Forbidden"
                    : isReadByOperators
                        ? refusesBanned ? "EventsRefused" : "ScopeMissing" : refusesBanned ? "Banned" : "NotAPerson",
            ]
        }
        if isInRoom || access == .operator || isForServices { responses.append("NotFound") }
        if isForServices { responses.append("ScopeMissing") }
        if readsBody { responses += ["Timeout", "TooLarge", "UnsupportedMediaType"] }
        if takesKey { responses.append("KeyReused") }
        if method != .get, access == .required { responses.append("TooManyCommands") }
        return responses
    }
}
