extension AuctionFormat {
    /// Takes the latest explicit bid back, with its maximum and the automatic bids it caused.
    ///
    /// What was before it stands again: the price, the leader and their maximum. Only raised maxima may have come between
    /// that bid and now; its bidder's own go with it, a leader's who had beaten it stay.
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
        if room.state == .auctioning, let old = room.endsAt, let end = end(afterBidAt: context.instant, in: room), end > old {
            events.append(.countdownMoved(CountdownMoved(from: old, to: end, cause: .retraction)))
        }
        return events
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
