extension Operation {
    /// The lots of a sale.
    static let lots: [Operation] = [queueLot, listLots, importLots, readLot, changeLot, withdrawLot, reofferLot]

    /// `POST /v1/rooms/{id}/lots`: queue a lot.
    package static let queueLot = Operation(
        "queueLot", .post, "/v1/rooms/{id}/lots", .required, tag: "auction", "Queue a lot",
        """
        By the host or an auctioneer, in every state of the room. The lot waits its turn: the next round has the \
        first queued lot as its item.
        """,
        body: .init(
            "NewLot",
            #"""
            {
              "name": "Teapot", "description": "Yixing clay, 1980s.", "media": ["https://example.org/teapot.jpg"],
              "estimate": {"low": "150.00", "high": "250.00"}, "condition": "One chip at the rim.", "reference": "A-12",
              "rules": {"startingPrice": "120.00", "increment": {"fixed": "10.00"}}
            }
            """#),
        responses: [
            .success(
                201, "The lot, at the end of the queue.", "Lot",
                #"""
                {
                  "like": "lot",
                  "item": {"estimate": {"low": "150.00", "high": "250.00"}, "condition": "One chip at the rim."}
                }
                """#, headers: ["Location"]),
            .refusal(403, "The caller is neither the host nor an auctioneer.", ["lot.not_auctioneer", "lot.banned"]),
            .refusal(409, "Another lot of the room has this reference.", ["lot.reference_taken"]),
            .refusal(
                429, "The room has as many lots as it may have, or a limit of commands or of stored bytes is reached.",
                ["lot.too_many", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"]),
        ])

    /// `GET /v1/rooms/{id}/lots`: list the lots in the order of their turns.
    package static let listLots = Operation(
        "listLots", .get, "/v1/rooms/{id}/lots", .optional, tag: "rooms", "List the lots in the order of their turns",
        """
        No lot is on two pages, however the lots are reordered meanwhile: those that were moved after the first page \
        are left out of the later ones; `lot.moved` events say where they are. A lot that is queued while others are \
        moved may be on none; `lot.queued` has it.
        """,
        parameters: [
            .query("state", "Only lots in this state.", "LotState", example: "queued"),
            .query(
                "bids", "Only lots on which the caller has left a bid; none without a token.", "only mine", example: "mine"),
            .query(
                "limit", "The most rows to return; a page also ends with the row that reaches 256 KiB.",
                "integer 1...1000 = 100", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.", "text 1...100",
                example: "41.4294967296.lot_01m7yn51psh16pxpxz9yp3xz7p"),
        ],
        responses: [
            .success(
                200, "A page of lots.", "LotList",
                #"{"lots": [{"like": "lot"}], "nextCursor": null, "seq": 8}"#)
        ])

    /// `POST /v1/rooms/{id}/lots/import`: queue the lots of a file.
    package static let importLots = Operation(
        "importLots", .post, "/v1/rooms/{id}/lots/import", .required, tag: "auction", "Queue the lots of a file",
        """
        By the host or an auctioneer, in every state of the room: all rows of the file or none, 1 to 1,000. A row with the reference of a lot
        updates that lot; one without a reference that equals a lot of the caller's without one is that lot, whatever became of it; all
        others are queued in the order of the file. So the repeat of a file changes nothing. The response says how many rows were `added`,
        `changed` or `unchanged`, and how many belong to lots that were `sold`, `passed`, `withdrawn` or `voided` before, which are not queued again.

        A lot that is updated keeps what the file has no column or member for, as with `changeLot`; a new one has the defaults. An empty cell
        removes what the lot has, or sets the default, and so does null in `estimate`, `condition`, `reservePrice`, `buyNowPrice`, `floorPrice`, `maxDurationSeconds` and
        `dutchTickSeconds`; but the reserve price of another user's lot stays. The rules are checked as they are then.

        A file is in UTF-8 or, by its byte-order mark or the `charset` of `Content-Type`, in UTF-16 or Windows-1252.

        `text/csv` is RFC 4180; commas, semicolons or tabs separate its cells, and CRLF, LF or CR its rows. A first line such as `sep=;`,
        blank rows and a last Ctrl-Z are skipped; empty cells at the end of a row may be missing, or be more than the headings. The first row names the columns, in any order: `name` and
        `startingPrice`, and any of `description`, `reference`, `media` (addresses with blanks, bars,
        line breaks, commas or semicolons between them), `increment` (`10.00`, `5%`, or steps
        by price such as `0:5.00 100:10.00`), `condition`, `estimate` (`100-200`, or one amount), `estimateLow`, `estimateHigh`, `reservePrice`, `buyNowPrice`, `floorPrice`, `listingSeconds`, `biddingSeconds`, `countdown`,
        `extendWindowSeconds`, `extendBySeconds`, `maxDurationSeconds`, `dutchTickSeconds`, `format`, `tie`. Case, blanks and punctuation of a
        heading make no difference. Usual words mean the same in English, Chinese and German, such as `Lot`, `Title`, `Start price (EUR)`,
        `Bezeichnung`, `Startpreis`, `编号`, `名称` and `起拍价`. Several columns of pictures, such as `Image 1` and `Image 2`, count as one. Other columns are ignored, and
        named in `ignoredColumns`; so is one of amounts in another currency where there is another of the same in the room's. The values of
        `format`, `countdown` and `tie` may be in any case, and a format may have its usual name in these languages, such as `englisch` or `荷兰式`.

        Amounts may have a decimal comma, separators of thousands, and the sign or the code of the room's currency: `35,50`, `1,200.00`,
        `1.200,00`, `€ 25,50`, `1.200,-`. An amount that may mean two things, such as `1,200` where the currency has fractions, is a bad row; so is one in
        another currency. An apostrophe before `=`, `+`, `-`, `@`, their full-width forms, a tab or a carriage return, at the beginning of a cell
        or after a separator in it, as the tables of this server have it, is left out.

        `application/x-ndjson` has on each line what the body of `queueLot` has. Lines without text are skipped.

        The body may have 1 MiB, and must not be compressed (`Content-Encoding`: 415) or a workbook such as .xlsx (415). Up to four files of a caller are read at once; beyond that 503 (`service.too_many_reads`). With an
        `Idempotency-Key` the response counts as stored bytes of the room.
        """,
        body: .init(content: [
            .init(
                "text/csv", "text: A table with a header row.",
                text:
                    "reference,name,startingPrice,increment,media\r\nA-12,Teapot,120.00,10.00,https://example.org/teapot.jpg\r\nA-13,\"Vase, blue\",80.00,5%,\r\n"
            ),
            .init(
                "application/x-ndjson", "text: On each line a `NewLot`.",
                text: """
                    {"name":"Teapot","reference":"A-12","rules":{"startingPrice":"120.00"}}
                    {"name":"Vase","rules":{"startingPrice":"80.00"}}

                    """),
        ]),
        responses: [
            .success(
                200, "The lots of all rows.", "ImportedLots",
                #"""
                {
                  "rows": 2, "added": 1, "changed": 0, "unchanged": 0, "sold": 1, "passed": 0, "withdrawn": 0, "voided": 0,
                  "lots": [
                    {"line": 2, "id": "lot_01m7yn51psh16pxpxz9yp3xz7p", "reference": "A-12", "outcome": "sold"},
                    {"line": 3, "id": "lot_01m7yn51psh16pxpxz9yp3xz7r", "reference": "A-13", "outcome": "added"}
                  ],
                  "ignoredColumns": ["Date"]
                }
                """#),
            .refusal(403, "The caller is neither the host nor an auctioneer.", ["lot.not_auctioneer", "lot.banned"]),
            .refusal(
                422, "Rows are wrong or too many, and nothing was imported; or the key was used before with another body.",
                ["import.bad_rows", "idempotency.key_reused"]),
            .refusal(
                429, "The file adds more lots than the room may have, or a limit of commands or of stored bytes is reached.",
                ["lot.too_many", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"],
                with: #"""
                    {
                      "detail": "The room may have 10000 lots; it has 9500, and this file adds 600.",
                      "permission": {"actual": "9500"}
                    }
                    """#),
        ])

    /// `GET /v1/rooms/{id}/lots/{lotId}`: read a lot.
    package static let readLot = Operation(
        "readLot", .get, "/v1/rooms/{id}/lots/{lotId}", .optional, tag: "rooms", "Read a lot",
        responses: [
            .success(
                200, "The lot.", "Lot",
                #"{"like": "lot"}"#),
            .refusal(
                404, "There is no such room, or the room has no such lot.", ["room.not_found", "lot.not_found"],
                example: "lot.not_found"),
        ])

    /// `PATCH /v1/rooms/{id}/lots/{lotId}`: change or move a queued lot.
    package static let changeLot = Operation(
        "changeLot", .patch, "/v1/rooms/{id}/lots/{lotId}", .required, tag: "auction", "Change or move a queued lot",
        """
        By its owner, or the host, who may not change the prices. Absent members stay as they are. The lot of a \
        round that is being prepared is changed like one that waits. `before` moves the lot; one that the host, or \
        the owner of the prepared lot, moves before that takes its turn.
        """,
        body: .init("LotChanges", #"{"rules": {"startingPrice": "100.00"}, "before": "lot_01m7yn51psh16pxpxz9yp3xz7r"}"#),
        responses: [
            .success(
                200, "The lot.", "Lot",
                #"{"like": "lot"}"#),
            .refusal(403, "The caller may not change this.", ["lot.not_yours", "lot.owner_only", "lot.change_banned"]),
            .refusal(
                404, "There is no such room, or the room has no such lot.", ["room.not_found", "lot.not_found"],
                example: "lot.not_found"),
            .refusal(
                409, "The lot does not wait in the queue, or another lot has the reference.",
                ["lot.not_queued", "lot.reference_taken"]),
        ])

    /// `DELETE /v1/rooms/{id}/lots/{lotId}`: withdraw a queued lot.
    package static let withdrawLot = Operation(
        "withdrawLot", .delete, "/v1/rooms/{id}/lots/{lotId}", .required, tag: "auction", "Withdraw a queued lot",
        "By its owner or the host. Of a round that is being prepared, the next queued lot takes its turn.",
        parameters: [
            .query("reason", "Why; shown to everybody.", "worded 1...500", example: "Broken in transit.")
        ],
        responses: [
            .success(
                200, "The lot.", "Lot",
                #"{"like": "lot", "state": "withdrawn"}"#),
            .refusal(403, "The caller may not withdraw this lot.", ["withdraw.not_yours", "withdraw.banned"]),
            .refusal(
                404, "There is no such room, or the room has no such lot.", ["room.not_found", "lot.not_found"],
                example: "lot.not_found"),
            .refusal(409, "The lot does not wait in the queue.", ["withdraw.not_queued"]),
        ])

    /// `POST /v1/rooms/{id}/lots/{lotId}/reoffer`: offer a lot again that was not sold.
    package static let reofferLot = Operation(
        "reofferLot", .post, "/v1/rooms/{id}/lots/{lotId}/reoffer", .required, tag: "auction",
        "Offer a lot again that was not sold",
        """
        By its owner, or the host, who may not change the prices; in every state of the room. A new lot with another number waits at the end \
        of the queue. It has what the old one had, and the reference too; the rules may be others. What became of the old lot stays as it is.
        """,
        givesReceipt: true,
        body: .init("LotOfferedAgain", #"{"rules": {"startingPrice": "80.00"}}"#, isRequired: false),
        responses: [
            .success(
                201, "The new lot, at the end of the queue.", "Lot",
                #"""
                {
                  "like": "lot", "number": 9, "position": 9, "offeredBefore": "lot_01m7yn51psh16pxpxz9yp3xz7r",
                  "receipt": \#(Operation.receipt)
                }
                """#,
                headers: ["Location"]),
            .refusal(
                403, "The caller may not offer this lot again, or not at other prices.",
                ["reoffer.not_yours", "reoffer.owner_only", "reoffer.banned"]),
            .refusal(
                404, "There is no such room, or the room has no such lot.", ["room.not_found", "lot.not_found"],
                example: "lot.not_found"),
            .refusal(
                409, "The lot was not passed, or has been offered again already.", ["reoffer.not_ended", "reoffer.again"]),
            .refusal(
                429, "The room has as many lots as it may have, or a limit of commands or of stored bytes is reached.",
                ["reoffer.too_many", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"]),
        ])
}
