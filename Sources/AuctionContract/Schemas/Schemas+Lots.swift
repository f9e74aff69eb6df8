internal import AuctionDomain

extension Schema {
    private static let absenteeBidMembers = #"""
        "bidId": "BidId: The bid that it places has this id too.",
        "maximum": "Amount: The most that it may cost.",
        "placedAt": "Time: When it was left with this maximum.",
        "state": "one of standing | void | leading | outbid | sealed | won | lost | passed | unused: standing: it waits for the opening. leading, outbid, sealed: it acted in the running round. won, lost, passed: the round is over. unused: an opening used it up without effect, or the round was cancelled.",
        "cause": "one of? left | kicked | banned | lotWithdrawn | formatChanged: Why it is void; null if it is not.",
        "problem": "one of? absentee.not_bidder | absentee.own_lot | absentee.below_start | absentee.names_no_price | absentee.over_credit: Why it would not act, or not as far, if the lot opened as it is now; null for no reason."
        """#

    /// Lots, files of them, and the sale.
    static let lots: [Schema] = [
        .value(
            "LotState",
            "\(oneOf(AuctionDomain.Lot.State.self)): Where a lot stands. current: it is the item of the round."),
        .request(
            "NewLot",
            #"""
            {
              \#(newItemMembers),
              "reference?": "worded 1...64: The seller's own number of the lot, unique in the room."
            }
            """#),
        .request(
            "LotChanges",
            #"""
            {
              "name?": "line 1...200", "description?": "prose ...5000",
              "media?": {\#(newMedia)},
              "estimate?": "NewEstimate: Null removes it.",
              "condition?": "line? 1...200: The state that the item is in, as one line; null removes it.",
              "reference?": "worded? 1...64: The seller's own number of the lot, unique in the room; null removes it.",
              "rules?": "RulesPatch",
              "before?": "LotId?: The lot before which this one is moved; null moves it to the end. 400 for one that the room does not have."
            }
            """#, "What changes; absent members stay as they are.", isEmptyAllowed: false),
        .request("LotOfferedAgain", #"{"rules?": "RulesPatch"}"#),
        .object(
            "Lot",
            #"""
            {
              "id": "LotId",
              "number": "integer 1...: Its number in the room: 1, 2, 3 and so on in the order of queueing. It stays when the lot moves, and no other lot gets it. To be shown where there is no `reference`.",
              "position": "integer 1...: Its place among all lots of the room, from 1.",
              "reference": "text?: The seller's own number of the lot.", "state": "LotState",
              "round": "integer? 1...: The round in which it is or was auctioned; null before its turn, and of a withdrawn lot.",
              "item": "LotItem", "rules": "Rules", "result": "LotResult",
              "offeredBefore": "LotId?: The lot that had its turn, and is offered again as this one.",
              "offeredAgain": "LotId?: The lot as which this one is offered again; null if it is not, or that lot was withdrawn.",
              "absenteeBids": "integer 0...: How many bids were left on it and not taken back, also those that are void or used. Only their bidders see how high.",
              "myBid?": "OwnAbsenteeBid", "receipt?": "Receipt: In the response to reofferLot."
            }
            """#, "An item that waits its turn, or has had it."),
        .object(
            "OwnAbsenteeBid", "{\(absenteeBidMembers)}",
            "The bid that the caller has left on the lot; null for none. Absent without a token.", isNullable: true),
        .request(
            "NewAbsenteeBid",
            #"{"maximum": "AmountInput: At least the starting price. The server bids up to it on the caller's behalf."}"#),
        .object("AbsenteeBid", #"{"lotId": "LotId", \#(absenteeBidMembers)}"#),
        .object(
            "AbsenteeBidAnswer", #"{"lotId": "LotId", \#(absenteeBidMembers), "receipt": "Receipt"}"#,
            "As `AbsenteeBid`, with a receipt."),
        .object(
            "LotItem",
            #"""
            {
              \#(itemMembers),
              "owner": "Person: The user who queued it."
            }
            """#, "What is auctioned; its rules are beside it in the lot."),
        .object(
            "LotResult",
            #"""
            {
              "result": "one of sold | passed", "winner": "Person?: Null if the lot passed.",
              "price": "Amount?: The hammer price; null if the lot passed.",
              "reason": "one of? no_bids | reserve_not_met: Why the lot passed; null if it was sold.",
              "premium": "Amount?: What the buyer pays beside the price; null without a premium, and if the sale was voided.",
              "total": "Amount?: Price and premium; null if the lot passed, and if the sale was voided.",
              "voided": "VoidedSale", "voidedBefore?": "VoidedSale: The sale at the end of the round, if that to the next bidder was voided as well.",
              "bids": "integer 0...", "closedAt": "Time"
            }
            """#, "How its round ended; null before.", isNullable: true),
        .page(
            "LotList",
            #"""
            {
              "lots": "[Lot] ...1000", "seq": "Seq: The last event that the page contains, for clients that follow the room."
            }
            """#),
        .object(
            "ImportedLots",
            #"""
            {
              "rows": "integer 1...1000", "added": "integer 0...1000: Rows that were queued as new lots.",
              "changed": "integer 0...1000: Rows that changed their lots.",
              "unchanged": "integer 0...1000: Rows whose lots have their values already, and wait for their turn or have it.",
              "sold": "integer 0...1000: Rows whose lots have their values, and were sold before.",
              "passed": "integer 0...1000: Rows whose lots have their values, and were passed before.",
              "withdrawn": "integer 0...1000: Rows whose lots have their values, and were withdrawn before.",
              "voided": "integer 0...1000: Rows whose lots have their values, and whose sale was voided before.",
              "lots": {"type": "array", "maxItems": 1000, "description": "In the order of the file.", "items": {"members": {"line": "integer 1...: The line of the file at which the row begins.", "id": "LotId", "reference": "text?", "outcome": "one of added | changed | unchanged | sold | passed | withdrawn | voided: What the import did with the row, by which the members above count."}}},
              "ignoredColumns": "[text] ...64: The headings of columns that mean nothing to an import, each cut after 100 characters; empty for lines of JSON."
            }
            """#, "The lots of a file."),
        .object(
            "RowProblem",
            #"""
            {
              "line": "integer 1...: The line of the file at which the row begins.",
              "field": "text?: The column; null if it is the row as a whole.", "code": "ProblemCode",
              "detail": "text 1...: For people."
            }
            """#, "A wrong row of an import."),
        .request(
            "NewSale",
            #"""
            {
              "mode": "only manual | automatic",
              "pauseSeconds?": "integer 0...3600 = 10: Time from the end of a round to the beginning of the next.",
              "startsAt?": {"type": ["string", "null"], "format": "date-time", "description": "When an automatic sale begins by itself, within a year; null for never."},
              "premium?": "SalePremium",
              "attended?": "boolean = false: Whether an automatic sale needs its host. false: it begins at its time and goes on to its last lot, whether the host is there or not. true: while the host is gone, rounds are paused and no lot begins; a start that they prevent is `sale.postponed`, and they start the sale when they return."
            }
            """#),
        .value(
            "SaleMode",
            """
            one of manual | automatic: manual: the host begins each round. automatic: while the sale runs, the next lot \
            begins by itself.
            """),
        .object(
            "SalePremium",
            #"""
            {
              "percent": {"type": "string", "pattern": "^[0-9]{1,3}(\\.[0-9]{1,2})?$", "description": "From 0 to 100, with at most two decimals."}
            }
            """#, "What buyers pay beside the hammer price; null for nothing. It never changes what may be bid.",
            isNullable: true),
        .object(
            "Sale",
            #"""
            {
              "mode": "SaleMode", "pauseSeconds": "integer 0...3600",
              "startsAt": "Time?: When the sale begins by itself; null if it does not.", "premium": "SalePremium",
              "attended": "boolean: Whether it needs its host: without one it neither begins nor goes on by itself.",
              "running": "boolean: Whether the next lot follows by itself.",
              "postponed": "boolean: Whether it did not begin at its time because its host was gone; the host starts it.",
              "nextLotAt": "Time?: Between two lots, when the next one is listed.",
              "lots": "integer 0...: Lots in all states.", "queued": "integer 0...: Lots that wait."
            }
            """#, "How the room's lots are sold."),
    ]
}
