package import AuctionDomain
package import EventLog

/// What a node owes to those that it shares a log with: to say that it lives, and to see to outages, times in which no node did.
///
/// Whoever claims an outage moves the ends that it ate; until then the log lets nobody close what fell due in it. A node that
/// starts while another one lives moves nothing. A value; who holds it says when.
package struct NodeDuty: Sendable {
    /// How often `beat` is to be called.
    package static let beatMilliseconds: Int64 = 500

    package let node: NodeID
    /// The outage whose ends this node moves.
    private var claimed: Int64?
    private var isRecovering = false

    package init(_ node: NodeID) { self.node = node }

    /// The first heartbeat.
    /// - Returns: Whether this node has to move the ends of open rounds before it serves.
    package mutating func begin(_ log: any SharedEventLog) throws(EventLogError) -> Bool {
        let beat = try log.heartbeat(of: node)
        if let outage = beat.outage {
            guard try claim(outage, log) else { return false }
        } else if beat.liveNodes > 1 {
            return false
        }
        isRecovering = true
        return true
    }

    /// A later heartbeat.
    /// - Returns: The rooms whose ends this node has to move now; nil: there was no outage, or it is another node's.
    package mutating func beat(_ log: any SharedEventLog) throws(EventLogError) -> [RoomID]? {
        let beat = try log.heartbeat(of: node)
        guard let outage = beat.outage, !isRecovering, try claim(outage, log) else { return nil }
        let open = try log.openRooms()
        isRecovering = true
        return open
    }

    /// Everything that `begin` or `beat` asked for is done, or could not be: then the next heartbeat finds the outage
    /// unsettled, and this node's.
    package mutating func recovered(isComplete: Bool, _ log: any SharedEventLog) throws(EventLogError) {
        isRecovering = false
        guard isComplete, let id = claimed else { return }
        try log.settleOutage(id, by: node)
    }

    private mutating func claim(_ outage: Outage, _ log: any SharedEventLog) throws(EventLogError) -> Bool {
        if let other = outage.claimedBy, other != node { return false }
        guard try log.claimOutage(outage.id, by: node) else { return false }
        claimed = outage.id
        return true
    }
}
