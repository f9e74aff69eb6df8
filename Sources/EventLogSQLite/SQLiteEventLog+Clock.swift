package import AuctionDomain
package import EventLog
import GRDB
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
            let rows = try Row.fetchCursor(
                db, sql: "SELECT at, public FROM event WHERE typeof(at) = 'integer' ORDER BY position DESC LIMIT ?",
                arguments: [Self.eventsExamined])
            while let row = try rows.next() {
                let instant = try row.instant(0)
                if try EventCodec.instant(in: row.bytes(1)) == instant { return instant }
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
                let rows = try Row.fetchAll(db, sql: "SELECT from_at, to_at FROM clock_jump ORDER BY to_at")
                return try rows.compactMap { row in
                    let jump = ClockJump(from: try row.instant(0), to: try row.instant(1))
                    return Self.isSound(jump) ? jump : nil
                }
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
        try queue.writeWithoutTransaction { db in
            try transaction(db) { _ in
                try db.execute(sql: "DELETE FROM clock_jump")
                for jump in jumps {
                    try db.execute(
                        sql: "INSERT INTO clock_jump VALUES (?, ?)",
                        arguments: [jump.from.milliseconds, jump.to.milliseconds])
                }
            }
        }
    }
}
