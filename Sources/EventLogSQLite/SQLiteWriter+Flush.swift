import AuctionDomain
import EventLog
import GRDB
import Synchronization

/// One pass over the rooms that were behind when it began.
struct FlushRound {
    /// By number, which is their order in the index and in the table of rooms.
    let rooms: [RoomID]
    /// How many of them are.
    var done = 0
    /// Everything up to here is flushed once the round is over.
    let event: Int64
    let answer: Int64
}

/// Lets the index of events and the rooms' rows follow what was appended.
///
/// A room's part of the index is a prefix of its history at any time: what readers rely on. Nothing here has to be
/// durable by itself, as it can be had again from the events; a later append's sync covers it.
extension SQLiteWriter {
    /// Commits the next slice of a round; short, so that whoever waits to append can go between two.
    /// - Returns: Whether there is more to do in this round.
    func flushSlice() throws -> Bool { try queue.writeWithoutTransaction { try flushSlice($0) } }

    /// Everything that was there when it was called, after the round that was under way.
    func flushAll() throws {
        for _ in 0..<2 { while try flushSlice() {} }
    }

    func flushSlice(_ db: Database) throws -> Bool {
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
                        $0.add(round.answer)
                    }
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw UnreadableRow(what: "an event has the number of another one: \(error.message ?? "unknown")")
        }
        live.flushed(slice)
        self.round = isOver ? nil : round
        let rows = slice.reduce(0) { $0 + $1.positions.count }
        pagesWritten.add(3 + 2 * slice.count + rows / 128, ordering: .relaxed)
        return !isOver
    }

    private func beginRound() -> FlushRound? {
        let rooms = live.takeListed()
        if rooms.isEmpty { return nil }
        let round = FlushRound(
            rooms: rooms.sorted { $0.number < $1.number }.map(\.id), event: next.event - 1, answer: next.answer - 1)
        // Kept at once: should the first slice fail, the rooms are still on this list.
        self.round = round
        return round
    }

    private func nextSlice(of round: inout FlushRound) -> [Backlog] {
        var slice: [Backlog] = []
        var rows = 0
        while round.done < round.rooms.count, slice.count < limits.flushedRooms, rows < limits.flushedEvents {
            let id = round.rooms[round.done]
            guard let part = live.backlog(of: id, through: round.event, limit: limits.flushedEvents - rows) else {
                // Nothing is known of it any more, so nothing is behind; a round always comes to its end.
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

    /// A disk that syncs slowly would hold up the committer once per slice for what needs no sync.
    private func withoutSync(_ db: Database, _ body: () throws -> Void) throws {
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        do {
            try body()
        } catch {
            try db.execute(sql: "PRAGMA synchronous = FULL")
            throw error
        }
        try db.execute(sql: "PRAGMA synchronous = FULL")
    }
}
