internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Routes {
    static let bids: [Route] = [
        Route(.post, "/v1/rooms/{id}/bids", .required, needsRoom: true, givesReceipt: true) { context throws(Problem) in
            try placeBid(context)
        },
        Route(.get, "/v1/rooms/{id}/bids", .optional, needsRoom: true) { context throws(Problem) in
            try listBids(context)
        },
    ]

    private static func placeBid(_ context: RequestContext) throws(Problem) -> Reply {
        let caller = try context.requiredCaller()
        let (room, view) = (try context.requiredRoom(), try context.requiredView())
        var fields = try context.bodyFields()
        let currency = view.room.currency
        let bid = try fields.taking { fields throws(JSONError) in
            let amount = try fields.money("amount", in: currency)
            return PlaceBid(amount: amount, round: try fields.optionalInt("round"))
        }
        try fields.end()
        var headers: [(name: String, value: String)] = []
        let limiter = context.loop.shared.bidLimiter
        if !limiter.isOff {
            let verdict = limiter.take(BidderInRoom(user: caller.id, room: room.id), at: context.now.monotonic)
            headers = limiter.headers(verdict)
            guard verdict.isAllowed else {
                context.exchange.userInfo = RequestState(requestID: context.requestID, headers: headers)
                throw .tooManyRequests(
                    "bid.rate", retryAfterSeconds: Int((verdict.waitNanoseconds + 999_999_999) / 1_000_000_000))
            }
        }
        try context.loop.submit(
            .placeBid(bid), of: room.id, in: context, by: caller, idempotency: try context.idempotencyKey(of: caller),
            headers: headers)
        return .later
    }

    private static func listBids(_ context: RequestContext) throws(Problem) -> Reply {
        let items = try context.query("round", "limit", "cursor")
        let limit = try items.int("limit", in: 1...100, default: 20)
        let cursor = items["cursor"] == nil ? nil : try items.int("cursor", in: 1...Int.max, default: 0)
        let room = try context.requiredView().room
        let round = try items.int("round", in: 1...Int(Int32.max), default: room.round)
        if round == room.round {
            let page = room.bids.newest(before: cursor, limit: limit + 1)
            return .now(bidsPage(page.prefix(limit), more: page.count > limit, room.currency))
        }
        guard let result = room.results.first(where: { $0.round == round }) else {
            return .now(bidsPage([], more: false, room.currency))
        }
        context.loop.offload(context) { log throws(EventLogError) in
            let bids = try OldBids.newest(of: room, result, before: cursor, limit: limit + 1, in: log)
            return bidsPage(bids.prefix(limit), more: bids.count > limit, room.currency)
        }
        return .later
    }

    private static func bidsPage(_ bids: ArraySlice<Bid>, more: Bool, _ currency: Currency) -> Response {
        var json = JSONWriter(reserving: 256 * bids.count + 64)
        json.object { json in
            json.member("bids", array: { array in for bid in bids { BidAnswer.write(bid, in: currency, to: &array) } })
            json.member("nextCursor", more ? bids.last.map { String($0.seq) } : nil)
        }
        return .json(json.bytes)
    }
}

/// The bids of finished rounds: no longer in memory, but in the log.
enum OldBids {
    static func newest(
        of room: Room, _ result: RoundResult, before: Int?, limit: Int, in log: any EventLog
    ) throws(EventLogError) -> [Bid] {
        var bids: [Bid] = []
        var end = min(before ?? Int.max, result.lastSeq + 1)
        while bids.count < limit, end > result.firstSeq {
            let start = max(result.firstSeq, end - 500)
            let events = try log.events(of: room.id, after: start - 1, limit: end - start)
            for stored in events.reversed() where stored.type == "bid.placed" {
                if let bid = try bid(stored, room) { bids.append(bid) }
            }
            end = start
        }
        return Array(bids.prefix(limit))
    }

    private static func bid(_ stored: StoredEvent, _ room: Room) throws(EventLogError) -> Bid? {
        do {
            let event = try EventCodec.decode(stored, after: room)
            guard case .bidPlaced(let placed) = event.body else { return nil }
            return Bid(
                id: placed.bid, seq: event.seq, at: event.at, amount: placed.amount, bidder: placed.bidder,
                leading: placed.leading, automatic: placed.automatic)
        } catch {
            throw EventLogError(.corrupt, "\(room.id): the event with seq \(stored.seq) cannot be read: \(error)")
        }
    }
}
