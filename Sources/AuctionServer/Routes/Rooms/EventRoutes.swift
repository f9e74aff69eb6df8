internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Routes {
    static let events: [Route] = [
        Route(
            .readEvents,
            .room { context, room throws(Problem) in
                if EventStream.isPreferred(context.exchange.list("Accept")) { return try EventStream.open(context, room) }
                let items = try context.query("after", "wait", "limit", "ticket", "lastEventId")
                let wait = try items.int("wait", in: 0...60, default: 0)
                let limit = try items.int("limit", in: 1...256, default: 100)
                let after =
                    items["after"] == "latest" ? room.state.seq : try items.int("after", in: 0...Int.max, default: 0)
                return try context.loop.subscribers.longPoll(room, after: after, wait: wait, limit: limit, context)
            }),
        Route(unlisted: "/v1/rooms/{id}/socket", takesTicket: true, .room(RoomSocket.open)),
        Route(
            .takeTicket,
            .body { context, caller, room, fields throws(Problem) in
                try fields.end()
                try context.endQuery()
                return try context.loop.issueTicket(to: caller, for: room.id, context)
            }),
    ]
}
