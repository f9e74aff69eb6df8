public import AuctionDomain

extension InMemoryEventLog {
    public func load(
        _ room: RoomID, answersSince: Timestamp, answersPerOwner: Int
    ) throws(EventLogError) -> LoadedHistory? {
        try open { state in
            guard let stored = state.rooms[room] else { return nil }
            let start = stored.snapshot?.seq ?? 0
            var newest = NewestKeys(perOwner: answersPerOwner)
            let answers = state.answers.enumerated().reversed().compactMap { offset, answer -> StoredKey? in
                guard answer.room == room, answer.record.at >= answersSince, newest.take(answer.record.owner) else {
                    return nil
                }
                return answer.key(at: state.expired + Int64(offset) + 1)
            }
            return LoadedHistory(
                head: stored.head, snapshot: stored.snapshot, events: Array(stored.events[start...]),
                hashAtSnapshot: start > 0 ? stored.events[start - 1].hash : .zero, answers: answers.reversed())
        }
    }

    public func events(
        of room: RoomID, after: Int, limit: Int, bytes: Int
    ) throws(EventLogError) -> [StoredEvent] {
        try open { state in
            guard let stored = state.rooms[room] else { return [] }
            return Array(stored.events.dropFirst(max(after, 0)).prefix(max(limit, 0)).prefix(bytes: bytes))
        }
    }

    public func answer(at position: Int64) throws(EventLogError) -> AnswerRecord? {
        try open { state in
            guard position > state.expired, position - state.expired <= state.answers.count else { return nil }
            return state.answers[state.answers.startIndex + Int(position - state.expired - 1)].record
        }
    }

    public func openRooms() throws(EventLogError) -> [RoomID] {
        try open { state in
            state.order.filter { id in
                state.rooms[id]?.status.isOpen ?? false
            }
        }
    }

    public func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] {
        try open { state in
            var rows: [RoomRow] = []
            let last = min(Int(clamping: max(query.after ?? .max, 1) - 1), state.order.count)
            for id in state.order.prefix(last).reversed() where rows.count < query.limit {
                guard let room = state.rooms[id], query.shows(room) else { continue }
                rows.append(
                    RoomRow(
                        room: id, position: room.position, head: room.head, profile: room.profile, status: room.status))
            }
            return rows
        }
    }

    public func openRoomCount(of host: UserID) throws(EventLogError) -> Int {
        try open { state in
            state.rooms.values.count { !$0.status.isArchived && $0.profile.host.id == host }
        }
    }
}

extension RoomQuery {
    fileprivate func shows(_ room: InMemoryEventLog.Room) -> Bool {
        if room.status.isArchived { return false }
        if let state, state != room.status.state { return false }
        return room.profile.visibility == "public" || (viewer != nil && room.profile.host.id == viewer)
    }
}
