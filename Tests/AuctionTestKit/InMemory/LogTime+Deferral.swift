internal import AuctionDomain
internal import EventLog

extension LogTime {
    /// Why the element must not be appended now; nil if it may be.
    /// - Parameters:
    ///   - head: Time of the room's last event; nil if it has none.
    ///   - outages: Starts of the unsettled outages.
    ///   - lastHeartbeat: Last heartbeat of any node; nil if there never was one. If it is too old, an outage has just ended and is not
    ///     recorded yet, so expiries are deferred.
    static func deferral(
        _ append: RoomAppend, at now: Timestamp, head: Timestamp?, outages: [Timestamp], lastHeartbeat: Timestamp?
    ) -> AppendVerdict.Deferral? {
        if let first = append.events.first, let last = append.events.last {
            let isAhead = last.at.milliseconds(since: now) > maximumAheadMilliseconds && last.at > head ?? now
            if isAhead || now.milliseconds(since: first.at) > maximumAgeMilliseconds { return .stamp }
        }
        guard let due = append.notBefore else { return nil }
        if due > now { return .early }
        if let lastHeartbeat, now.milliseconds(since: lastHeartbeat) > Outage.minimumMilliseconds { return .outage }
        return outages.contains { due >= $0 } ? .outage : nil
    }
}
