package import AuctionDomain
package import EventLog
internal import Dispatch

extension InMemoryEventLog: SharedEventLog {
    /// The log's time; constantly the epoch for a log that was opened without a clock.
    private var now: Timestamp { clock?() ?? Timestamp(milliseconds: 0) }

    /// See `SharedEventLog.heads`.
    package func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        try withState { state in rooms.map { state.rooms[$0]?.head ?? .none } }
    }

    /// See `SharedEventLog.changes`.
    package func changes(
        of room: RoomID, since head: RoomHead, responsesAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomChanges? {
        try withState { state in
            guard let stored = state.rooms[room], head.seq >= 0, head.seq <= stored.head.seq else { return nil }
            let headHash = head.seq == 0 ? 0 : stored.events[head.seq - 1].hash.headHash
            let events = stored.events[head.seq...]
            guard headHash == head.headHash, events.count <= limit else { return nil }
            let responses = state.responses.enumerated().compactMap { offset, response -> StoredKey? in
                let position = state.deletedCount + Int64(offset) + 1
                guard response.room == room, position > responsesAfter else { return nil }
                return response.key(at: position)
            }
            return RoomChanges(head: stored.head, events: Array(events), responses: responses)
        }
    }

    /// See `SharedEventLog.awaitNotification`.
    package func awaitNotification(for node: NodeID, milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        let signal = try withState { state in
            let listener = state.nodes.listeners[node] ?? Listener()
            state.nodes.listeners[node] = listener
            return listener.signal
        }
        _ = signal.wait(timeout: .now() + .milliseconds(milliseconds))
        let rooms = try withState { state in
            defer { state.nodes.listeners[node]?.rooms = [] }
            return state.nodes.listeners[node]?.rooms ?? []
        }
        return rooms.isEmpty ? nil : .rooms(Set(rooms).sorted())
    }

    /// The log's clock, whatever the monotonic clock reads.
    package func time(at monotonic: Int64) -> Timestamp? { clock?() }

    /// See `SharedEventLog.roomsPastDeadline`.
    package func roomsPastDeadline(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        let latest = Timestamp(milliseconds: now.milliseconds - milliseconds)
        return try withState { state in
            let expired = state.rooms.compactMap { id, room -> (due: Timestamp, id: RoomID)? in
                guard room.status.isOpen, let due = room.dueAt, due <= latest else { return nil }
                return (due, id)
            }
            return expired.sorted { $0 < $1 }.prefix(max(0, limit)).map(\.id)
        }
    }

    /// See `SharedEventLog.liveness`.
    package func liveness() throws(EventLogError) -> Liveness {
        let now = now
        return try withState { state in
            let live = state.nodes.lastHeartbeats.filter { state.nodes.isLive($0.key, at: now) }
            return Liveness(lastHeartbeat: state.nodes.lastHeartbeat, nodes: live)
        }
    }

    /// See `SharedEventLog.heartbeat`.
    package func heartbeat(of node: NodeID, silentSince: Timestamp?) throws(EventLogError) -> Heartbeat {
        let now = now
        return try withState { $0.nodes.heartbeat(of: node, silentSince: silentSince, at: now) }
    }

    /// See `SharedEventLog.retire`.
    package func retire(_ node: NodeID) throws(EventLogError) {
        try withState { state in
            state.nodes.lastHeartbeats[node] = nil
            state.nodes.presence[node] = nil
            state.nodes.listeners[node] = nil
        }
    }

    /// See `SharedEventLog.claimOutage`.
    package func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        let now = now
        return try withState { $0.nodes.claim(id, by: node, at: now) }
    }

    /// See `SharedEventLog.settleOutage`.
    package func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try withState { $0.nodes.settle(id, by: node) }
    }

    /// See `SharedEventLog.secret`.
    package func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try withState { state in
            let secret = state.nodes.secrets[name] ?? candidate
            state.nodes.secrets[name] = secret
            return secret
        }
    }

    /// See `SharedEventLog.putTicket`.
    package func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        let now = now
        try withState { state in
            state.nodes.put(key, Ticket(owner: owner, content: content, expiresAt: expiresAt), perOwner: perOwner, at: now)
        }
    }

    /// See `SharedEventLog.takeTicket`.
    package func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        let now = now
        return try withState { state in
            guard let ticket = state.nodes.tickets.removeValue(forKey: key), ticket.expiresAt > now else { return nil }
            return ticket.content
        }
    }

    /// See `SharedEventLog.setPresence`.
    package func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        try withState { state in
            for report in presence { state.nodes.presence[node, default: [:]][report.room] = report.isEmpty ? nil : report }
        }
    }

    /// See `SharedEventLog.presence`.
    package func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        let now = now
        return try withState { state in
            let others = state.nodes.presence.filter { $0.key != node && state.nodes.isLive($0.key, at: now) }.values
            return rooms.compactMap { room -> RoomPresenceReport? in
                let reports = others.compactMap { $0[room] }
                guard !reports.isEmpty else { return nil }
                return RoomPresenceReport(
                    room: room, count: reports.reduce(0) { $0 + $1.count }, people: Set(reports.flatMap(\.people)).sorted())
            }
        }
    }

    /// See `SharedEventLog.revoke`.
    package func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        let now = now
        try withState { state in
            state.nodes.revocations.removeAll { $0.until <= now }
            for revocation in revocations {
                let fresh = Revocation(key: revocation.key, at: now, until: revocation.until, before: revocation.before)
                let known = state.nodes.revocations.first { $0.key == fresh.key }
                state.nodes.revocations.removeAll { $0.key == fresh.key }
                state.nodes.revocations.append(known.map { fresh.joined(with: $0) } ?? fresh)
            }
        }
    }

    /// See `SharedEventLog.restore`.
    package func restore(_ keys: [UInt128]) throws(EventLogError) {
        try withState { state in state.nodes.revocations.removeAll { keys.contains($0.key) } }
    }

    /// See `SharedEventLog.revocations`.
    package func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        let now = now
        return try withState { state in state.nodes.revocations.filter { $0.at >= since && $0.until > now } }
    }
}

extension AppendVerdict {
    /// Whether the element was appended.
    var isAppended: Bool {
        if case .appended = self { true } else { false }
    }
}
