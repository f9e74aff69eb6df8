internal import AuctionDomain
internal import ExactJSON
internal import Permissions

/// The examples of refusals, made from the examples of the problem codes.
struct ProblemExamples {
    private let rules: [String: PermissionRule<RoomAction, RuleContext>]

    init() throws {
        let known = try RoomRulebook.product().permissions.rules
        rules = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) })
    }

    /// The Media Type Object of a refusal; nil for other responses.
    func content(of response: Operation.Response, to context: ResponseContext) throws(JSONError)
        -> JSONValue?
    {
        guard let first = response.problems.first else { return nil }
        let schema = JSONValue.reference("schemas", "Problem")
        if first.name.isEmpty {
            return .members([
                ("schema", schema), ("example", try example(first, response.status, context)),
            ])
        }
        var named: [(name: String, value: JSONValue?)] = []
        for problem in response.problems {
            let value = try example(problem, response.status, context)
            named.append(
                (problem.name, .members([("summary", .string(problem.summary)), ("value", value)])))
        }
        return .members([("schema", schema), ("examples", .members(named))])
    }

    private func example(
        _ problem: Operation.ProblemCase, _ status: Int, _ context: ResponseContext
    ) throws(JSONError) -> JSONValue {
        guard let code = ProblemCode.named[problem.code], let example = code.example else {
            throw JSONError(
                .missingField,
                "The problem code \"\(problem.code)\" has no example; \(context.path) needs one.")
        }
        let rule = status == code.status ? rules[code.code] : nil
        let kind = rule == nil ? code.kind(withStatus: status) : .permissionDenied
        var members: [(name: String, value: JSONValue?)] = [
            ("type", .string(kind.path)), ("title", .string(kind.title)),
            ("status", .number(String(status))),
            ("code", .string(code.code)), ("detail", .string(example.detail)),
            ("instance", .string(context.path)),
            ("field", example.field.map { .string($0) }),
        ]
        if let rule {
            members.append(("permission", permission(rule, example)))
        } else if status == code.status {
            members += [
                ("required", example.required.map { .string($0) }),
                ("actual", example.actual.map { .string($0) }),
            ]
        }
        if let json = example.members, case .object(let more) = try JSONValue.reading(json) {
            members += more.map { ($0.name, $0.value) }
        }
        if context.givesReceipt { members += receipt }
        if code.hasRequestID { members.append(("requestId", .string("req_2di789d9mcaba0_1"))) }
        let value = JSONValue.members(members)
        return try problem.changes.map { changes throws(JSONError) in
            value.changed(by: try .reading(changes))
        } ?? value
    }

    private func permission(
        _ rule: PermissionRule<RoomAction, RuleContext>, _ example: ProblemCode.Example
    ) -> JSONValue {
        .members([
            ("action", .string(rule.action.rawValue)), ("rule", .string(rule.id)),
            ("category", .string(rule.category.rawValue)), ("priority", .number(String(rule.priority))),
            ("required", example.required.map { .string($0) }),
            ("actual", example.actual.map { .string($0) }),
            ("allowedActions", .array(example.allowedActions.map { .string($0.rawValue) })),
        ])
    }

    private var receipt: [(name: String, value: JSONValue?)] {
        [
            ("receivedAt", .string("2026-11-21T08:56:46.561Z")),
            ("serverTime", .string("2026-11-21T08:56:46.561Z")),
            ("endsAt", .string("2026-11-21T08:57:01.560Z")), ("seq", .number("14")),
        ]
    }
}

extension Operation {
    /// Its path with the examples of the parameters.
    var examplePath: String {
        let segments = path.split(separator: "/").map { segment in
            let known = parameters + SharedParameters.inPath.map(\.parameter)
            guard let parameter = known.first(where: { segment == "{\($0.name)}" }) else {
                return String(segment)
            }
            return switch parameter.example {
            case .text(let text), .json(let text): text
            }
        }
        return "/" + segments.joined(separator: "/")
    }
}
