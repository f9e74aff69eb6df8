package import AuctionDomain
package import EventLog
import Synchronization

// From these values the service's clock continues after a restart, so that it never runs backwards.
extension SQLiteEventLog {
    /// Time of the event with the highest position. Time does not run backwards, so no other event is newer by more than the duration
    /// of a batch.
    ///
    /// No hash covers the column `at`, and with a damaged one the service would run centuries ahead for good: only a time that the
    /// event's JSON has too counts, of the newest events that are examined.
    package func newestEventTime() throws(EventLogError) -> Timestamp? {
        try reading("find the newest event") { db -> Timestamp? in
            var rows = try db.rows(
                "SELECT at, public FROM event WHERE typeof(at) = 'integer' ORDER BY position DESC LIMIT ?",
                Self.eventsExamined)
            while try rows.next() {
                let instant = try rows.instant(0)
                if try EventCodec.instant(in: rows.bytes(1)) == instant { return instant }
            }
            return nil
        }
    }

    /// How many events `newestEventTime` examines at most; all but the first only after damage.
    private static let eventsExamined = 100

    /// The recorded clock jumps, oldest first, without invalid ones; empty if the table is damaged.
    package func clockJumps() throws(EventLogError) -> [ClockJump] {
        try reading("read the clock's jumps") { db in
            do {
                var rows = try db.rows("SELECT from_at, to_at FROM clock_jump ORDER BY to_at")
                let jumps = try rows.map { row throws(SQLiteError) in
                    ClockJump(from: try row.instant(0), to: try row.instant(1))
                }
                return jumps.filter(Self.isSound)
            } catch let error where error.isDamage {
                // Without the jumps, keys and tokens from before a jump only expire earlier, which must not prevent a start.
                return []
            }
        }
    }

    /// Replaces the recorded clock jumps in one durable transaction.
    package func keep(_ jumps: [ClockJump]) throws(EventLogError) {
        try writing("keep the clock's jumps") { try writer.keep(jumps) }
    }

    /// Rejects values from a damaged file with which arithmetic could overflow.
    private static func isSound(_ jump: ClockJump) -> Bool {
        0 <= jump.from.milliseconds && jump.from < jump.to && jump.to.milliseconds < 9_000_000_000_000
    }
}

extension SQLiteWriter {
    func keep(_ jumps: [ClockJump]) throws {
        pagesWritten.add(3, ordering: .relaxed)
        try connection.use { db in
            try transaction(db) { _ in
                try db.run("DELETE FROM clock_jump")
                for jump in jumps { try db.run("INSERT INTO clock_jump VALUES (?, ?)", jump.from, jump.to) }
            }
        }
    }
}
