extension AuctionFormat {
    /// Takes the latest explicit bid back, with its maximum and the automatic bids it caused.
    ///
    /// Price and leader are what the other bids make them. Only raised maxima may have come between that bid and now; its
    /// bidder's own go with it, a leader's who had beaten it stay. A maximum that the bid laid open does not come back.
    public func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let room = context.room
        guard let gone = room.bids.latestExplicit, gone.id == bid else { throw .unavailable(.retractBid, in: room.state) }
        let removed = [gone.id] + room.bids.automatic(causedBy: gone).map(\.id)
        func retracted(from room: Room?) -> BidRetracted {
            BidRetracted(
                bid: gone.id, bidder: gone.bidder, by: person, reason: reason, removed: removed,
                price: room?.currentBid?.amount, leader: room?.currentBid?.bidder,
                nextMinimum: room.flatMap { nextMinimum(in: $0, for: nil) }, reserveMet: room.flatMap { reserveMet(in: $0) })
        }
        var rest = room
        rest.apply(retracted(from: nil))
        var events: [EventBody] = [.bidRetracted(retracted(from: rest))]
        if let voided = room.maximumVoided(byRetracting: gone, leaving: rest) { events.append(.maximumVoided(voided)) }
        if room.state == .auctioning, let old = room.endsAt, let end = end(afterBidAt: context.instant, in: room), end > old {
            events.append(.countdownMoved(CountdownMoved(from: old, to: end, cause: .retraction)))
        }
        return events
    }
}

extension Room {
    /// What becomes of the maximum of the bidder who leads after a retraction; nil: it stays in force.
    ///
    /// The public log has laid a maximum open in two ways: the retracted bid beat it, or the price has come up to it, as in
    /// the answer to a challenger. Were it to stay in force at a lower price, whoever made the retracted bid could push its
    /// bidder up to it. A maximum above the price that beat the challenger off is not laid open: the log only shows that
    /// it is higher.
    fileprivate func maximumVoided(byRetracting gone: Bid, leaving rest: Room) -> MaximumVoided? {
        guard let leading = rest.currentBid, let kept = rest.leaderMaximum, kept > leading.amount else { return nil }
        let isBeaten = currentBid?.bidder.id == gone.bidder.id
        let isReached = currentBid.map { kept <= $0.amount } ?? false
        return isBeaten || isReached ? MaximumVoided(bid: leading.id, bidder: leading.bidder) : nil
    }
}

extension BidHistory {
    /// The automatic bids that the latest explicit one caused.
    ///
    /// A bid that led caused all that followed: they carry out its maximum, raised or not. A beaten one caused the answer
    /// to it; what came later is the leader's raised maximum reaching the reserve, which would have come without it.
    func automatic(causedBy explicit: Bid) -> [Bid] {
        let later = afterLatestExplicit
        return explicit.leading ? later : Array(later.prefix(1))
    }
}
