package import AuctionDomain
package import EventLog

extension InMemoryEventLog: RoomPruning {
    /// See `RoomPruning.prunableRooms`.
    package func prunableRooms(
        before cutoff: Timestamp, after number: Int64, limit: Int
    ) throws(EventLogError) -> [PrunableRoom] {
        try withState { state in
            let rooms = state.order.dropLast().compactMap { state.prunable($0) }
            return Array(rooms.filter { $0.number > number && state.isOld($0, cutoff) }.prefix(max(limit, 0)))
        }
    }

    /// See `RoomPruning.prune`.
    package func prune(_ room: PrunableRoom) throws(EventLogError) -> Bool {
        try withState { state in
            guard state.prunable(room.id) == room else { return false }
            state.rooms[room.id] = nil
            for index in state.responses.indices where state.responses[index].room == room.id {
                state.responses[index].record = nil
            }
            for user in state.participations.keys { state.participations[user]?[room.id] = nil }
            for user in state.wins.keys { state.wins[user]?.removeAll { $0.room == room.id } }
            state.prunings += 1
            if state.prunedEnd.number < room.end.number { state.prunedEnd = room.end }
            return true
        }
    }

    /// See `RoomPruning.deletePrunedRows`; there are none.
    package func deletePrunedRows() throws(EventLogError) -> Bool { false }
}

extension InMemoryEventLog.State {
    fileprivate func isOld(_ room: PrunableRoom, _ cutoff: Timestamp) -> Bool {
        rooms[room.id]?.events.last.map { $0.at < cutoff } ?? false
    }

    fileprivate func prunable(_ id: RoomID) -> PrunableRoom? {
        guard let room = rooms[id], room.status.isArchived, let index = feed.lastIndex(where: { $0.room == id }),
            index + 1 < feed.count, let end = feedEvent(index + 1)?.position
        else { return nil }
        return PrunableRoom(id: id, number: room.position, seq: room.head.seq, isWhole: true, end: end)
    }
}
