extension AuctionFormat {
    /// Retracts an own bid, with its maximum and the automatic bids it caused.
    ///
    /// Price and leader are recomputed from the remaining bids. Raised maxima of its own bidder are removed with it, those of a
    /// leader who outbid it stay. A maximum that the bid made public is voided.
    /// - Throws: a refusal if there is no such bid.
    package func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let room = context.room
        guard let gone = room.bids.own(bid) else { throw .unavailable(.retractBid, in: room.state) }
        let removed = [gone.id] + room.bids.automatic(causedBy: gone).map(\.id)
        func retracted(from room: Room?) -> BidRetracted {
            BidRetracted(
                bid: gone.id, bidder: gone.bidder, by: person, reason: reason, removed: removed,
                price: room?.currentBid?.amount, leader: room?.currentBid?.bidder,
                nextMinimum: room.flatMap { nextMinimum(in: $0, for: nil) }, reserveMet: room.flatMap { reserveMet(in: $0) })
        }
        var rest = room
        rest.change { $0.apply(retracted(from: nil)) }
        var events: [EventBody] = [.bidRetracted(retracted(from: rest))]
        if let voided = room.maximumVoided(byRetracting: gone, leaving: rest) { events.append(.maximumVoided(voided)) }
        if room.state == .auctioning, let old = room.endsAt, let deadline = deadline(afterBidAt: context.instant, in: room),
            deadline > old
        {
            events.append(.countdownMoved(CountdownMoved(from: old, to: deadline, cause: .retraction)))
        }
        return events
    }
}

extension Room {
    /// Voids the maximum of the bidder who leads after a retraction; nil if it stays in force.
    ///
    /// The public log reveals a maximum in two cases: the retracted bid outbid it, or the price rose to it, as in an automatic
    /// bid against a challenger. If it stayed in force at the lower price, the retracting bidder could push the leader up to
    /// it. A maximum above the price at which a challenger was outbid is not revealed: the log only shows that it is higher.
    fileprivate func maximumVoided(byRetracting gone: Bid, leaving rest: Room) -> MaximumVoided? {
        guard let leading = rest.currentBid, let kept = rest.leaderMaximum, kept > leading.amount else { return nil }
        let isBeaten = currentBid?.bidder.id == gone.bidder.id
        let isReached = currentBid.map { kept <= $0.amount } ?? false
        return isBeaten || isReached ? MaximumVoided(bid: leading.id, bidder: leading.bidder) : nil
    }
}

extension BidHistory {
    /// The automatic bids that an own one caused.
    ///
    /// A bid that took the lead caused all until the next that did: they execute its maximum, raised or not. A bid that was outbid
    /// at once caused only the first; a later one is the leader's raised maximum reaching the reserve price independently of it.
    func automatic(causedBy own: Bid) -> [Bid] {
        let later = after(own)
        guard own.leading else { return Array(later.prefix(1).filter { !$0.origin.isOwn }) }
        return Array(later.prefix { !$0.origin.isOwn || !$0.leading }.filter { !$0.origin.isOwn })
    }
}
