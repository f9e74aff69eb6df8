internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// For the operator's programs: service tokens, tokens of a backend's own users, and what operators did.
extension Routes {
    static let admin: [Route] = [
        Route(.createServiceToken, .service(createServiceToken)),
        Route(.listServiceTokens, .service(listServiceTokens)),
        Route(.revokeServiceToken, .service(revokeServiceToken)),
        Route(.signInUser, .service(signInUser)),
        Route(.listAudit, .service(listAudit)),
    ]

    private static func createServiceToken(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let name = try fields.displayName("name", ServiceToken.nameLimit)
        let scopes = try fields.taking { fields throws(JSONError) -> Set<ServiceScope> in try Self.scopes(&fields) }
        let expiresAt = try fields.taking { fields throws(JSONError) -> Timestamp? in
            try expiry(&fields, after: context.now.wall)
        }
        try fields.end()
        try context.endQuery()
        let text = ServiceToken.prefix + context.loop.nextWideSeed().hexadecimal + context.loop.nextWideSeed().hexadecimal
        let token = ServiceToken(
            id: ServiceToken.newID(context.loop.nextWideSeed()), name: name, scopes: scopes, createdAt: context.now.wall,
            expiresAt: expiresAt, digest: ServiceToken.digest(of: text))
        let entry = context.auditEntry(token.id, by: `operator`)
        let (tokens, problemContext) = (context.loop.shared.operators.tokens, context.problemContext)
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            switch try tokens.create(token, entry) {
            case .tooMany: return Problem.tooManyServiceTokens.response(problemContext)
            case .busy: return Problem.unavailable.response(problemContext)
            case .created: break
            }
            return .object(reserving: 512, status: 201) { json in
                json.members(of: token)
                json.member("token", text)
            }
        }
    }

    private static func scopes(_ fields: inout JSONFields) throws(JSONError) -> Set<ServiceScope> {
        var scopes: Set<ServiceScope> = []
        for name in try fields.array("scopes") {
            guard case .string(let name) = name, let scope = ServiceScope(rawValue: name) else {
                let known = ServiceScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("scopes", "must name scopes: \(known)", "须为权限范围:\(known)")
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else { throw fields.invalid("scopes", "must name at least one scope", "须至少包含一个权限范围") }
        return scopes
    }

    private static func expiry(_ fields: inout JSONFields, after now: Timestamp) throws(JSONError) -> Timestamp? {
        guard let text = try fields.optionalString("expiresAt") else { return nil }
        guard let expiresAt = Timestamp(request: text) else {
            throw fields.invalid("expiresAt", "must be a time as in RFC 3339", "须为 RFC 3339 格式的时间")
        }
        guard expiresAt > now else { throw fields.invalid("expiresAt", "must be in the future", "须为将来的时间") }
        return expiresAt
    }

    private static func listServiceTokens(_ context: RequestContext, by _: ServiceToken) throws(Problem) -> Reply {
        try context.endQuery()
        let tokens = context.loop.shared.operators.tokens
        return context.loop.offload(context, for: nil) { _ throws(EventLogError) in
            let all = try tokens.all()
            return .object(reserving: 256 * all.count + 64) { json in
                json.member("tokens", each: all) { token, json in json.object { $0.members(of: token) } }
            }
        }
    }

    private static func revokeServiceToken(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.endQuery()
        let id = context.parameters[0]
        let entry = context.auditEntry(id, by: `operator`)
        let (tokens, problemContext) = (context.loop.shared.operators.tokens, context.problemContext)
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard id.utf8.count <= RecordLimits.nameBytes, !id.isEmpty,
                let record = try log.record(ServiceToken.recordKind, id)
            else { return Problem.serviceTokenNotFound.response(problemContext) }
            _ = try tokens.write([.delete(record.kind, id), entry.change])
            return Response(status: 204, headers: [("Cache-Control", "no-store")])
        }
    }

    /// Longest life of a token of a backend's user: a year.
    private static let longestSession = 366 * 86_400

    private static func signInUser(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        // Byte for byte, as texts that look alike name different customers.
        let subject = try fields.taking { fields throws(JSONError) -> String in
            let subject = try fields.string("subject")
            guard (1...IdentityProvider.subjectBytes).contains(subject.utf8.count) else {
                throw fields.invalid(
                    "subject", "must have 1 to \(IdentityProvider.subjectBytes) bytes",
                    "须为 1 至 \(IdentityProvider.subjectBytes) 字节")
            }
            return subject
        }
        let nickname = try fields.displayName("nickname", Person.nicknameLimit)
        let seconds = try fields.taking { fields throws(JSONError) -> Int? in
            guard let seconds = try fields.optionalInt("expiresInSeconds") else { return nil }
            guard (60...longestSession).contains(seconds) else {
                throw fields.invalid(
                    "expiresInSeconds", "must be from 60 to \(longestSession)", "须为 60 至 \(longestSession)")
            }
            return seconds
        }
        try fields.end()
        try context.endQuery()
        // No identity provider can have this service's issuer.
        let user = context.loop.shared.access.erased.users.identity(
            of: IdentityProvider.user(subject, of: TokenSigner.issuer))
        let person = Person(id: user, nickname: nickname)
        let response = token(for: person, context, status: 201, seconds: seconds)
        let entry = context.auditEntry(user.description, by: `operator`)
        let problemContext = context.problemContext
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard try log.audit(signIn: entry) else { return Problem.unavailable.response(problemContext) }
            return response
        }
    }

    private static func listAudit(_ context: RequestContext, by _: ServiceToken) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let cursor = try items.cursor { $0.utf8.count == 32 && $0.isHexadecimal ? $0 : nil }
        return context.loop.offload(context, for: nil) { log throws(EventLogError) in
            var query = RecordQuery(kind: AuditEntry.recordKind, isDescending: true, limit: limit + 1)
            query.after = cursor
            let found = try log.records(query)
            let page = found.prefix(limit)
            return .object(reserving: 256 * page.count + 64) { json in
                json.member("entries", each: page.compactMap(AuditEntry.init)) { entry, json in
                    json.object { $0.members(of: entry) }
                }
                json.member("nextCursor", found.count > limit ? page.last?.id : nil)
            }
        }
    }
}

extension RequestContext {
    /// What the operator does by this request, for the audit.
    func auditEntry(_ target: String, reason: String? = nil, by operator: ServiceToken) -> AuditEntry {
        AuditEntry(
            route.operation?.name ?? route.pattern, target, reason: reason, by: `operator`, at: now.wall, seed: loop.nextSeed())
    }
}

extension Problem {
    fileprivate static let tooManyServiceTokens = Problem(
        .tooManyRequests, code: "token.too_many",
        LocalizedText(
            "There are \(ServiceToken.limit) service tokens; revoke one first.", "服务令牌已达 \(ServiceToken.limit) 个,请先吊销一个。"),
        retryAfterSeconds: 3600)
    fileprivate static let serviceTokenNotFound = Problem(
        .notFound, code: "token.not_found", LocalizedText("There is no service token with this id.", "没有该编号的服务令牌。"))

    static func scopeMissing(_ scope: ServiceScope) -> Problem {
        Problem(
            .permissionDenied, code: "scope.missing",
            LocalizedText(
                "This service token lacks the scope \"\(scope.rawValue)\".", "该服务令牌没有 \"\(scope.rawValue)\" 权限范围。"))
    }

    static let waitsByFeed = Problem(
        .permissionDenied, code: "token.not_a_person",
        LocalizedText(
            "A service token waits for events by \"/v1/feed\", with the room's id as \"rooms\".",
            "服务令牌请通过 \"/v1/feed\" 等待事件,并以房间编号作为 \"rooms\"。"))

    static let notAPerson = Problem(
        .permissionDenied, code: "token.not_a_person",
        LocalizedText(
            "A service token is no person: it can neither join a room nor bid, nor write messages.",
            "服务令牌不代表任何人:不能加入房间、出价或发消息。"))
}
