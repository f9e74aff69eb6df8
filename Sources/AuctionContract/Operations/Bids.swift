internal import AuctionDomain

extension Operation {
    /// Bids of a round.
    static let bids: [Operation] = [placeBid, listBids, retractBid]

    /// `POST /v1/rooms/{id}/bids`: place a bid.
    package static let placeBid = Operation(
        "placeBid", .post, "/v1/rooms/{id}/bids", .required, tag: "bids", "Place a bid",
        """
        By a bidder who does not own the item and is not leading, or raises their own maximum. The bid counts if it \
        reaches the head of the room's queue before `endsAt`. A bid that a proxy bid beats at once is accepted, with \
        `leading` false.

        With `floor` the host or an auctioneer who does not own the item enters a bid of a person in the hall or at the telephone, \
        where the host has switched `bid.floor_off` off. Its bidder is `user_floor`, with the nickname "Floor".
        """,
        needs: [.placeBid, .placeFloorBid], givesReceipt: true, saysWhatIsLeft: true,
        body: .init(
            "PlaceBid",
            examples: [
                .init("amount", "whichever round runs", #"{"amount": "120.00"}"#),
                .init("round", "this round only", #"{"amount": "120", "round": 1}"#),
                .init("proxy", "the server bids on up to 300", #"{"amount": "120.00", "maximum": "300.00"}"#),
                .init("maximum", "open at the next minimum, or raise the own maximum", #"{"maximum": "300.00"}"#),
                .init("floor", "a bid from the hall", #"{"amount": "120.00", "floor": {"paddle": "217"}}"#),
            ]),
        responses: [
            .success(
                201, "The bid is durable. For a raised maximum `bid` is the leading one.", "BidAnswer",
                #"""
                {
                  "bid": {
                    "id": "bid_01m7yn51q0zthtweg1a3x7wgpt", "amount": "120.00",
                    "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "leading": true,
                    "automatic": false, "at": "2026-11-21T08:56:46.560Z", "seq": 14
                  },
                  "room": {
                    "id": "room_3pype17b8wec585enw02ex8qa0", "state": "auctioning", "round": 1, "seq": 14,
                    "currentPrice": "120.00",
                    "currentBid": {
                      "id": "bid_01m7yn51q0zthtweg1a3x7wgpt", "amount": "120.00",
                      "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "at": "2026-11-21T08:56:46.560Z"
                    },
                    "nextMinimum": "130.00", "reserveMet": null, "endsAt": "2026-11-21T08:57:01.560Z", "nextDropAt": null
                  },
                  "receipt": {
                    "receivedAt": "2026-11-21T08:56:46.560Z", "serverTime": "2026-11-21T08:56:46.560Z",
                    "endsAt": "2026-11-21T08:57:01.560Z", "seq": 14
                  }
                }
                """#),
            .refusal(
                400, "The request cannot be understood.", ["request.malformed", "request.unknown_field", "money.malformed"],
                example: "money.malformed", headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(
                401, "There is no token, or it is not valid.",
                ["token.missing", "token.invalid", "token.expired", "token.revoked"], with: #"{"endsAt": null, "seq": null}"#),
            .refusal(
                403, "The caller is not allowed to bid.",
                [
                    "bid.not_member", "bid.banned", "bid.viewer", "bid.host", "bid.own_item", "bid.already_leading",
                    "bid.invited_only", "bid.new_member", "bid.not_approved", "floor.not_auctioneer", "floor.banned",
                    "bid.floor_off", "floor.own_item",
                ], headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(
                404, "There is no such room, or the caller may not see it.", ["room.not_found"],
                with: #"{"endsAt": null, "seq": null}"#, headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(
                406, "The path has none of the media types that `Accept` allows.", ["request.not_acceptable"],
                with: #"{"endsAt": null, "seq": null}"#),
            .refusal(
                409, "Bids are not accepted now, or not in this round, or not for this item.",
                [
                    "bid.not_auctioning", "bid.wrong_round", "bid.wrong_item", "floor.not_auctioning", "floor.wrong_round",
                    "floor.wrong_item", "floor.sealed",
                ],
                examples: [
                    .init("state", "not during the auction", "bid.not_auctioning", with: #"{"endsAt": null, "seq": 7}"#),
                    .init("item", "another item is up", "bid.wrong_item"),
                ], headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(415, "The body is not `application/json`.", ["request.unsupported_media_type"]),
            .refusal(
                422,
                """
                The amount is too low, missing where the next bid buys, or above what the caller may owe, or the \
                Idempotency-Key was used with another body.
                """,
                [
                    "bid.below_minimum", "bid.names_no_price", "bid.over_credit", "floor.below_minimum",
                    "idempotency.key_reused",
                ],
                examples: [
                    .init("low", "below the next minimum", "bid.below_minimum"),
                    .init("noPrice", "a maximum alone where the next bid buys", "bid.names_no_price"),
                    .init(
                        "key", "the key was used with another body", "idempotency.key_reused",
                        with: #"{"endsAt": null, "seq": null}"#),
                ], headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(
                429, "Too many bids, or the storage limit is reached.",
                ["bid.rate", "command.rate", "room.storage_full", "member.storage_full"]),
            .refusal(
                500, "The server failed; nothing was changed.", ["service.internal_error"],
                with: #"{"endsAt": null, "seq": null}"#, headers: ["RateLimit", "RateLimit-Policy"]),
            .refusal(
                503, "The server cannot accept this now. A bid with an Idempotency-Key can be repeated safely.",
                [
                    "service.unavailable", "service.overloaded", "service.too_many_reads", "service.outcome_unknown",
                    "service.stopping", "log.full", "idempotency.too_many_keys", "server.busy", "connection.too_many",
                    "server.stopping",
                ], example: "service.outcome_unknown", with: #"{"endsAt": null, "seq": null}"#,
                headers: ["RateLimit", "RateLimit-Policy"]),
        ])

    /// `GET /v1/rooms/{id}/bids`: list the bids of a round, newest first.
    package static let listBids = Operation(
        "listBids", .get, "/v1/rooms/{id}/bids", .optional, tag: "bids", "List the bids of a round, newest first",
        "Retracted bids are left out. Sealed amounts are null, see above.",
        parameters: [
            .query(
                "round",
                """
                The current round if left out. The bids of a finished one are listed as they were at its end, without \
                retracted ones.
                """, "integer 1...2147483647",
                example: 1),
            .query(
                "limit",
                """
                The most rows to return. A page of a finished round may have fewer, or none, although there is a \
                `nextCursor`.
                """, "integer 1...100 = 20", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "15"),
        ],
        responses: [
            .success(
                200, "A page of bids.", "BidList",
                #"""
                {
                  "bids": [
                    {
                      "id": "bid_01m7yn51q4q1z490kmeybkexbs", "amount": "130.00",
                      "bidder": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "leading": true,
                      "automatic": false, "at": "2026-11-21T08:56:46.564Z", "seq": 15
                    },
                    {
                      "id": "bid_01m7yn51q0zthtweg1a3x7wgpt", "amount": "120.00",
                      "bidder": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "leading": true,
                      "automatic": false, "at": "2026-11-21T08:56:46.560Z", "seq": 14
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `DELETE /v1/rooms/{id}/bids/{bidId}`: retract a bid.
    package static let retractBid = Operation(
        "retractBid", .delete, "/v1/rooms/{id}/bids/{bidId}", .required, tag: "bids", "Retract a bid",
        """
        By the host, while auctioning or paused: removes the latest bid that was not automatic, or any such bid of a \
        banned bidder, also one left before the opening that an event has shown, with its maximum and the automatic bids it caused; price and leader are computed from the \
        remaining bids: those that competed with an earlier one count with the amounts that their bidders named, or from the \
        starting price if they were left, in `listBids` too, until the round is over. The maximum of the bidder who leads then is not restored if the \
        stream has shown it, because the retracted bid beat it or the price had reached it: the bidder keeps the \
        lead at that price, `me.maximum` is that price, and `bid.maximumVoided` follows. A maximum that stayed above \
        the price stays in force.
        """,
        parameters: [
            .query(
                "reason", "Visible to everyone in the room; 1 to 500 characters.", "worded 1...500",
                example: "a slip of the finger", isRequired: true)
        ],
        responses: [
            .success(
                200, "The room without the bid.", "Room",
                #"""
                {
                  "like": "room", "currentPrice": "120.00", "nextMinimum": "130.00",
                  "allowedActions": ["startAuction", "setRole", "archiveRoom"]
                }
                """#),
            .refusal(403, "The caller is not the host, or has bid in this round.", ["retract.not_host", "retract.has_bid"]),
            .refusal(
                404, "There is no such room, or no such bid.", ["room.not_found", "bid.not_found"], example: "bid.not_found"),
            .refusal(
                409, "The state of the room does not allow it, or there is a later bid.",
                ["retract.wrong_state", "retract.not_latest", "auction.unavailable"], example: "retract.not_latest"),
        ])
}
