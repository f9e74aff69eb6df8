import EventLog
import GRDB

/// What can still be read of a damaged file, found without its indexes: row by row, and over the gaps.
///
/// SQLite gives up at the first page that it cannot read. The rows of other pages are as good as before: they are looked
/// for by their number, behind every page that fails.
struct Salvage {
    /// Rooms whose row can be read.
    var rooms: [SQLiteArchive.Entry] = []
    /// Where the events of a room are, by the room's number, in the order of seq.
    var events: [Int64: [(seq: Int, position: Int64)]] = [:]

    init(_ db: Database) throws {
        var snapshots: [Int64: Int] = [:]
        let ceiling = Self.ceiling(db)
        try Self.forEachRow(of: "snapshot", "seq", through: ceiling, db) { snapshots[try $0.long(0)] = try $0.integer(1) }
        try Self.forEachRow(of: "room", "seq, tip, id", through: ceiling, db) { row in
            let number = try row.long(0)
            rooms.append(
                SQLiteArchive.Entry(
                    id: try row.identifier(3), number: number, head: RoomHead(seq: try row.integer(1), tip: try row.bits(2)),
                    snapshotSeq: snapshots[number]))
        }
        try Self.forEachRow(of: "event", "room, seq", through: ceiling, db) { row in
            let (position, seq) = (try row.long(0), try row.integer(2))
            // A room has no more events than there are; anything else is no number that this program wrote.
            guard seq >= 1, seq <= max(ceiling, position) else { return }
            events[try row.long(1), default: []].append((seq, position))
        }
        for number in events.keys { events[number]?.sort { ($0.seq, $0.position) < ($1.seq, $1.position) } }
    }

    /// Visits every row that can be read, in the order of their numbers. One that holds something else than it must is none.
    private static func forEachRow(
        of table: String, _ columns: String, through ceiling: Int64, _ db: Database, _ body: (Row) throws -> Void
    ) throws {
        var next: Int64 = 1
        while true {
            do {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT rowid, \(columns) FROM \(table) WHERE rowid >= ? ORDER BY rowid", arguments: [next])
                while let row = try rows.next() {
                    // Rubbish may be a row of any number, and in any order.
                    let number = try row.long(0)
                    guard number < .max else { return }
                    next = max(next, number + 1)
                    do { try body(row) } catch is UnreadableRow { continue }
                }
                return
            } catch let error as DatabaseError where error.isDamage {
                guard let readable = try readable(after: next, through: ceiling, table, db) else { return }
                next = readable
            }
        }
    }

    /// The next number whose page can be read, whether there is a row of that number or not.
    private static func readable(
        after damaged: Int64, through ceiling: Int64, _ table: String, _ db: Database
    ) throws -> Int64? {
        var number = damaged + 1
        while number <= ceiling {
            do {
                _ = try Row.fetchOne(
                    db, sql: "SELECT rowid FROM \(table) WHERE rowid >= ? ORDER BY rowid LIMIT 1", arguments: [number])
                return number
            } catch let error as DatabaseError where error.isDamage {
                number += 1
            }
        }
        return nil
    }

    /// No row has a higher number, as far as anything that can be read tells.
    private static func ceiling(_ db: Database) -> Int64 {
        let sources = [
            "SELECT max(position) FROM event", "SELECT event FROM flushed", "SELECT max(position) FROM event_index",
            "SELECT max(number) FROM room", "SELECT sum(seq) FROM room",
        ]
        return sources.compactMap { try? Int64.fetchOne(db, sql: $0) }.max() ?? 0
    }
}

extension Error {
    /// Whether the file holds something else than it must.
    var isDamage: Bool {
        guard let error = self as? DatabaseError else { return self is UnreadableRow }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }
}
