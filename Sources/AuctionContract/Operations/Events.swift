extension Operation {
    /// The events of a room.
    static let events: [Operation] = [readEvents, takeTicket]

    /// `GET /v1/rooms/{id}/events`: follow a room by long-poll or server-sent events.
    package static let readEvents = Operation(
        "readEvents", .get, "/v1/rooms/{id}/events", .optional, tag: "events",
        "Follow a room by long-poll or server-sent events",
        """
        Begin without `after`, then send the `next` of every response as the `after` of the next call. Every event is delivered exactly
        once.

        With `Accept: text/event-stream` the response is a stream that begins after `after` and does not end; where
        `application/json` is named too, only if the stream has the higher quality (`q`): a client that names both alike gets a
        page.

        In a stream an event has its seq as `id`, its type as `event` and itself as `data`. An `id` alone is sent first, so that a
        client of a quiet room also knows where to resume. At least every 15 seconds there is an `event: notice` without an `id`,
        whose `data` is a `Notice`. A client that lags too far behind is disconnected and resumes with `Last-Event-ID`.
        """,
        takesTicket: true,
        parameters: [
            .header(
                "Last-Event-ID", "For a stream, the last seq received; overrides `after`.", "text",
                example: "12"),
            .query(
                "lastEventId",
                """
                For a stream, as `Last-Event-ID`, which overrides it; for substitutes of `EventSource` that cannot set \
                headers.
                """, "text", example: "12"),
            .query(
                "after",
                """
                The last seq received; `latest`: only new events; left out: from the beginning. Beyond the seq of the room: \
                400.
                """, #"{"type": "string", "pattern": "^(latest|0|[1-9]\\d*)$", "default": "0"}"#, example: "12"),
            .query(
                "wait", "Seconds to wait for a new event. A poll that is held counts as one of the caller's streams.",
                "integer 0...60 = 0", example: 25),
            .query(
                "limit",
                """
                The most events to return. A page also has at most 256 KiB of events, but always one event; `more` is true \
                if there are further ones.
                """, "integer 1...256 = 100", example: 50),
        ],
        responses: [
            .success(
                200,
                """
                The events after `after`, in order and without gaps, at once if there are any; otherwise held for up to \
                `wait` seconds and empty on time-out. `X-Request-Id` is absent from responses that were held.
                """,
                content: [
                    .init(
                        "application/json", "EventPage",
                        examples: [
                            .init(
                                "whole", "after=10&limit=4",
                                #"""
                                {
                                  "events": [
                                    {
                                      "seq": 11, "type": "state.changed", "at": "2026-11-21T08:56:46.559Z", "round": 1,
                                      "data": {
                                        "from": "listing", "to": "auctioning", "cause": "start",
                                        "by": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}
                                      }
                                    },
                                    {
                                      "seq": 12, "type": "message.system", "at": "2026-11-21T08:56:46.559Z", "round": 1,
                                      "data": {"key": "state.auctioning", "en": "Bidding is open.", "zh": "竞拍开始,请出价。"}
                                    },
                                    {
                                      "seq": 13, "type": "countdown.started", "at": "2026-11-21T08:56:46.559Z", "round": 1,
                                      "data": {"endsAt": "2026-11-21T08:57:01.559Z"}
                                    },
                                    {
                                      "seq": 14, "type": "bid.placed", "at": "2026-11-21T08:56:46.560Z", "round": 1,
                                      "data": {
                                        "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt", "amount": "120.00",
                                        "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "leading": true,
                                        "automatic": false, "nextMinimum": "130.00", "endsAt": "2026-11-21T08:57:01.560Z", "reserveMet": null
                                      }
                                    }
                                  ],
                                  "next": 14, "more": true, "serverTime": "2026-11-21T08:56:46.628Z", "presence": {"viewers": 0}
                                }
                                """#),
                            .init(
                                "timeOut", "nothing new",
                                #"""
                                {
                                  "events": [], "next": 32, "more": false, "serverTime": "2026-11-21T08:57:12.005Z",
                                  "presence": {"viewers": 3}
                                }
                                """#),
                        ]),
                    .init(
                        "text/event-stream", "text",
                        text: """
                            : auction-room
                            retry: 2000
                            id: 12

                            id: 13
                            event: bid.placed
                            data: {"seq":13,"type":"bid.placed",…}

                            event: notice
                            data: {"notice":"presence","viewers":3,"serverTime":"2026-11-21T08:57:12.005Z"}


                            """),
                ], without: ["X-Request-Id"]),
            .shared(429, "TooManyStreams"),
        ])

    /// `POST /v1/rooms/{id}/tickets`: get a ticket for one stream.
    package static let takeTicket = Operation(
        "takeTicket", .post, "/v1/rooms/{id}/tickets", .required, tag: "events", "Get a ticket for one stream",
        """
        For clients that cannot send a header, as a browser's EventSource and WebSocket: the ticket goes into the address, `?ticket=…`,
        of `GET /v1/rooms/{id}/events` and of `/socket`. It replaces the caller's token, in this room, once, and for 30 seconds; the
        stream it opens ends when that token expires. After a 401, or when a stream is lost, get a new one and resume with `after`.
        A caller with more unused tickets than allowed loses the oldest. Where several servers are one service, a ticket is
        valid at each of them, once in all; while the servers cannot reach what they share, tickets are neither issued nor accepted (503).
        Takes no body, or an empty object, and no Idempotency-Key.
        """,
        takesKey: false,
        responses: [
            .success(
                201, "The ticket. Do not log it.", "Ticket",
                #"{"ticket": "0f5e2b7c91d84a36b2c07f1e6d93a854", "expiresAt": "2026-11-21T08:57:16.559Z"}"#)
        ])
}
