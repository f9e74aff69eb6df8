internal import AuctionDomain

extension Operation {
    /// Results of rounds.
    static let results: [Operation] = [
        listResults, exportResults, exportResultLines, exportResultDocument, voidResult, acceptOffer, declineOffer,
    ]

    /// `GET /v1/rooms/{id}/results`: list the finished rounds, newest first.
    package static let listResults = Operation(
        "listResults", .get, "/v1/rooms/{id}/results", .optional, tag: "rooms", "List the finished rounds, newest first",
        parameters: [
            .query(
                "limit", "The most rows to return; a page also ends with the row that reaches 256 KiB.",
                "integer 1...1000 = 100", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,8}$"}"#,
                example: "3"),
        ],
        responses: [
            .success(
                200, "A row per finished round.", "ResultList",
                #"""
                {
                  "results": [
                    {
                      "round": 1, "item": {
                        "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot", "estimate": {"low": "150.00", "high": "250.00"},
                        "condition": "One chip at the rim."
                      }, "result": "sold",
                      "winner": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "price": "130.00",
                      "reason": null, "premium": "16.25", "total": "146.25", "voided": null, "bids": 2,
                      "openedAt": "2026-11-21T08:56:31.562Z", "closedAt": "2026-11-21T08:56:46.572Z",
                      "seller": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                      "lotId": "lot_01m7yn51psh16pxpxz9yp3xz7p", "reference": "A-12", "number": 1, "currency": "CNY",
                      "room": "room_3pype17b8wec585enw02ex8qa0", "offer": null
                    }
                  ],
                  "nextCursor": null
                }
                """#)
        ])

    /// `GET /v1/rooms/{id}/results.csv`: the finished rounds as a table, oldest first.
    package static let exportResults = Operation(
        "exportResults", .get, "/v1/rooms/{id}/results.csv", .optional, tag: "rooms",
        "The finished rounds as a table, oldest first",
        """
        RFC 4180 with a header row, whose columns the example names; later versions add columns at the end only. \
        `price` is the hammer price, `winner` the buyer. A sale that was voided has them too, but neither `premium` \
        nor `total`. The host alone gets a last column `paddle`, once a paddle was noted for a floor bid that won. Amounts are decimal strings. An apostrophe precedes what a \
        spreadsheet would read as a formula, at the beginning of a cell and after a comma, semicolon, tab, bar or \
        line break in it. A byte-order mark precedes each part. A table ends with the row that reaches 256 KiB; if \
        there are more rows, `Link` has the address of the next part.
        """,
        parameters: [
            .query(
                "cursor", "Only rounds after this one; from `Link` of the previous part.",
                #"{"type": "string", "pattern": "^[1-9][0-9]{0,8}$"}"#, example: "1700"),
            .query(
                "bom", "Whether a byte-order mark precedes the part, as some spreadsheets need it.",
                "boolean = true", example: false),
        ],
        responses: [
            .success(
                200, "The table.",
                content: [
                    .init(
                        "text/csv; charset=utf-8", "text",
                        text:
                            "round,item,result,winner,winnerId,price,currency,reason,bids,closedAt,room,lot,reference,seller,sellerId,premium,total,openedAt,itemId,number,estimateLow,estimateHigh,condition,voidedAt,voidReason\r\n1,Teapot,sold,Ed,user_01m7yn50kms8ch1s9abvdq8hf6,130.00,CNY,,2,2026-11-21T08:56:46.572Z,room_3pype17b8wec585enw02ex8qa0,lot_01m7yn51psh16pxpxz9yp3xz7p,A-12,Bo,user_01m7yn50kfqwxpgsbrbcag1j3a,,130.00,2026-11-21T08:56:31.562Z,item_01m7yn51psh16pxpxz9yp3xz7q,1,150.00,250.00,One chip at the rim.,,\r\n"
                    )
                ], headers: ["Content-Disposition", "Link"])
        ])

    /// `GET /v1/rooms/{id}/results.ndjson`: the finished rounds as lines of JSON, oldest first.
    package static let exportResultLines = Operation(
        "exportResultLines", .get, "/v1/rooms/{id}/results.ndjson", .optional, tag: "rooms",
        "The finished rounds as lines of JSON, oldest first",
        """
        Each line is a row of `listResults`. A file ends with the row that reaches 256 KiB; if there are more rows, \
        `Link` has the address of the next part.
        """,
        parameters: [
            .query(
                "cursor", "Only rounds after this one; from `Link` of the previous part.",
                #"{"type": "string", "pattern": "^[1-9][0-9]{0,8}$"}"#, example: "1700")
        ],
        responses: [
            .success(
                200, "The rows.",
                content: [
                    .init(
                        "application/x-ndjson", "text",
                        text: """
                            {"round":1,"item":{"id":"item_01m7yn51psh16pxpxz9yp3xz7q","name":"Teapot","estimate":{"low":"150.00","high":"250.00"},"condition":"One chip at the rim."},"result":"sold","winner":{"id":"user_01m7yn50kms8ch1s9abvdq8hf6","nickname":"Ed"},"price":"130.00","reason":null,"premium":null,"total":"130.00","voided":null,"bids":2,"openedAt":"2026-11-21T08:56:31.562Z","closedAt":"2026-11-21T08:56:46.572Z","seller":{"id":"user_01m7yn50kfqwxpgsbrbcag1j3a","nickname":"Bo"},"lotId":"lot_01m7yn51psh16pxpxz9yp3xz7p","reference":"A-12","number":1,"currency":"CNY","room":"room_3pype17b8wec585enw02ex8qa0","offer":null}

                            """)
                ], headers: ["Content-Disposition", "Link"])
        ])

    /// `GET /v1/rooms/{id}/results.html`: the finished rounds as a page to be printed.
    package static let exportResultDocument = Operation(
        "exportResultDocument", .get, "/v1/rooms/{id}/results.html", .optional, tag: "rooms",
        "The finished rounds as a page to be printed",
        """
        HTML in the language of the request; a row per finished round, then the totals by buyer and by seller, of \
        all rounds of the room, each amount with its currency. It is complete without its script, which writes times \
        in the reader's time zone, prints, and changes the language. A caller has one made at a time (503 \
        `service.too_many_reads`). For a browser, which cannot send a token with an address that it opens, a ticket \
        does; the script then makes the address that of the room, as a ticket opens the page once.
        """,
        takesTicket: true,
        responses: [
            .success(
                200, "The page.",
                content: [
                    .init(
                        "text/html; charset=utf-8", "text",
                        text: """
                            <!doctype html><html lang="en"><head><title>Evening sale</title></head><body><h1>Evening \
                            sale</h1></body></html>
                            """)
                ])
        ])

    /// `POST /v1/rooms/{id}/results/{round}/void`: void a sale.
    package static let voidResult = Operation(
        "voidResult", .post, "/v1/rooms/{id}/results/{round}/void", .required, tag: "auction", "Void a sale",
        """
        By the host, until the room is archived. The result stays, marked as `voided`; the sale is in no total and no list of wins any more, \
        and the buyer owes nothing for it. The lot may be offered again. A sale that was voided before stays as it is.

        With `offerTo` the item is offered to the bidder who would have won without the buyer, at their highest amount that the room saw, for ten \
        minutes: their `me.offers` has it, and they accept or decline. That happens once for a sale; also for one that was voided before. If there is \
        no bidder to offer it to (a member who is not banned, and neither host nor seller), or 100 offers of the room stand, nothing is voided.
        """,
        givesReceipt: true,
        body: .init("VoidedResult", #"{"reason": "The buyer does not pay.", "offerTo": "next"}"#),
        responses: [
            .success(
                200, "The row of the round.", "RoundResult",
                #"""
                {
                  "round": 1, "item": {
                    "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot"
                  }, "result": "sold",
                  "winner": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "price": "130.00",
                  "reason": null, "premium": null, "total": null,
                  "voided": {
                    "at": "2026-11-21T09:56:46.572Z", "reason": "The buyer does not pay.",
                    "by": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                    "winner": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "price": "130.00"
                  },
                  "bids": 2, "openedAt": "2026-11-21T08:56:31.562Z", "closedAt": "2026-11-21T08:56:46.572Z",
                  "seller": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
                  "lotId": null, "reference": null, "number": null, "currency": "CNY",
                  "room": "room_3pype17b8wec585enw02ex8qa0",
                  "offer": {
                    "id": "offer_01m7yn51psh16pxpxz9yp3xz7t", "to": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"},
                    "price": "120.00", "expiresAt": "2026-11-21T10:06:46.572Z"
                  },
                  "receipt": \#(Operation.receipt)
                }
                """#),
            .refusal(403, "The caller is not the host.", ["void.not_host"]),
            .refusal(
                404, "There is no such room, or no result of this round.", ["room.not_found", "result.not_found"],
                example: "result.not_found"),
            .refusal(
                409, "The round ended without a sale, or the item cannot be offered to the next bidder.",
                ["result.not_sold", "offer.no_bidder", "offer.made_before", "offer.lot_reoffered", "offer.too_many"]),
        ])

    /// The row of a round whose item was offered to the next bidder.
    private static func row(winner: String, price: String, total: String) -> String {
        #"""
        {
          "round": 1, "item": {
            "id": "item_01m7yn51psh16pxpxz9yp3xz7p", "name": "Teapot"
          }, "result": "sold",
          "winner": \#(winner), "price": "\#(price)",
          "reason": null, "premium": null, "total": \#(total),
          "voided": {
            "at": "2026-11-21T09:56:46.572Z", "reason": "The buyer does not pay.",
            "by": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
            "winner": {"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}, "price": "130.00"
          },
          "bids": 2, "openedAt": "2026-11-21T08:56:31.562Z", "closedAt": "2026-11-21T08:56:46.572Z",
          "seller": {"id": "user_01m7yn50kfqwxpgsbrbcag1j3a", "nickname": "Bo"},
          "lotId": null, "reference": null, "number": null, "currency": "CNY",
          "room": "room_3pype17b8wec585enw02ex8qa0", "offer": null,
          "receipt": \#(Operation.receipt)
        }
        """#
    }

    private static let resold = row(
        winner: #"{"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}"#, price: "120.00", total: #""120.00""#)
    private static let stillVoided = row(
        winner: #"{"id": "user_01m7yn50kms8ch1s9abvdq8hf6", "nickname": "Ed"}"#, price: "130.00", total: "null")

    /// `POST /v1/rooms/{id}/offers/{offerId}/accept`: accept an offer.
    package static let acceptOffer = Operation(
        "acceptOffer", .post, "/v1/rooms/{id}/offers/{offerId}/accept", .required, tag: "auction", "Accept an offer",
        "By the bidder to whom it is offered, also if they have left the room. The result has them as the winner, at the price of the offer.",
        needs: [.answerOffer], givesReceipt: true,
        responses: [
            .success(200, "The row of the round.", "RoundResult", resold),
            .refusal(
                403, "The offer is another bidder's, or the caller is banned.", ["offer.not_yours", "offer.banned"]),
            .refusal(
                404, "There is no such room, or no such offer any more.", ["room.not_found", "offer.not_found"],
                example: "offer.not_found"),
            .refusal(409, "The caller has become the host, or the seller, since the offer was made.", ["offer.own"]),
            .refusal(422, "The price is above what the caller may owe.", ["offer.over_credit"]),
        ])

    /// `POST /v1/rooms/{id}/offers/{offerId}/decline`: decline an offer.
    package static let declineOffer = Operation(
        "declineOffer", .post, "/v1/rooms/{id}/offers/{offerId}/decline", .required, tag: "auction",
        "Decline an offer",
        "By the bidder to whom it is offered, also if they have left the room. The sale stays voided.",
        needs: [.answerOffer], givesReceipt: true,
        responses: [
            .success(200, "The row of the round.", "RoundResult", stillVoided),
            .refusal(
                403, "The offer is another bidder's, or the caller is banned.", ["offer.not_yours", "offer.banned"]),
            .refusal(
                404, "There is no such room, or no such offer any more.", ["room.not_found", "offer.not_found"],
                example: "offer.not_found"),
        ])
}
