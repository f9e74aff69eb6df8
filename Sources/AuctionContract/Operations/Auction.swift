extension Operation {
    /// Transitions between states.
    static let auction: [Operation] = [startAuction, endAuction, pause, resume, cancel]

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
                          "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                          "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                          "visibility": "public", "round": 1, "seq": 10,
                          "item": {
                            "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                            "media": ["https://example.org/teapot.jpg"],
                            "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                          },
                          "rules": {
                            "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                            "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                            "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                            "tie": "earliest"
                          },
                          "currentPrice": null, "currentBid": null, "nextMinimum": "120.00", "reserveMet": null,
                          "endsAt": "2026-11-21T08:56:49.556Z", "nextDropAt": null,
                          "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "listing",
                          "stateDescription": "Listing: the item is being shown; bidding opens when the countdown ends.",
                          "remainingMs": 3000, "viewers": 0, "allowedActions": ["startAuction", "setRole"],
                          "me": {
                            "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                            "muted": false, "banned": false
                          },
                          "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.556Z"
                        }
                        """#),
                    .init(
                        "opened", "from listing",
                        #"""
                        {
                          "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                          "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                          "visibility": "public", "round": 1, "seq": 13,
                          "item": {
                            "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                            "media": ["https://example.org/teapot.jpg"],
                            "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                          },
                          "rules": {
                            "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                            "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                            "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                            "tie": "earliest"
                          },
                          "currentPrice": null, "currentBid": null, "nextMinimum": "120.00", "reserveMet": null,
                          "endsAt": "2026-11-21T08:57:01.559Z", "nextDropAt": null,
                          "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "auctioning",
                          "stateDescription": "Auction running: bids are taken until the countdown ends.", "remainingMs": 15000,
                          "viewers": 0, "allowedActions": ["endAuction", "setRole"],
                          "me": {
                            "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                            "muted": false, "banned": false
                          },
                          "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.559Z"
                        }
                        """#),
                    .init(
                        "next", "from closed",
                        #"""
                        {
                          "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                          "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                          "visibility": "public", "round": 2, "seq": 21, "item": null, "rules": null, "currentPrice": null,
                          "currentBid": null, "nextMinimum": null, "reserveMet": null, "endsAt": null, "nextDropAt": null,
                          "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "preparing",
                          "stateDescription": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                          "remainingMs": null, "viewers": 0, "allowedActions": ["setRole", "archiveRoom"],
                          "me": {
                            "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                            "muted": false, "banned": false
                          },
                          "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.574Z"
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
                  "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                  "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                  "visibility": "public", "round": 1, "seq": 19,
                  "item": {
                    "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                    "media": ["https://example.org/teapot.jpg"],
                    "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                  },
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  },
                  "currentPrice": "130.00",
                  "currentBid": {
                    "id": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
                    "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "at": "2026-11-21T08:56:46.564Z"
                  },
                  "nextMinimum": "140.00", "reserveMet": null, "endsAt": null, "nextDropAt": null,
                  "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "closed",
                  "stateDescription": "Closed: the round is over; the host may begin the next one.", "remainingMs": null,
                  "viewers": 0, "allowedActions": ["startAuction", "setRole", "archiveRoom"],
                  "me": {
                    "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                    "muted": false, "banned": false
                  },
                  "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.572Z"
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
                  "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                  "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                  "visibility": "public", "round": 1, "seq": 19,
                  "item": {
                    "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                    "media": ["https://example.org/teapot.jpg"],
                    "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                  },
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  },
                  "currentPrice": "130.00",
                  "currentBid": {
                    "id": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
                    "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "at": "2026-11-21T08:56:46.564Z"
                  },
                  "nextMinimum": "140.00", "reserveMet": null, "endsAt": null, "nextDropAt": null,
                  "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "paused",
                  "stateDescription": "Paused: nothing runs; the host may resume, and the remaining time runs on.",
                  "remainingMs": 14992, "viewers": 0, "allowedActions": ["resume", "retractBid", "setRole"],
                  "me": {
                    "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                    "muted": false, "banned": false
                  },
                  "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.572Z"
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
                #"""
                {
                  "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                  "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                  "visibility": "public", "round": 1, "seq": 19,
                  "item": {
                    "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                    "media": ["https://example.org/teapot.jpg"],
                    "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                  },
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  },
                  "currentPrice": "130.00",
                  "currentBid": {
                    "id": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
                    "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "at": "2026-11-21T08:56:46.564Z"
                  },
                  "nextMinimum": "140.00", "reserveMet": null, "endsAt": "2026-11-21T08:57:01.572Z", "nextDropAt": null,
                  "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "auctioning",
                  "stateDescription": "Auction running: bids are taken until the countdown ends.", "remainingMs": 15000,
                  "viewers": 0, "allowedActions": ["retractBid", "endAuction", "pause", "setRole"],
                  "me": {
                    "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                    "muted": false, "banned": false
                  },
                  "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.572Z"
                }
                """#),
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
                  "id": "room_3pype17b8wec585enw02ex8qa0", "name": "Night market",
                  "host": {"id": "user_01m7yn50kede3n4atvf2gzfe2s", "nickname": "Ann"}, "currency": "CNY",
                  "visibility": "public", "round": 1, "seq": 19,
                  "item": {
                    "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "description": "Yixing clay, 1980s.",
                    "media": ["https://example.org/teapot.jpg"],
                    "owner": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"}
                  },
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  },
                  "currentPrice": null, "currentBid": null, "nextMinimum": "120.00", "reserveMet": null, "endsAt": null,
                  "nextDropAt": null, "members": {"host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1}, "state": "preparing",
                  "stateDescription": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                  "remainingMs": null, "viewers": 0,
                  "allowedActions": ["adjustRules", "startAuction", "setRole", "configurePermissions", "archiveRoom"],
                  "me": {
                    "role": "host", "leading": false, "maximum": null, "sealedAmount": null, "creditLimit": null,
                    "muted": false, "banned": false
                  },
                  "inviteCode": "cwjcncaqzx54", "serverTime": "2026-11-21T08:56:46.572Z"
                }
                """#),
            .refusal(403, "The caller is not allowed to.", ["cancel.not_host"]),
            .refusal(
                409, "The state of the room does not allow it, or state or round are not as expected.",
                ["cancel.not_running", "cancel.has_bids", "auction.state_changed", "auction.unavailable"]),
        ])
}
