extension Operation {
    /// Transitions between states.
    static let auction: [Operation] = [startAuction, endAuction, pause, resume, cancel, extend, warn, changeAsk]

    /// `POST /v1/rooms/{id}/auction/start`: start: list the item, open the bidding early, or begin the next round.
    package static let startAuction = Operation(
        "startAuction", .post, "/v1/rooms/{id}/auction/start", .required, tag: "auction",
        "Start: list the item, open the bidding early, or begin the next round",
        "By the host. preparing → listing (needs an item), listing → auctioning, closed → preparing (the next round).",
        body: .init("Expectation", #"{"expectedState": "preparing", "expectedRound": 1}"#, isRequired: false),
        responses: [
            .success(
                200, "The room as it is now.", "Room",
                examples: [
                    .init(
                        "listed", "from preparing",
                        #"""
                        {
                          "like": "room", "seq": 10, "currentPrice": null, "currentBid": null, "nextMinimum": "120.00",
                          "endsAt": "2026-11-21T08:56:49.556Z", "state": "listing",
                          "stateDescription": "Listing: the item is being shown; bidding opens when the countdown ends.",
                          "remainingMs": 3000, "allowedActions": ["startAuction", "setRole"],
                          "serverTime": "2026-11-21T08:56:46.556Z"
                        }
                        """#),
                    .init(
                        "opened", "from listing",
                        #"""
                        {
                          "like": "room", "seq": 13, "currentPrice": null, "currentBid": null, "nextMinimum": "120.00",
                          "endsAt": "2026-11-21T08:57:01.559Z", "allowedActions": ["endAuction", "setRole"],
                          "serverTime": "2026-11-21T08:56:46.559Z"
                        }
                        """#),
                    .init(
                        "next", "from closed",
                        #"""
                        {
                          "like": "room", "round": 2, "seq": 21, "item": null, "rules": null, "currentPrice": null,
                          "currentBid": null, "nextMinimum": null, "endsAt": null, "state": "preparing",
                          "stateDescription": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                          "remainingMs": null, "allowedActions": ["setRole", "archiveRoom"],
                          "serverTime": "2026-11-21T08:56:46.574Z"
                        }
                        """#),
                ]),
            .refusal(403, "The caller is not the host.", ["start.not_host"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["start.wrong_state", "start.no_item", "auction.state_changed"],
                examples: [
                    .init("state", "refused by the permission centre", "start.no_item"),
                    .init("expected", "not as expected", "auction.state_changed"),
                ]),
        ])

    /// `POST /v1/rooms/{id}/auction/end`: end the auction.
    package static let endAuction = Operation(
        "endAuction", .post, "/v1/rooms/{id}/auction/end", .required, tag: "auction", "End the auction",
        "By the host, while auctioning.",
        body: .init("Expectation", #"{"reason": "All bids are in.", "expectedState": "auctioning"}"#, isRequired: false),
        responses: [
            .success(
                200, "The room, closed.", "Room",
                #"""
                {
                  "like": "room", "endsAt": null, "state": "closed",
                  "stateDescription": "Closed: the round is over; the host may begin the next one.", "remainingMs": null,
                  "allowedActions": ["startAuction", "setRole", "archiveRoom"]
                }
                """#),
            .refusal(403, "The caller is not the host, or has bid in this round.", ["end.not_host", "end.has_bid"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["end.not_auctioning", "auction.state_changed"],
                examples: [
                    .init("state", "refused by the permission centre", "end.not_auctioning"),
                    .init(
                        "expected", "not as expected", "auction.state_changed",
                        with: #"""
                            {
                              "detail": "The room has moved on: it is closed, round 1, not auctioning, round 1.",
                              "required": "auctioning, round 1", "actual": "closed, round 1"
                            }
                            """#),
                ]),
        ])

    /// `POST /v1/rooms/{id}/auction/pause`: pause the round.
    package static let pause = Operation(
        "pause", .post, "/v1/rooms/{id}/auction/pause", .required, tag: "auction", "Pause the round",
        """
        By the host, while listing or auctioning. The remaining time is kept; `endsAt` is null until the round is \
        resumed.
        """,
        body: .init("Expectation", #"{"reason": "A short break.", "expectedState": "auctioning"}"#, isRequired: false),
        responses: [
            .success(
                200, "The room, paused.", "Room",
                #"""
                {
                  "like": "room", "endsAt": null, "state": "paused",
                  "stateDescription": "Paused: nothing runs; the host may resume, and the remaining time runs on.",
                  "remainingMs": 14992, "allowedActions": ["resume", "retractBid", "setRole"]
                }
                """#),
            .refusal(403, "The caller is not allowed to.", ["pause.not_host", "pause.has_bid"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["pause.not_running", "auction.state_changed", "auction.unavailable"]),
        ])

    /// `POST /v1/rooms/{id}/auction/resume`: resume the round.
    package static let resume = Operation(
        "resume", .post, "/v1/rooms/{id}/auction/resume", .required, tag: "auction", "Resume the round",
        """
        By the host, while paused. The round returns to the state it was paused in, with the time it had left, but \
        at least 5 s or `biddingSeconds` if less.
        """,
        body: .init("Expectation", #"{"expectedState": "paused"}"#, isRequired: false),
        responses: [
            .success(
                200, "The room, listing or auctioning again.", "Room",
                #"{"like": "room"}"#),
            .refusal(403, "The caller is not allowed to.", ["resume.not_host"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["resume.not_paused", "auction.state_changed", "auction.unavailable"]),
        ])

    /// `POST /v1/rooms/{id}/auction/cancel`: cancel the round.
    package static let cancel = Operation(
        "cancel", .post, "/v1/rooms/{id}/auction/cancel", .required, tag: "auction", "Cancel the round",
        "By the host, with a reason, while there is no bid: the room is preparing again, and the item is kept.",
        body: .init("Cancellation", #"{"reason": "The wrong item is up."}"#),
        responses: [
            .success(
                200, "The room, preparing.", "Room",
                #"""
                {
                  "like": "room", "currentPrice": null, "currentBid": null, "nextMinimum": "120.00", "endsAt": null,
                  "state": "preparing",
                  "stateDescription": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                  "remainingMs": null,
                  "allowedActions": ["adjustRules", "startAuction", "setRole", "configurePermissions", "archiveRoom"]
                }
                """#),
            .refusal(403, "The caller is not allowed to.", ["cancel.not_host"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["cancel.not_running", "cancel.has_bids", "auction.state_changed", "auction.unavailable"],
                example: "cancel.has_bids"),
        ])

    /// `POST /v1/rooms/{id}/auction/extend`: give the round more time.
    package static let extend = Operation(
        "extend", .post, "/v1/rooms/{id}/auction/extend", .required, tag: "auction", "Give the round more time",
        """
        By the host, while auctioning. The seconds are added to `endsAt`, whatever bids do to the countdown, but not beyond \
        `maxDurationSeconds`. A Dutch auction has no countdown to extend.
        """,
        givesReceipt: true,
        body: .init("Extension", #"{"seconds": 30, "expectedState": "auctioning"}"#),
        responses: [
            .success(200, "The room, with a later `endsAt`.", "Room", #"{"like": "room", "receipt": \#(Operation.receipt)}"#),
            .refusal(403, "The caller is not allowed to.", ["extend.not_host"]),
            .refusal(
                409, "State, format or rules of the round do not allow it, or state or round are not as expected.",
                [
                    "extend.not_auctioning", "extend.no_countdown", "extend.too_long", "auction.state_changed",
                    "auction.unavailable",
                ]),
        ])

    /// `POST /v1/rooms/{id}/auction/warn`: say "going once" or "going twice".
    package static let warn = Operation(
        "warn", .post, "/v1/rooms/{id}/auction/warn", .required, tag: "auction", #"Say "going once" or "going twice""#,
        """
        By the host, while auctioning. The room's `warning` is the level until the next bid, retraction or transition. It does \
        not move the countdown; the level that stands already changes nothing.
        """,
        givesReceipt: true,
        body: .init("Warning", #"{"level": 1, "expectedState": "auctioning", "expectedRound": 1}"#),
        responses: [
            .success(
                200, "The room, with the warning.", "Room", #"{"like": "room", "warning": 1, "receipt": \#(Operation.receipt)}"#
            ),
            .refusal(403, "The caller is not allowed to.", ["warn.not_host"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["warn.not_auctioning", "auction.state_changed"]),
        ])

    /// `PATCH /v1/rooms/{id}/auction`: change the increment, or ask for another next minimum.
    package static let changeAsk = Operation(
        "changeAsk", .patch, "/v1/rooms/{id}/auction", .required, tag: "auction",
        "Change the increment, or ask for another next minimum",
        """
        By the host, while an English auction runs or is paused. `increment` counts for the rest of the round. `nextMinimum` ("I'll \
        take 130") is about the next bid at the present price; at any other price the increment counts. Before the first bid it is \
        what that must be, from the starting price up. Above the buy-now price it is that price. A bid that was judged before stands; what would change nothing causes no event.
        """,
        givesReceipt: true,
        body: .init(
            "AskChange",
            examples: [
                .init("increment", "for the rest of the round", #"{"increment": {"fixed": "5.00"}, "expectedRound": 1}"#),
                .init("ask", "for the next bid", #"{"nextMinimum": "145.00", "expectedRound": 1}"#),
            ]),
        responses: [
            .success(
                200, "The room, with the next minimum of now.", "Room",
                #"""
                {
                  "like": "room", "nextMinimum": "135.00", "rules": {"like": "rules", "increment": {"fixed": "5.00"}},
                  "receipt": \#(Operation.receipt)
                }
                """#),
            .refusal(403, "The caller is not the host, or has bid in this round.", ["ask.not_host", "ask.has_bid"]),
            .refusal(
                409, "State or format of the round do not allow it, or state or round are not as expected.",
                ["ask.wrong_state", "ask.not_english", "auction.state_changed"]),
            .refusal(
                422,
                """
                Not above the current price, or before the first bid below the starting price (`required` is the least amount), or the \
                key was used before with another body.
                """,
                ["ask.below_price", "idempotency.key_reused"]),
        ])
}

extension Schema {
    /// What the caller saw of the room.
    private static let expectedMembers = #"""
        "expectedState?": "StateName: Refused (409) if the room is in another state.",
        "expectedRound?": "integer 1...2147483647: Refused (409) if the room is in another round.",
        "expectedItem?": "ItemId: The item that the caller saw. Refused (409) if the room has another one, or none."
        """#

    /// Bodies of transitions.
    static let auction: [Schema] = [
        .request(
            "Expectation",
            #"""
            {
              "reason?": "prose ...500", \#(expectedMembers)
            }
            """#),
        .request(
            "Cancellation",
            #"""
            {
              "reason": "worded 1...500: Visible to everyone in the room.",
              \#(expectedMembers)
            }
            """#),
        .request(
            "Extension",
            #"""
            {
              "seconds": "integer 1...3600", \#(expectedMembers)
            }
            """#),
        .request(
            "Warning",
            #"""
            {
              "level": "integer 1...2: 1: going once; 2: going twice.", \#(expectedMembers)
            }
            """#),
        .request(
            "AskChange",
            #"""
            {
              "increment?": "NewIncrement", "nextMinimum?": "AmountInput: At least one minor unit above the current price.",
              \#(expectedMembers)
            }
            """#, "Exactly one of `increment` and `nextMinimum`.", isEmptyAllowed: false),
    ]
}

extension ProblemCode {
    /// Refusals of transitions that are no permission rule's.
    static let auction: [ProblemCode] = [
        .init(
            "extend.too_long", 409,
            "The round would last longer than `maxDurationSeconds`; `required` is the most that is left.",
            "The round lasts at most 600 seconds; only 20 seconds are left to add.", required: "20", actual: "30"),
        .init(
            "auction.state_changed", 409,
            "The room is not in the state or the round that the request expects, or has another item.",
            "The room has moved on: it is preparing, round 1, not closed, round 1.", required: "closed, round 1",
            actual: "preparing, round 1"),
        .init("auction.unavailable", 409, "The state of the room has no such step."),
    ]
}
