internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let bids: [Route] = [
        Route(.placeBid, .callerInRoom(placeBid)),
        Route(.listBids, .room(listBids)),
        Route(
            .retractBid,
            .bodiless(on: bid) { context, bid throws(Problem) in
                let reason = try context.query("reason").wordedText("reason", AuctionTransition.reasonLimit)
                return .retractBid(bid, reason: reason)
            }),
    ]

    private static let bid = PathParameter(
        parse: BidID.init, problem: Problem(.notFound, code: "bid.not_found", .init("There is no such bid.", "没有该出价。")))

    private static func placeBid(
        _ context: RequestContext, by caller: Caller, in room: VisibleRoom
    ) throws(Problem) -> Reply {
        let command = try readBid(context, in: room.state.currency)
        var headers: [(name: String, value: String)] = []
        let limiter = context.loop.shared.limits.bids
        if !limiter.isOff {
            let verdict = limiter.take(BidderInRoom(user: caller.id, room: room.id), at: context.now.monotonic)
            headers = limiter.headers(verdict)
            guard verdict.isAllowed else {
                context.loop.shared.metrics.service.bidRefused("bid.rate")
                throw limiter.problem("bid.rate", verdict)
            }
        }
        return try context.submit(command, to: room.id, by: caller, headers: headers)
    }

    private static func readBid(_ context: RequestContext, in currency: Currency) throws(Problem) -> Command {
        try context.checkBody()
        let exchange = context.exchange
        if exchange.content == nil, let bid = BidBody.readPlain(exchange.body, in: currency) {
            try checkMaximum(bid.maximum, bid.amount)
            return .placeBid(bid)
        }
        var fields = try context.bodyFields()
        let bid = try fields.taking { fields throws(JSONError) in try BidBody.read(&fields, in: currency) }
        if fields.has("floor") { return try readFloorBid(bid, &fields) }
        try fields.end()
        try checkMaximum(bid.maximum, bid.amount)
        return .placeBid(bid)
    }

    /// Reads what makes a bid one of the floor.
    private static func readFloorBid(_ bid: PlaceBid, _ fields: inout JSONFields) throws(Problem) -> Command {
        var floor = try fields.taking { fields throws(JSONError) in try fields.object("floor") }
        let paddle = try floor.optionalLine("paddle", PlaceBid.paddleLimit)
        try floor.end()
        try fields.end()
        guard bid.maximum == nil else {
            throw .malformed(
                "A floor bid names its amount; it has no maximum.", "现场出价须写明金额,不支持 maximum。", field: "maximum")
        }
        return .placeFloorBid(bid, paddle: paddle)
    }

    /// Refuses a maximum below the amount.
    static func checkMaximum(_ maximum: Money?, _ amount: Money?) throws(Problem) {
        guard let maximum, let amount, maximum < amount else { return }
        throw Problem(.maximumBelowAmount)
    }

    private static func listBids(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("round", "limit", "cursor")
        let limit = try items.int("limit", in: 1...100, default: 20)
        let cursor = try items.int("cursor", in: 1...Int.max)
        let room = visible.state
        let round = try items.int("round", in: 1...Int(Int32.max), default: room.round)
        let rulebook = context.rulebook
        let caller = visible.viewer?.id
        let current = BidVisibility(of: room, rulebook, caller: caller)
        if round == room.round {
            let page = room.bids.newest(before: cursor, limit: limit + 1)
            let last = page.count > limit ? page[limit - 1].seq : nil
            return .now(bidsPage(page.prefix(limit), next: last, current))
        }
        guard let result = room.results.row(ofRound: round) else {
            return .now(bidsPage([], next: nil, current))
        }
        return context.offload(visible) { log throws(EventLogError) in
            let page = try OldBids.newest(of: room, result, before: cursor, limit: limit, in: log)
            let visibility = BidVisibility(of: result, in: room, rulebook, caller: caller)
            return bidsPage(page.bids[...], next: page.next, visibility)
        }
    }

    private static func bidsPage(_ bids: ArraySlice<Bid>, next: Int?, _ visibility: BidVisibility) -> Response {
        .object(reserving: 256 * bids.count + 64) { json in
            json.member("bids", each: bids) { visibility.write($0, to: &$1) }
            json.member("nextCursor", next.map(String.init))
        }
    }
}
