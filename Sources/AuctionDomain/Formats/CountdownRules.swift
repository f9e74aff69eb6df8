// The effect of bids on a running countdown.
extension AuctionRules {
    /// After an outage or a clock jump a deadline is extended to at most this long after the service's return.
    package static let longestExtension = Seconds(60)

    /// The countdown's deadline after a bid was accepted or retracted at `instant`; nil if no countdown is running.
    ///
    /// Never earlier than the present deadline, which an outage may have extended beyond a full countdown and beyond
    /// `maxDuration`. Otherwise never later than `Room.latestDeadline`.
    func deadline(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? {
        guard let end = room.endsAt else { return nil }
        let wished: Timestamp =
            switch countdown {
            case .reset: instant + bidding
            case .extend: isLate(instant, before: end) ? instant + extendBy : end
            case .fixed: end
            }
        return max(end, room.latestDeadline.map { min(wished, $0) } ?? wished)
    }

    /// How long bidding stays open without any bid.
    var firstCountdown: Seconds { maxDuration.map { min(bidding, $0) } ?? bidding }

    private func isLate(_ instant: Timestamp, before end: Timestamp) -> Bool {
        end.milliseconds(since: instant) <= Int64(extendWindow.count) * 1000
    }
}

extension Room {
    /// The event that extends the deadline after an outage, to `seconds` after `ready`, at most to `AuctionRules.longestExtension` after it;
    /// none if the deadline is not earlier.
    func countdownMoved(after ready: Timestamp, by seconds: Seconds, _ cause: CountdownMoved.Cause) -> [EventBody] {
        let earliest = ready + min(seconds, AuctionRules.longestExtension)
        guard let endsAt, endsAt < earliest else { return [] }
        return [.countdownMoved(CountdownMoved(from: endsAt, to: earliest, cause: cause))]
    }
}
