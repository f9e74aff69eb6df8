import EventLog
import GRDB

/// The readable rows of a damaged file, found without its indexes, by scanning row by row.
///
/// SQLite stops a query at the first unreadable page. The rows of other pages are intact, so the scan continues after each
/// unreadable page at the next row number that can be read.
struct DamagedFileScan {
    /// Rooms with a readable row.
    var rooms: [SQLiteArchive.Entry] = []
    /// Events by `room.number`, sorted by `seq`.
    var events: [Int64: [(seq: Int, position: Int64)]] = [:]

    init(_ db: Database) throws {
        var snapshots: [Int64: Int] = [:]
        let ceiling = Self.ceiling(db)
        try Self.forEachRow(of: "snapshot", "seq", through: ceiling, db) { snapshots[try $0.long(0)] = try $0.integer(1) }
        try Self.forEachRow(of: "room", "seq, tip, id", through: ceiling, db) { row in
            let number = try row.long(0)
            rooms.append(
                SQLiteArchive.Entry(
                    id: try row.identifier(3), number: number,
                    head: RoomHead(seq: try row.integer(1), headHash: try row.bits(2)),
                    snapshotSeq: snapshots[number]))
        }
        try Self.forEachRow(of: "event", "room, seq", through: ceiling, db) { row in
            let (position, seq) = (try row.long(0), try row.integer(2))
            // A `seq` above the number of events in the file cannot have been written by this program.
            guard seq >= 1, seq <= max(ceiling, position) else { return }
            events[try row.long(1), default: []].append((seq, position))
        }
        for number in events.keys { events[number]?.sort { ($0.seq, $0.position) < ($1.seq, $1.position) } }
    }

    /// Calls `body` for every readable row, in order of row number. Rows that cannot be decoded are skipped.
    private static func forEachRow(
        of table: String, _ columns: String, through ceiling: Int64, _ db: Database, _ body: (Row) throws -> Void
    ) throws {
        var next: Int64 = 1
        while true {
            do {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT rowid, \(columns) FROM \(table) WHERE rowid >= ? ORDER BY rowid", arguments: [next])
                while let row = try rows.next() {
                    // In a damaged page, row numbers may be arbitrary and unordered.
                    let number = try row.long(0)
                    guard number < .max else { return }
                    next = max(next, number + 1)
                    do { try body(row) } catch is UnreadableRow { continue }
                }
                return
            } catch let error as DatabaseError where error.isDamage {
                guard let nextReadable = try nextReadable(after: next, through: ceiling, table, db) else { return }
                next = nextReadable
            }
        }
    }

    /// The next row number, existing or not, at which the table can be read again; nil if there is none.
    private static func nextReadable(
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

    /// An upper bound of row numbers and `seq`, from all sources that can be read.
    private static func ceiling(_ db: Database) -> Int64 {
        let sources = [
            "SELECT max(position) FROM event", "SELECT event FROM flushed", "SELECT max(position) FROM event_index",
            "SELECT max(number) FROM room", "SELECT sum(seq) FROM room",
        ]
        return sources.compactMap { try? Int64.fetchOne(db, sql: $0) }.max() ?? 0
    }
}

extension Error {
    /// Whether the error means that the file is damaged.
    var isDamage: Bool {
        guard let error = self as? DatabaseError else { return self is UnreadableRow }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }
}
