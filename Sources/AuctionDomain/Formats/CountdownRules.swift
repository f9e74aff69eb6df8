// What bids do to a running countdown.
extension AuctionRules {
    /// When the countdown ends once a bid has been taken, or taken back, at `instant`; nil if none runs.
    ///
    /// Never earlier than it would have ended: an outage may have moved the end beyond a full countdown, and beyond
    /// `maxDuration`. And never moved past `Room.latestEnd`.
    func end(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? {
        guard let end = room.endsAt else { return nil }
        let wished: Timestamp =
            switch countdown {
            case .reset: instant + bidding
            case .extend: isLate(instant, before: end) ? instant + extendBy : end
            case .fixed: end
            }
        return max(end, room.latestEnd.map { min(wished, $0) } ?? wished)
    }

    /// How long bids are taken when nobody bids.
    var firstCountdown: Seconds { maxDuration.map { min(bidding, $0) } ?? bidding }

    private func isLate(_ instant: Timestamp, before end: Timestamp) -> Bool {
        end.milliseconds(since: instant) <= Int64(extendWindow.count) * 1000
    }
}
