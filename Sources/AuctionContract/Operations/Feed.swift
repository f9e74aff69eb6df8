extension Operation {
    /// The events of all rooms.
    static let feed: [Operation] = [readFeed]

    /// `GET /v1/feed`: follow all rooms.
    package static let readFeed = Operation(
        "readFeed", .get, "/v1/feed", .service(.readFeed), tag: "feed", "Follow all rooms by long-poll or server-sent events",
        """
        Begin without `after`, then send the `next` of every response as the `after` of the next call. Every committed event of every
        room, private ones too, is delivered exactly once and in its room's order; what is hidden in a room is hidden here. A cursor
        outlives restarts, backups and moves of the database; one that belongs to another log, such as the one that this is a copy of, is
        refused.

        Beside an event, with its cursor, seq and time, stands what follows from it. `bid.outbid`: another bid leads, `data` is
        `{"bidder", "price"}`, who led until then and the price that stands now; never in a sealed round. `lot.next`: a lot is the item of the room
        from now on, or was changed as such, `data` is `{"lotId", "item": {"id", "name"}}`. A page has one more than `limit` rather than one
        without what follows from it.

        Once a reader has all events, it gets `webhook.paused` of each webhook that was paused, with its own cursor and `room` null, unless it
        chooses rooms: `data` is `{"webhook", "reason"}`. The newest 1,000 are kept; once others have been removed, a reader who begins gets the newest
        500, and a cursor from before one that was removed is refused.

        With `Accept: text/event-stream` the response is a stream, in which an event has its cursor as `id` (the last one of those that share it), its type as `event` and the
        object of a page as `data`; a client that was disconnected resumes with `Last-Event-ID`.
        """,
        parameters: [
            .header(
                "Last-Event-ID", "For a stream, the last cursor received; overrides `after`.", "text",
                example: .text(cursor)),
            .query(
                "lastEventId", "For a stream, as `Last-Event-ID`, which overrides it.", "text", example: .text(cursor)),
            .query(
                "after", "The last cursor received; `latest`: only new events; left out: from the beginning.",
                #"{"type": "string", "pattern": "^(latest|[0-9a-f]{48}([0-9a-f]{16}){0,2})$"}"#, example: .text(cursor)),
            .query("wait", "Seconds to wait for a new event.", "integer 0...60 = 0", example: 25),
            .query(
                "limit", "The most events to return. A page has at most 256 KiB of events, but always one event.",
                "integer 1...1000 = 100", example: 50),
            .query("types", "Only events of these types, with commas.", "text", example: "item.sold,bid.outbid"),
            .query("rooms", "Only events of these rooms, with commas.", "text", example: "room_3pype17b8wec585enw02ex8qa0"),
        ],
        responses: [
            .success(
                200, "The events after `after`, at once if there are any; otherwise held for up to `wait` seconds.",
                content: [
                    .init(
                        "application/json", "FeedPage",
                        examples: [
                            .init(
                                "page", "a sale",
                                #"""
                                {
                                  "events": [
                                    {
                                      "cursor": "\#(cursor)",
                                      "room": "room_3pype17b8wec585enw02ex8qa0",
                                      "event": {
                                        "seq": 12, "type": "message.system", "at": "2026-11-21T08:56:46.559Z", "round": 1,
                                        "data": {"key": "state.auctioning", "en": "Bidding is open.", "zh": "竞拍开始,请出价。"}
                                      }
                                    }
                                  ],
                                  "next": "\#(cursor)", "more": false
                                }
                                """#)
                        ]),
                    .init(
                        "text/event-stream", "text",
                        text: """
                            : auction-room
                            retry: 2000
                            id: \(cursor)

                            id: 8c5e3a1f0b7d9264000000000000002bd1c0b3a495867768
                            event: item.sold
                            data: {"cursor":"8c5e3a1f0b7d9264000000000000002bd1c0b3a495867768","room":"room_3pype17b8wec585enw02ex8qa0",…}

                            : nothing new
                            id: 8c5e3a1f0b7d9264000000000000002bd1c0b3a495867768


                            """),
                ]),
            .refusal(410, "The cursor cannot be resumed from.", ["feed.cursor_gone"]),
            .refusal(429, "As many readers of the feed wait on this node as may.", ["feed.too_many_readers"]),
        ])

    private static let cursor = "8c5e3a1f0b7d9264000000000000002a5f0e1d2c3b4a5968"
}
