import AuctionDomain
import CSQLite
import EventLog
import Synchronization

/// One pass over the rooms that had pending changes when it began.
struct FlushRound {
    /// Sorted by `room.number`, the order of the index and the table.
    let rooms: [RoomID]
    /// Number of completed rooms.
    var done = 0
    /// Last event position that is flushed when the round is complete.
    let event: Int64
    /// Last response position that is flushed when the round is complete.
    let response: Int64
}

/// Updates the event index and the rooms' rows with appended events and responses.
///
/// At any time the index contains a prefix of each room's history, on which readers rely. A flush need not be durable by itself,
/// because it can be repeated from the events; the sync of a later append covers it.
extension SQLiteWriter {
    /// Commits the next slice of a round; short, so that a waiting append can run between two slices.
    /// - Returns: Whether the round has further slices.
    func flushSlice() throws -> Bool { try connection.use { try flushSlice($0) } }

    /// Completes the current round and then flushes everything that was pending at the time of the call.
    func flushAll() throws {
        for _ in 0..<2 { while try flushSlice() {} }
    }

    func flushSlice(_ db: Connection) throws -> Bool {
        guard var round = round ?? beginRound() else { return false }
        let slice = nextSlice(of: &round)
        let isOver = round.done == round.rooms.count
        do {
            try withoutSync(db) {
                try transaction(db) { statements in
                    for part in slice { try statements.flush(part) }
                    guard isOver else { return }
                    try statements.markFlushed.run {
                        $0.add(round.event)
                        $0.add(round.response)
                    }
                }
            }
        } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
            throw SQLiteError(unreadable: "an event has the number of another one: \(error.message)")
        }
        cache.flushed(slice)
        self.round = isOver ? nil : round
        let rows = slice.reduce(0) { $0 + $1.positions.count }
        pagesWritten.add(3 + 2 * slice.count + rows / 128, ordering: .relaxed)
        return !isOver
    }

    private func beginRound() -> FlushRound? {
        let rooms = cache.takePending()
        if rooms.isEmpty { return nil }
        let round = FlushRound(
            rooms: rooms.sorted { $0.number < $1.number }.map(\.id), event: next.event - 1, response: next.response - 1)
        // Stored before the first slice, so that the list of rooms is not lost if that slice fails.
        self.round = round
        return round
    }

    private func nextSlice(of round: inout FlushRound) -> [Backlog] {
        var slice: [Backlog] = []
        var rows = 0
        while round.done < round.rooms.count, slice.count < limits.roomsPerSlice, rows < limits.eventsPerSlice {
            let id = round.rooms[round.done]
            guard let part = cache.backlog(of: id, through: round.event, limit: limits.eventsPerSlice - rows) else {
                // The room was evicted, so nothing of it is pending.
                round.done += 1
                continue
            }
            slice.append(part)
            rows += part.positions.count
            if !part.isComplete { break }
            round.done += 1
        }
        return slice
    }

    /// Runs `body` with syncs disabled, so that a slow disk does not delay the committer once per slice.
    func withoutSync(_ db: Connection, _ body: () throws -> Void) throws {
        try db.execute("PRAGMA synchronous = NORMAL")
        do {
            try body()
        } catch {
            try db.execute("PRAGMA synchronous = FULL")
            throw error
        }
        try db.execute("PRAGMA synchronous = FULL")
    }
}
