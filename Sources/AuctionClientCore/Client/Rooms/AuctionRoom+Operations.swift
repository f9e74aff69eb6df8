// Made of the operations in Sources/AuctionContract by `auction-room contract`.

extension AuctionRoom {
    /// Withdraw a queued lot.
    ///
    /// By its owner or the host. Of a round that is being prepared, the next queued lot takes its turn.
    @discardableResult
    public func withdrawLot(_ lotId: String, reason: String? = nil) async throws(AuctionError) -> Lot {
        let reason = reason.map { "?reason=\($0.pathSegment)" } ?? ""
        return try await lot(.withdrawLot, "DELETE", "\(path)/lots/\(lotId.pathSegment)\(reason)")
    }

    /// Say how the lots are sold.
    ///
    /// By the host. In an automatic sale that runs, the next lot is listed and opened by itself `pauseSeconds` after a round;
    /// if that is changed in such a pause, the pause begins anew. The sale begins by `POST …/sale/start` or at `startsAt`. It
    /// goes on without its host unless it is `attended`.
    @discardableResult
    public func configureSale(_ body: NewSale) async throws(AuctionError) -> Sale {
        try await sale(.configureSale, "PUT", "\(path)/sale", body.json)
    }

    /// Sell by hand again.
    ///
    /// By the host. A running sale stops after the current lot; the lots stay.
    @discardableResult
    public func clearSale() async throws(AuctionError) -> Sale {
        try await sale(.configureSale, "DELETE", "\(path)/sale")
    }

    /// Start the automatic sale.
    ///
    /// By the host. The first queued lot is listed at once, or after the round that is running. An item that was uploaded for
    /// this round goes first. A sale that runs already stays as it is.
    @discardableResult
    public func startSale() async throws(AuctionError) -> Sale {
        try await sale(.startSale, "POST", "\(path)/sale/start", [:])
    }

    /// Stop the sale after the current lot.
    ///
    /// By the host. The round that is running goes on to its end.
    @discardableResult
    public func stopSale() async throws(AuctionError) -> Sale {
        try await sale(.stopSale, "POST", "\(path)/sale/stop", [:])
    }

    /// Give the round more time.
    ///
    /// By the host, while auctioning. The seconds are added to `endsAt`, whatever bids do to the countdown, but not beyond
    /// `maxDurationSeconds`. A Dutch auction has no countdown to extend.
    @discardableResult
    public func extend(seconds: Int, expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.extend, "POST", "\(path)/auction/extend", expecting.json(["seconds": .number(String(seconds))]))
    }

    /// Say "going once" or "going twice".
    ///
    /// By the host, while auctioning. The room's `warning` is the level until the next bid, retraction or transition. It does
    /// not move the countdown; the level that stands already changes nothing.
    @discardableResult
    public func warn(level: Int, expecting: Expectation = .init()) async throws(AuctionError) -> RoomState {
        try await state(.warn, "POST", "\(path)/auction/warn", expecting.json(["level": .number(String(level))]))
    }

    /// Retract a bid.
    ///
    /// By the host, while auctioning or paused: removes the latest bid that was not automatic, or any such bid of a banned
    /// bidder, also one left before the opening that an event has shown, with its maximum and the automatic bids it caused;
    /// price and leader are computed from the remaining bids: those that competed with an earlier one count with the amounts
    /// that their bidders named, or from the starting price if they were left, in `listBids` too, until the round is over. The
    /// maximum of the bidder who leads then is not restored if the stream has shown it, because the retracted bid beat it or
    /// the price had reached it: the bidder keeps the lead at that price, `me.maximum` is that price, and `bid.maximumVoided`
    /// follows. A maximum that stayed above the price stays in force.
    @discardableResult
    public func retractBid(_ bidId: String, reason: String) async throws(AuctionError) -> RoomState {
        try await state(.retractBid, "DELETE", "\(path)/bids/\(bidId.pathSegment)?reason=\(reason.pathSegment)")
    }

    /// Remove a message.
    ///
    /// By the host; one of the latest 256 of the room. Clients no longer show it; the log keeps it.
    public func removeMessage(_ messageId: String) async throws(AuctionError) {
        try await done(.removeMessage, "DELETE", "\(path)/messages/\(messageId.pathSegment)")
    }

    /// Leave the stage.
    ///
    /// The caller gets their previous role back, unless their role has changed since they took the seat.
    public func leaveStage() async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/leave", [:])
    }

    /// Close a seat.
    ///
    /// By the host. The occupant is evicted first.
    public func closeSeat(_ seat: Int) async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/seats/\(seat)/close", [:])
    }

    /// Clear a seat.
    ///
    /// By the host: evicts the occupant, reopens a closed seat and unmutes it.
    public func clearSeat(_ seat: Int) async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/seats/\(seat)/clear", [:])
    }

    /// Move to another seat.
    ///
    /// By the occupant of the seat or the host: the occupant has the free seat `to` from now on, with the same role and since
    /// the same instant. A mute goes along: the seat that they leave is not muted any more, unless the one that they take was
    /// muted too. A move to the same seat changes nothing.
    public func moveSeat(_ seat: Int, to: Int) async throws(AuctionError) {
        try await done(.stage, "POST", "\(path)/stage/seats/\(seat)/move", ["to": .number(String(to))])
    }

    /// Accept an offer.
    ///
    /// By the bidder to whom it is offered, also if they have left the room. The result has them as the winner, at the price
    /// of the offer.
    @discardableResult
    public func acceptOffer(_ offerId: String) async throws(AuctionError) -> RoundResult {
        try await result(.acceptOffer, "POST", "\(path)/offers/\(offerId.pathSegment)/accept", [:])
    }

    /// Decline an offer.
    ///
    /// By the bidder to whom it is offered, also if they have left the room. The sale stays voided.
    @discardableResult
    public func declineOffer(_ offerId: String) async throws(AuctionError) -> RoundResult {
        try await result(.declineOffer, "POST", "\(path)/offers/\(offerId.pathSegment)/decline", [:])
    }
}
