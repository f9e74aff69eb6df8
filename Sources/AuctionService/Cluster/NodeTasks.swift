internal import AuctionDomain
package import EventLog

/// What a node has to do on a shared log: send heartbeats, and recover from outages, times in which no node was alive.
///
/// The node that claims an outage extends the deadlines that expired during it; until then the log accepts no event caused by such
/// a deadline. A node that starts while another one is alive extends none; one that starts alone recovers from an outage, however short. A value; its owner decides when to call it.
package struct NodeTasks: Sendable {
    /// Interval between calls of `beat`, in milliseconds.
    package static let beatMilliseconds: Int64 = 500

    /// Identifier of this node.
    package let node: NodeID
    /// Identifier of the outage that this node recovers from.
    private var claimed: Int64?
    private var isRecovering = false
    /// How the last recovery from `claimed` has ended; `failed` before the first one has. Rooms that it has finished keep the deadlines that
    /// they have got, so that the next one has less to do, and comes to an end while other nodes append to many rooms.
    private var lastResult = RecoveryResult.failed
    /// Recoveries in a row that were not complete, and heartbeats before the next one, so that a room that cannot be read or extended is not
    /// tried twice a second.
    private var incompleteRecoveries = 0
    private var skippedBeats = 0
    private static let maximumSkippedBeats = 9

    /// What the first call of `begin` found, and the monotonic time of it.
    private var found: (nodes: [NodeID: Timestamp], uptime: Int64)?

    package init(_ node: NodeID) { self.node = node }

    /// Sends the first heartbeat, once it is known whether another node is alive. A node that was killed counts as alive for two more
    /// seconds; a round that falls due in that time must not be sold, as there is nothing that takes bids.
    /// - Parameter uptime: A reading of the monotonic clock, in nanoseconds.
    /// - Returns: Whether this node has to extend deadlines of open rounds before it serves clients; nil if it has to ask again soon.
    package mutating func begin(_ log: any SharedEventLog, at uptime: Int64) throws(EventLogError) -> Bool? {
        let liveness = try log.liveness()
        guard let isAlone = isAlone(liveness.nodes, at: uptime) else { return nil }
        let beat = try log.heartbeat(of: node, silentSince: isAlone ? liveness.lastHeartbeat : nil)
        // Also without a deadline to extend: the start hands in a recovery of no rooms, and another must not begin before its end.
        isRecovering = true
        if let outage = beat.outage { return try claim(outage, log) }
        return beat.liveNodes <= 1
    }

    /// Whether none of the nodes is alive: one is if it sends a heartbeat while this one waits for that; nil if it still may.
    private mutating func isAlone(_ nodes: [NodeID: Timestamp], at uptime: Int64) -> Bool? {
        guard !nodes.isEmpty else { return true }
        guard let found else {
            found = (nodes, uptime)
            return nil
        }
        if nodes.contains(where: { found.nodes[$0.key] != $0.value }) { return false }
        // If the log's clock was set back, the heartbeats of the dead do not grow old by it.
        return uptime - found.uptime > Heartbeat.timeoutMilliseconds * 1_000_000 ? true : nil
    }

    /// Sends a later heartbeat.
    /// - Returns: The rooms whose deadlines this node has to extend now; nil if there was no outage or another node has claimed it.
    package mutating func beat(_ log: any SharedEventLog) throws(EventLogError) -> [PendingRoom]? {
        let beat = try log.heartbeat(of: node)
        guard let outage = beat.outage, !isRecovering else { return nil }
        guard skippedBeats == 0 else {
            skippedBeats -= 1
            return nil
        }
        guard try claim(outage, log) else { return nil }
        var open = try log.pendingRooms()
        open.removeAll { !lastResult.isUnfinished($0.room) }
        isRecovering = true
        return open
    }

    /// Settles the claimed outage after the recovery that `begin` or `beat` asked for. If that was not complete, the next heartbeat
    /// finds the outage unsettled, and this node recovers again; after several such recoveries only every few seconds.
    package mutating func recovered(_ result: RecoveryResult, _ log: any SharedEventLog) throws(EventLogError) {
        isRecovering = false
        if claimed != nil { lastResult = result }
        guard result == .complete else {
            skippedBeats = min((1 << min(incompleteRecoveries, 4)) - 1, Self.maximumSkippedBeats)
            incompleteRecoveries += 1
            return
        }
        (incompleteRecoveries, skippedBeats) = (0, 0)
        guard let id = claimed else { return }
        try log.settleOutage(id, by: node)
        // Another history of the log, as after a failover, may give the next outage the same identifier.
        (claimed, lastResult) = (nil, .failed)
    }

    private mutating func claim(_ outage: Outage, _ log: any SharedEventLog) throws(EventLogError) -> Bool {
        if let other = outage.claimedBy, other != node { return false }
        guard try log.claimOutage(outage.id, by: node) else { return false }
        if claimed != outage.id { lastResult = .failed }
        claimed = outage.id
        return true
    }
}
