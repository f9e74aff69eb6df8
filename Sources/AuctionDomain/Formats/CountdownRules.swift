// The effect of bids on a running countdown.
extension AuctionRules {
    /// The end of a countdown that an outage or a clock jump extends is at most this long after the service's return.
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
    /// The event that gives a countdown its time again after the service was not available: `seconds` from `ready`, a minute at most;
    /// none if it ends no earlier.
    func countdownMoved(after ready: Timestamp, by seconds: Seconds, _ cause: CountdownMoved.Cause) -> [EventBody] {
        let earliest = ready + min(seconds, AuctionRules.longestExtension)
        guard let endsAt, endsAt < earliest else { return [] }
        return [.countdownMoved(CountdownMoved(from: endsAt, to: earliest, cause: cause))]
    }
}
