extension Operation {
    /// Bids that are left on lots before their turn.
    static let absenteeBids: [Operation] = [placeAbsenteeBid, readAbsenteeBid, withdrawAbsenteeBid]

    private static let example = #"""
        {
          "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p", "bidId": "bid_01m7yn51q0zthtweg1a3x7wgpt", "maximum": "300.00",
          "placedAt": "2026-11-21T08:56:46.560Z", "state": "standing", "cause": null, "problem": null
        }
        """#

    /// `PUT /v1/rooms/{id}/lots/{lotId}/bid`: leave a bid on a lot.
    package static let placeAbsenteeBid = Operation(
        "placeAbsenteeBid", .put, "/v1/rooms/{id}/lots/{lotId}/bid", .required, tag: "bids", "Leave a bid on a lot",
        """
        By a user who may bid in the room and does not own the lot, while it is queued: also of a round that is being \
        prepared. When its bidding opens, the bids that were left act at once, in the order in which they were given, \
        with the result of placing them one after the other; with a sealed format this is the sealed bid, which stands like one \
        that was placed. Another maximum takes a new place in that \
        order, the same keeps it. Only the caller sees `maximum`; the lot shows how many bids were left, \
        `absenteeBids`. Every opening uses them up, also one after which the round is cancelled.

        A bid is void once its bidder leaves or is removed before the opening, and once its lot is withdrawn or gets another \
        format. Until it acts it counts against the caller's credit limit of the room.
        """,
        givesReceipt: true,
        body: .init("NewAbsenteeBid", #"{"maximum": "300.00"}"#),
        responses: [
            .success(200, "The bid, which the caller had left before.", "AbsenteeBidAnswer", answer),
            .success(201, "The bid is durable.", "AbsenteeBidAnswer", answer),
            .refusal(
                403, "The caller may not bid here, or not on this lot.",
                ["absentee.not_member", "absentee.banned", "absentee.not_bidder", "absentee.own_lot"]),
            .refusal(
                404, "There is no such room, or the room has no such lot.", ["room.not_found", "lot.not_found"],
                example: "lot.not_found"),
            .refusal(
                409, "The lot does not wait for its turn, or its format takes no such bid.",
                ["absentee.not_queued", "absentee.dutch"]),
            .refusal(
                422,
                """
                The maximum is too low, or alone where the lot sells at one price, or above what the caller may owe, or the \
                Idempotency-Key was used with another body.
                """,
                ["absentee.below_start", "absentee.names_no_price", "absentee.over_credit", "idempotency.key_reused"]),
            .refusal(
                429,
                "The caller's bids wait on as many lots of the room as they may, or a limit of commands or of stored bytes is reached.",
                ["absentee.too_many", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"]),
        ])

    private static let answer = String(example.dropLast(2)) + ", \"receipt\": \(receipt)\n}"

    /// An example of a receipt.
    static let receipt = #"""
        {
          "receivedAt": "2026-11-21T08:56:46.560Z", "serverTime": "2026-11-21T08:56:46.560Z", "endsAt": null, "seq": 14
        }
        """#

    /// `GET /v1/rooms/{id}/lots/{lotId}/bid`: read the bid that the caller has left on a lot.
    package static let readAbsenteeBid = Operation(
        "readAbsenteeBid", .get, "/v1/rooms/{id}/lots/{lotId}/bid", .required, tag: "bids",
        "Read the bid that the caller has left on a lot", "Also what has become of it. `listLots` with `bids=mine` has all.",
        responses: [
            .success(200, "The bid.", "AbsenteeBid", example),
            .refusal(
                404, "There is no such room, or no such lot, or the caller has left no bid on it.",
                ["room.not_found", "lot.not_found", "absentee.not_found"], example: "absentee.not_found"),
        ])

    /// `DELETE /v1/rooms/{id}/lots/{lotId}/bid`: take back the bid that was left on a lot.
    package static let withdrawAbsenteeBid = Operation(
        "withdrawAbsenteeBid", .delete, "/v1/rooms/{id}/lots/{lotId}/bid", .required, tag: "bids",
        "Take back the bid that was left on a lot", "By its bidder, until the bidding on the lot opens.",
        responses: [
            .success(204, "It is taken back."),
            .refusal(
                404, "There is no such room, or no such lot, or the caller has left no bid on it.",
                ["room.not_found", "lot.not_found", "absentee.not_found"], example: "absentee.not_found"),
            .refusal(409, "The bid waits no more: its lot was opened, or is over.", ["absentee.used"]),
        ])
}
