public import AuctionDomain
internal import Dispatch

extension InMemoryEventLog: SharedEventLog {
    /// Of one that was opened without a clock: the first instant for ever.
    private var now: Timestamp { clock?() ?? Timestamp(milliseconds: 0) }

    public func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        try open { state in rooms.map { state.rooms[$0]?.head ?? .none } }
    }

    public func advance(
        of room: RoomID, since head: RoomHead, answersAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomAdvance? {
        try open { state in
            guard let stored = state.rooms[room], head.seq >= 0, head.seq <= stored.head.seq else { return nil }
            let tip = head.seq == 0 ? 0 : stored.events[head.seq - 1].hash.tip
            let events = stored.events[head.seq...]
            guard tip == head.tip, events.count <= limit else { return nil }
            let answers = state.answers.enumerated().compactMap { offset, answer -> StoredKey? in
                let position = state.expired + Int64(offset) + 1
                guard answer.room == room, position > answersAfter else { return nil }
                return answer.key(at: position)
            }
            return RoomAdvance(head: stored.head, events: Array(events), answers: answers)
        }
    }

    public func awaitNotice(for node: NodeID, milliseconds: Int) throws(EventLogError) -> LogNotice? {
        let signal = try open { state in
            let listener = state.nodes.listeners[node] ?? Listener()
            state.nodes.listeners[node] = listener
            return listener.signal
        }
        _ = signal.wait(timeout: .now() + .milliseconds(milliseconds))
        let rooms = try open { state in
            defer { state.nodes.listeners[node]?.rooms = [] }
            return state.nodes.listeners[node]?.rooms ?? []
        }
        return rooms.isEmpty ? nil : .rooms(Set(rooms).sorted())
    }

    public func time(at monotonic: Int64) -> Timestamp? { clock?() }

    public func overdueRooms(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        let latest = Timestamp(milliseconds: now.milliseconds - milliseconds)
        return try open { state in
            let overdue = state.rooms.compactMap { id, room -> (due: Timestamp, id: RoomID)? in
                guard room.status.isOpen, let due = room.dueAt, due <= latest else { return nil }
                return (due, id)
            }
            return overdue.sorted { $0 < $1 }.prefix(max(0, limit)).map(\.id)
        }
    }

    public func heartbeat(of node: NodeID) throws(EventLogError) -> Heartbeat {
        let now = now
        return try open { $0.nodes.heartbeat(of: node, at: now) }
    }

    public func retire(_ node: NodeID) throws(EventLogError) {
        try open { state in
            state.nodes.seen[node] = nil
            state.nodes.presence[node] = nil
            state.nodes.listeners[node] = nil
        }
    }

    public func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        let now = now
        return try open { $0.nodes.claim(id, by: node, at: now) }
    }

    public func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try open { $0.nodes.settle(id, by: node) }
    }

    public func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try open { state in
            let secret = state.nodes.secrets[name] ?? candidate
            state.nodes.secrets[name] = secret
            return secret
        }
    }

    public func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        let now = now
        try open { state in
            state.nodes.put(
                key, Ticket(owner: owner, content: content, expiresAt: expiresAt), perOwner: perOwner, at: now)
        }
    }

    public func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        let now = now
        return try open { state in
            guard let ticket = state.nodes.tickets.removeValue(forKey: key), ticket.expiresAt > now else { return nil }
            return ticket.content
        }
    }

    public func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        try open { state in
            for report in presence { state.nodes.presence[node, default: [:]][report.room] = report.isEmpty ? nil : report }
        }
    }

    public func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        let now = now
        return try open { state in
            let others = state.nodes.presence.filter { $0.key != node && state.nodes.isLive($0.key, at: now) }.values
            return rooms.compactMap { room -> RoomPresenceReport? in
                let reports = others.compactMap { $0[room] }
                guard !reports.isEmpty else { return nil }
                return RoomPresenceReport(
                    room: room, count: reports.reduce(0) { $0 + $1.count }, people: Set(reports.flatMap(\.people)).sorted())
            }
        }
    }

    public func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        let now = now
        try open { state in
            state.nodes.revocations.removeAll { $0.until <= now }
            for revocation in revocations {
                let fresh = Revocation(key: revocation.key, at: now, until: revocation.until, before: revocation.before)
                let known = state.nodes.revocations.first { $0.key == fresh.key }
                state.nodes.revocations.removeAll { $0.key == fresh.key }
                state.nodes.revocations.append(known.map { fresh.joined(with: $0) } ?? fresh)
            }
        }
    }

    public func restore(_ keys: [UInt128]) throws(EventLogError) {
        try open { state in state.nodes.revocations.removeAll { keys.contains($0.key) } }
    }

    public func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        let now = now
        return try open { state in state.nodes.revocations.filter { $0.at >= since && $0.until > now } }
    }
}

extension AppendVerdict {
    /// Whether it is durable.
    var isAppended: Bool {
        if case .appended = self { true } else { false }
    }
}
