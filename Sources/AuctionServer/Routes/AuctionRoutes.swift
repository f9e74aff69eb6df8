internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Routes {
    static let auction: [Route] = [
        Route(.post, "/v1/rooms/{id}/auction/start", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .startAuction($0) }
        },
        Route(.post, "/v1/rooms/{id}/auction/end", .required, needsRoom: true) { context throws(Problem) in
            try advance(context) { .endAuction($0) }
        },
        Route(.get, "/v1/rooms/{id}/results", .optional, needsRoom: true) { context throws(Problem) in
            try listResults(context)
        },
    ]

    private static func advance(
        _ context: RequestContext, _ command: (Advance) -> Command
    ) throws(Problem) -> Reply {
        let caller = try context.requiredCaller()
        var fields = try context.bodyFields()
        let reason = try fields.optionalText("reason", 0...Advance.reasonLimit)
        let states = context.loop.shared.rulebook.states
        let step = try fields.taking { fields throws(JSONError) in
            let state = try fields.optionalString("expectedState").map(RoomState.init(rawValue:))
            if let state, states[state] == nil {
                let known = states.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw fields.invalid("expectedState", "must be one of \(known)")
            }
            return Advance(
                reason: reason, expectedState: state, expectedRound: try fields.optionalInt("expectedRound"))
        }
        try fields.end()
        try context.loop.submit(
            command(step), of: try context.requiredRoom().id, in: context, by: caller,
            idempotency: try context.idempotencyKey(of: caller))
        return .later
    }

    private static func listResults(_ context: RequestContext) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let before = try items.int("cursor", in: 1...Int(Int32.max), default: Int(Int32.max))
        let room = try context.requiredView().room
        let rows = room.results.reversed().drop { $0.round >= before }
        var json = JSONWriter(reserving: 512 * min(rows.count, limit) + 64)
        json.object { json in
            json.member("results", array: { array in for row in rows.prefix(limit) { write(row, room.currency, to: &array) } })
            json.member("nextCursor", rows.count > limit ? rows.prefix(limit).last.map { String($0.round) } : nil)
        }
        return .now(.json(json.bytes))
    }

    private static func write(_ row: RoundResult, _ currency: Currency, to json: inout JSONWriter) {
        json.object { json in
            json.member("round", row.round)
            json.member("item", row.item, in: currency)
            switch row.outcome {
            case .sold(let winner, let price):
                json.member("result", "sold")
                json.member("winner", winner)
                json.member("price", price, in: currency)
                json.member("reason", String?.none)
            case .passed(let reason):
                json.member("result", "passed")
                json.member("winner", Person?.none)
                json.member("price", String?.none)
                json.member("reason", reason.rawValue)
            }
            json.member("bids", row.bidCount)
            json.member("closedAt", row.closedAt)
        }
    }
}
