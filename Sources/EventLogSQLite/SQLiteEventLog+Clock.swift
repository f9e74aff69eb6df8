public import AuctionDomain
public import EventLog
import GRDB
import Synchronization

// What the service's time goes on from after a restart.
extension SQLiteEventLog {
    /// Of the event with the highest position: time only goes forward, so no other one is newer by more than a batch took.
    public func newestEventTime() throws(EventLogError) -> Timestamp? {
        try reading("find the newest event") { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT at FROM event WHERE typeof(at) = 'integer' ORDER BY position DESC LIMIT 1")
            return try row?.instant(0)
        }
    }

    public func clockJumps() throws(EventLogError) -> [ClockJump] {
        try reading("read the clock's jumps") { db in
            do {
                let rows = try Row.fetchAll(db, sql: "SELECT from_at, to_at FROM clock_jump ORDER BY to_at")
                return try rows.compactMap { row in
                    let jump = ClockJump(from: try row.instant(0), to: try row.instant(1))
                    return Self.isSound(jump) ? jump : nil
                }
            } catch let error where error.isDamage {
                // Without them keys and tokens of before a jump are older than they should be: no reason not to start.
                return []
            }
        }
    }

    public func keep(_ jumps: [ClockJump]) throws(EventLogError) {
        try writing("keep the clock's jumps") { try writer.keep(jumps) }
    }

    /// Whatever a broken file holds may be computed with.
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
