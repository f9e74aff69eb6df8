internal import AuctionDomain
internal import EventLog
internal import Dispatch

extension InMemoryEventLog {
    /// State shared by nodes, other than rooms.
    struct Nodes {
        /// Time of each node's last heartbeat.
        var lastHeartbeats: [NodeID: Timestamp] = [:]
        /// Time of the last heartbeat of any node.
        var lastHeartbeat: Timestamp?
        /// Unsettled outages, oldest first.
        var outages: [Outage] = []
        var nextOutage: Int64 = 1
        var secrets: [String: [UInt8]] = [:]
        var tickets: [UInt128: Ticket] = [:]
        /// Keys of tickets in order of creation, including some that were redeemed or have expired.
        var ticketOrder: [UInt128] = []
        var presence: [NodeID: [RoomID: RoomPresenceReport]] = [:]
        var revocations: [Revocation] = []
        var listeners: [NodeID: Listener] = [:]
    }

    struct Ticket {
        let owner: UserID
        let content: [UInt8]
        let expiresAt: Timestamp
    }

    struct Listener {
        var rooms: [RoomID] = []
        let signal = DispatchSemaphore(value: 0)
    }
}

extension InMemoryEventLog.Nodes {
    func isLive(_ node: NodeID, at now: Timestamp) -> Bool {
        lastHeartbeats[node].map { now.milliseconds(since: $0) <= Heartbeat.timeoutMilliseconds } ?? false
    }

    mutating func heartbeat(of node: NodeID, silentSince: Timestamp?, at now: Timestamp) -> Heartbeat {
        if let lastHeartbeat,
            now.milliseconds(since: lastHeartbeat) > Outage.minimumMilliseconds || lastHeartbeat == silentSince
        {
            outages.append(Outage(id: nextOutage, from: min(lastHeartbeat, now), until: now, claimedBy: nil))
            nextOutage += 1
        }
        lastHeartbeat = now
        lastHeartbeats[node] = now
        let outage = outages.first.map { outage in
            let claimer = outage.claimedBy.flatMap { isLive($0, at: now) ? $0 : nil }
            return Outage(id: outage.id, from: outage.from, until: outage.until, claimedBy: claimer)
        }
        return Heartbeat(at: now, liveNodes: lastHeartbeats.keys.count { isLive($0, at: now) }, outage: outage)
    }

    mutating func claim(_ id: Int64, by node: NodeID, at now: Timestamp) -> Bool {
        guard let index = outages.firstIndex(where: { $0.id == id }) else { return false }
        let outage = outages[index]
        if let claimer = outage.claimedBy, claimer != node, isLive(claimer, at: now) { return false }
        outages[index] = Outage(id: id, from: outage.from, until: outage.until, claimedBy: node)
        return true
    }

    mutating func settle(_ id: Int64, by node: NodeID) -> Bool {
        guard let index = outages.firstIndex(where: { $0.id == id && $0.claimedBy == node }) else { return false }
        outages.remove(at: index)
        return true
    }

    mutating func notify(_ rooms: [RoomID]) {
        if rooms.isEmpty { return }
        for node in listeners.keys {
            listeners[node]?.rooms += rooms
            listeners[node]?.signal.signal()
        }
    }

    mutating func put(_ key: UInt128, _ ticket: InMemoryEventLog.Ticket, perOwner: Int, at now: Timestamp) {
        ticketOrder.removeAll { tickets[$0].map { $0.expiresAt <= now } ?? true }
        tickets = tickets.filter { $0.value.expiresAt > now }
        let own = ticketOrder.filter { tickets[$0]?.owner == ticket.owner }
        for old in own.prefix(max(0, own.count + 1 - perOwner)) { tickets[old] = nil }
        tickets[key] = ticket
        ticketOrder.append(key)
    }
}
