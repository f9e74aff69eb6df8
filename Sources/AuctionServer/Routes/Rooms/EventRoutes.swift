internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Routes {
    static let events: [Route] = [
        Route(
            .get, "/v1/rooms/{id}/events", .optional, needsRoom: true, takesTicket: true,
            mediaTypes: ["application/json", EventStream.mediaType]
        ) { context throws(Problem) in
            if EventStream.isPreferred(context.exchange.header("Accept")) { return try EventStream.open(context) }
            let items = try context.query("after", "wait", "limit", "ticket")
            let wait = try items.int("wait", in: 0...60, default: 0)
            let limit = try items.int("limit", in: 1...256, default: 100)
            let (room, view) = (try context.requiredRoom(), try context.requiredView())
            let after =
                items["after"] == "latest" ? view.room.seq : try items.int("after", in: 0...Int.max, default: 0)
            return try context.loop.longPoll(room, after: after, wait: wait, limit: limit, context)
        },
        Route(.get, "/v1/rooms/{id}/socket", .optional, needsRoom: true, takesTicket: true) { context throws(Problem) in
            try RoomSocket.open(context)
        },
        Route(.post, "/v1/rooms/{id}/tickets", .required, needsRoom: true) { context throws(Problem) in
            try context.bodyFields().end()
            return try context.loop.issueTicket(context)
        },
    ]
}
