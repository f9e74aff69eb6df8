// Folds bid events. Prices were decided when the events were made; the fold does not recompute them.
extension Room {
    /// The bid that an event would place in this room.
    func bid(_ placed: BidPlaced, seq: Int, at instant: Timestamp) -> Bid {
        let beats = placed.leading && currentBid.map { $0.bidder.id != placed.bidder.id } ?? false
        return Bid(placed, seq: seq, at: instant, beatenMaximum: beats ? leaderMaximum : nil)
    }

    mutating func apply(_ placed: BidPlaced, in event: Event) {
        let bid = bid(placed, seq: event.seq, at: event.at)
        bids.append(bid)
        if placed.leading {
            currentBid = bid
            // An automatic bid executes a maximum that its bidder gave before.
            if !placed.automatic { leaderMaximum = max(placed.maximum ?? placed.amount, placed.amount) }
        }
        if let end = placed.endsAt { endsAt = end }
    }

    /// Removes the latest explicit bid and the automatic ones it caused; the bidder who led before leads again, with their
    /// maximum. Where they may not keep it, a `maximumVoided` event follows, so logs from before that rule replay unchanged.
    mutating func apply(_ retracted: BidRetracted) {
        let gone = bids.latestExplicit
        let ledByGone = gone.map { $0.id == retracted.bid && $0.bidder.id == currentBid?.bidder.id && $0.leading } ?? false
        bids.remove(retracted.removed)
        currentBid = bids.latestLeading
        if ledByGone { leaderMaximum = gone?.beatenMaximum }
        if currentBid == nil { leaderMaximum = nil }
    }

    /// The leader keeps the lead; their maximum becomes the current price.
    mutating func apply(_ voided: MaximumVoided) {
        guard let currentBid, currentBid.bidder.id == voided.bidder.id else { return }
        leaderMaximum = currentBid.amount
    }
}
