package import AuctionDomain
package import EventLog

extension InMemoryEventLog {
    /// See `EventLog.load`.
    package func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? {
        try withState { state in
            guard let stored = state.rooms[room] else { return nil }
            let start = stored.snapshot?.seq ?? 0
            var newest = NewestKeys(keys)
            let responses = state.responses.enumerated().reversed().compactMap { offset, response -> StoredKey? in
                guard response.room == room, let key = response.key(at: state.deletedCount + Int64(offset) + 1),
                    newest.take(key.owner, at: key.at)
                else { return nil }
                return key
            }
            return LoadedHistory(
                head: stored.head, snapshot: stored.snapshot, events: Array(stored.events[start...]),
                hashAtSnapshot: start > 0 ? stored.events[start - 1].hash : .zero, responses: responses.reversed())
        }
    }

    /// See `EventLog.events`.
    package func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        try withState { state in
            guard let stored = state.rooms[room] else { return [] }
            return Array(stored.events.dropFirst(max(after, 0)).prefix(max(limit, 0)).prefix(bytes: bytes))
        }
    }

    /// See `EventLog.storedResponse(at:)`.
    package func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse? {
        try withState { state in state.index(of: position).flatMap { state.responses[$0].record } }
    }

    /// See `EventLog.pendingRooms`.
    package func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        try withState { state in
            state.order.compactMap { id in
                guard let status = state.rooms[id]?.status, status.isOpen else { return nil }
                // As the stores do: other nodes of a shared log may change the deadline.
                return PendingRoom(room: id, endsAt: clock == nil && status.isDueAtEnd ? status.endsAt : nil)
            }
        }
    }

    /// See `EventLog.rooms`.
    package func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        try withState { state in
            var rows: [RoomRow] = []
            let last = min(Int(clamping: max(query.after ?? .max, 1) - 1), state.order.count)
            for id in state.order.prefix(last).reversed() where rows.count < query.limit {
                guard let room = state.rooms[id], query.shows(room) else { continue }
                rows.append(room.row(id))
            }
            return rows
        }
    }

    /// See `EventLog.openRoomCount`.
    package func openRoomCount(of host: UserID) throws(EventLogError) -> Int {
        try withState { state in
            state.rooms.values.count { !$0.status.isArchived && $0.profile.host.id == host }
        }
    }
}

extension RoomQuery {
    fileprivate func shows(_ room: InMemoryEventLog.Room) -> Bool {
        if room.status.isArchived { return false }
        if let state, state != room.status.state { return false }
        if isComplete { return host == nil || room.profile.host.id == host }
        return room.profile.visibility == "public" || (viewer != nil && room.profile.host.id == viewer)
    }
}
