extension Schema {
    /// Bids and results.
    static let bids: [Schema] = [
        .request(
            "PlaceBid",
            #"""
            {
              "amount?": "AmountInput?",
              "maximum?": "AmountInput?: The maximum up to which the server bids on the caller's behalf; at least `amount`. Without `amount` the server opens at the next minimum, or, for the leader, only raises the maximum. Where the next minimum is the buy-now price, `amount` has to name it (`bid.names_no_price`). English auctions only.",
              "round?": "integer 1...2147483647: The round that the bid is meant for; refused (409) in any other.",
              "item?": "ItemId: The item that the bidder saw; refused (409) for any other. A round that is cancelled before its first bid begins again with the same number, perhaps with another item.",
              "floor?": "FloorEntry"
            }
            """#, "An amount, a maximum, or both: at least one of them.", isEmptyAllowed: false),
        .request(
            "FloorEntry",
            #"{"paddle?": "line 1...16: Who bids, in one line, such as the number of a paddle. Only the host sees it."}"#,
            """
            Makes the bid one of the floor: of a person in the hall or at the telephone, entered by the host or an auctioneer. It has an \
            amount and no maximum.
            """),
        .object(
            "Bid",
            #"""
            {
              "id": "BidId",
              "amount": "Amount?: Null where the amount is sealed: until the close for every caller but the bidder, and after it for the own bid of the winner of a `vickrey` round.",
              "total?": "Amount?: The amount with the premium of the sale; absent without a premium.",
              "maximum?": "Amount: The maximum of a proxy bid; only in the caller's own bids.", "bidder": "Person",
              "leading": "boolean: Whether it was the highest when it was placed.",
              "automatic": "boolean: Whether the server placed it on the bidder's behalf.",
              "absentee?": "boolean: True if its bidder left it before the lot opened; absent for all others.",
              "floor?": "boolean: True for a floor bid, whose bidder is `user_floor`; absent for all others.",
              "paddle?": "text 1...16: The paddle of a floor bid of the current round, if one was noted; only the host sees it.",
              "at": "Time", "seq": "Seq"
            }
            """#),
        .object(
            "Receipt",
            #"""
            {
              "receivedAt": "Time: When the request reached the server.", "serverTime": "Time",
              "endsAt": "Time?: When the running countdown ends; null where there is none.",
              "seq": "integer? 1...: The seq of the room; null where there is none, or none that the caller may know."
            }
            """#),
        .object("BidAnswer", #"{"bid": "Bid", "room": "ShortRoom", "receipt": "Receipt"}"#),
        .page("BidList", #"{"bids": "[Bid] ...100"}"#, "Newest first. Retracted bids are left out."),
        .object(
            "RoundResult",
            #"""
            {
              "round": "Round", "item": "ResultItem", "result": "one of sold | passed",
              "winner": "Person?: Null if the item passed.", "price": "Amount?: The hammer price; null if the item passed.",
              "reason": "one of? no_bids | reserve_not_met: Why the item passed; null if it was sold.",
              "premium": "Amount?: What the buyer pays beside the price; null without a premium, and if the sale was voided.",
              "total": "Amount?: Price and premium; null if the item passed, and if the sale was voided.",
              "voided": "VoidedSale", "voidedBefore?": "VoidedSale: The sale at the end of the round, if that to the next bidder was voided as well.",
              "bids": "integer 0...",
              "openedAt": "Time?: When bidding began; null if the round was closed before.", "closedAt": "Time",
              "seller": "Person: The owner of the item.",
              "lotId": "LotId?: The lot; null if the item was uploaded for this round.",
              "reference": "text?: The seller's own number of the lot.",
              "number": "integer? 1...: The number of the lot in the room; null if the item was uploaded for this round.",
              "currency": "CurrencyCode", "room": "RoomId", "offer": "RowOffer",
              "paddle?": "text 1...16: The paddle of the floor bid that won, if one was noted and the floor is the buyer still; only the host sees it.",
              "receipt?": "Receipt: In responses to voidResult, acceptOffer and declineOffer."
            }
            """#, "How a finished round ended."),
        .object(
            "RowOffer", #"{"id": "OfferId", "to": "Person", "price": "Amount", "expiresAt": "Time"}"#,
            "The offer to the next bidder that stands; null if none does.", isNullable: true),
        .object("NamedItem", #"{"id": "ItemId", "name": "text"}"#),
        .object(
            "OwnOffer",
            #"""
            {
              "id": "OfferId", "round": "Round", "lotId": "LotId?: Null if the item was uploaded for its round.", "item": "NamedItem",
              "price": "Amount", "total": "Amount: Price and premium.", "expiresAt": "Time: From then on it cannot be accepted."
            }
            """#, "An item whose sale was voided, offered to the caller."),
        .object(
            "VoidedSale",
            #"""
            {
              "at": "Time", "reason": "text 1...500", "by": "Actor: The host or the operator who voided it.",
              "winner": "Person: Who was to buy the item.", "price": "Amount: The hammer price that does not count."
            }
            """#, "The sale that the host voided; null if none was.", isNullable: true),
        .request(
            "VoidedResult",
            #"""
            {
              "reason": "worded 1...500: Why; shown to everybody.",
              "offerTo?": "one of next: To whom the item is offered: the next bidder of the round."
            }
            """#),
        .page("ResultList", #"{"results": "[RoundResult] ...1000"}"#, "Newest first."),
    ]
}
