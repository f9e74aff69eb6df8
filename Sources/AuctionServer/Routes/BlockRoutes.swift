internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Whom the caller does not want to see, in all rooms. Without an Idempotency-Key: a repeat does no harm.
extension Routes {
    static let blocks: [Route] = [
        Route(.blockUser, .caller(blockUser)),
        Route(.listBlocks, .caller(listBlocks)),
        Route(.unblockUser, .caller(unblockUser)),
    ]

    private static func blockUser(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let blocked = try fields.taking { fields throws(JSONError) in
            let user: UserID = try fields.identifier("userId")
            guard user != caller.id else { throw fields.invalid("userId", "must be another user's", "须为其他用户的编号") }
            guard user != .floor else {
                throw fields.invalid(
                    "userId", "must be a user's: \(UserID.floor) is everybody in the hall, and writes nothing",
                    "须为用户的编号:\(UserID.floor) 代表现场所有人,不会发言")
            }
            return user
        }
        try fields.end()
        try context.endQuery()
        try context.loop.takeCommand(of: caller.person, in: context)
        try context.loop.takeTextBytes(context)
        let block = UserBlock(user: caller.id, blocked: blocked, at: context.now.wall)
        let problemContext = context.problemContext
        return context.loop.offload(context, for: caller) { log throws(EventLogError) in
            switch try log.add(block) {
            case .begun: response(block, status: 201)
            case .stands(let since): response(UserBlock(user: block.user, blocked: blocked, at: since), status: 200)
            case .tooMany: Problem.tooManyBlocks.response(problemContext)
            }
        }
    }

    private static func listBlocks(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let cursor = try items.cursor(UserID.init)
        return context.loop.offload(context, for: caller) { log throws(EventLogError) in
            let found = try log.blocks(of: caller.id, after: cursor, limit: limit + 1)
            let page = found.prefix(limit)
            return .object(reserving: 96 * page.count + 64) { json in
                json.member("blocks", each: page) { block, json in json.object { write(block, to: &$0) } }
                json.member("nextCursor", found.count > limit ? page.last?.blocked.description : nil)
            }
        }
    }

    private static func unblockUser(_ context: RequestContext, by caller: Caller) throws(Problem) -> Reply {
        guard let blocked = UserID(context.parameters[0]) else { throw .blockNotFound }
        try context.endQuery()
        try context.loop.takeCommand(of: caller.person, in: context)
        let problemContext = context.problemContext
        return context.loop.offload(context, for: caller) { log throws(EventLogError) in
            try log.removeBlock(of: blocked, by: caller.id)
                ? Response(status: 204, headers: [("Cache-Control", "no-store")])
                : Problem.blockNotFound.response(problemContext)
        }
    }

    private static func response(_ block: UserBlock, status: Int) -> Response {
        var json = JSONWriter(reserving: 128)
        json.object { write(block, to: &$0) }
        return .json(json.bytes, status: status)
    }

    private static func write(_ block: UserBlock, to json: inout JSONWriter) {
        json.member("userId", block.blocked)
        json.member("blockedAt", block.at)
    }
}

extension Problem {
    fileprivate static let tooManyBlocks = Problem(
        .tooManyRequests, code: "block.too_many",
        LocalizedText(
            "You block as many users as one may: \(UserBlock.limit).", "屏蔽用户数量已达上限 \(UserBlock.limit)。"),
        retryAfterSeconds: 3600)

    fileprivate static let blockNotFound = Problem(
        .notFound, code: "block.not_found", LocalizedText("You have not blocked this user.", "您没有屏蔽该用户。"))
}
