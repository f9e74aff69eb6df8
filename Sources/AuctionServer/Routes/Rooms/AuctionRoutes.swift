internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// Commands that change the state of the auction.
extension Routes {
    static let auction: [Route] = [
        Route(.post, "/v1/rooms/{id}/auction/start", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .startAuction($0) }
        },
        Route(.post, "/v1/rooms/{id}/auction/end", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .endAuction($0) }
        },
        Route(.post, "/v1/rooms/{id}/auction/pause", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .pause($0) }
        },
        Route(.post, "/v1/rooms/{id}/auction/resume", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .resume($0) }
        },
        Route(.post, "/v1/rooms/{id}/auction/cancel", .required, needsRoom: true) { context throws(Problem) in
            try advance(context, needsReason: true) { .cancel($0) }
        },
    ]

    private static func advance(
        _ context: RequestContext, needsReason: Bool = false, _ command: (AuctionTransition) -> Command
    ) throws(Problem) -> Reply {
        let caller = try context.requiredCaller()
        var fields = try context.bodyFields()
        let reason =
            needsReason
            ? try fields.wordedText("reason", AuctionTransition.reasonLimit)
            : try fields.optionalText("reason", 0...AuctionTransition.reasonLimit)
        let states = context.loop.shared.rulebook.states
        let step = try fields.taking { fields throws(JSONError) in
            let state = try fields.optionalKeyword("expectedState").map(RoomState.init(rawValue:))
            if let state, states[state] == nil {
                let known = states.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw fields.invalid("expectedState", "must be one of \(known)")
            }
            return AuctionTransition(
                reason: reason, expectedState: state, expectedRound: try fields.optionalInt("expectedRound"))
        }
        try fields.end()
        try context.loop.submit(
            command(step), of: try context.requiredRoom().id, in: context, by: caller,
            idempotency: try context.idempotencyKey(of: caller))
        return .later
    }
}
