internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// What operators do about users in all rooms. Without an Idempotency-Key: a repeat does no harm.
extension Routes {
    static let adminUsers: [Route] = [
        Route(
            .revokeUserTokens,
            .service { context, token throws(Problem) in
                let now = context.now
                return try restrict(context, by: token, needsReason: false) { restriction, _ in
                    restriction.tokenEnd = UserRestriction.TokenEnd(now)
                }
            }),
        Route(
            .banUser,
            .service { context, token throws(Problem) in
                let now = context.now.wall
                return try restrict(context, by: token) { restriction, reason in
                    restriction.ban = UserRestriction.Ban(at: restriction.ban?.at ?? now, reason: reason)
                }
            }),
        Route(
            .unbanUser,
            .service { context, token throws(Problem) in
                try restrict(context, by: token) { restriction, _ in restriction.ban = nil }
            }),
    ]

    private static func restrict(
        _ context: RequestContext, by operator: ServiceToken, needsReason: Bool = true,
        _ change: @escaping @Sendable (inout UserRestriction, _ reason: String) -> Void
    ) throws(Problem) -> Reply {
        guard let user = UserID(context.parameters[0]), user != .floor else { throw .userNotFound }
        var fields = try context.bodyFields()
        let limit = UserRestriction.reasonLimit
        let reason =
            if needsReason || fields.has("reason") { Optional(try fields.wordedText("reason", limit)) } else { String?.none }
        try fields.end()
        try context.endQuery()
        let entry = context.auditEntry(user.description, reason: reason, by: `operator`)
        let (users, now) = (context.loop.shared.operators.users, context.now.wall)
        let problemContext = context.problemContext
        return context.loop.offload(context, for: nil, isTimeless: true) { _ throws(EventLogError) in
            let outcome = try users.change(user, at: now, entry) { change(&$0, reason ?? "") }
            switch outcome {
            case .changed(let restriction): return .object(reserving: 256) { $0.members(of: restriction) }
            case .tooMany: return Problem.tooManyRestrictions.response(problemContext)
            case .unavailable: return Problem.unavailable.response(problemContext)
            }
        }
    }
}

extension Problem {
    fileprivate static let userNotFound = Problem(
        .notFound, code: "user.not_found", LocalizedText("There is no user with this id.", "没有该编号的用户。"))
    fileprivate static let tooManyRestrictions = Problem(
        .tooManyRequests, code: "user.too_many",
        LocalizedText(
            "\(UserRestriction.limit) users are banned or had their tokens revoked, as many as may be.",
            "已封禁或吊销令牌的用户达到上限 \(UserRestriction.limit) 个。"),
        retryAfterSeconds: 3600)
    static let userBanned = Problem(
        .permissionDenied, code: "user.banned",
        LocalizedText(
            "The operator of this service has banned you from all rooms and has noted why: ask them for the reason.",
            "本服务的运营者已禁止您进入所有房间,并记录了原因:请向其询问。"))
}
