import EventLog

/// The readable rows of a damaged file, found without its indexes, by scanning row by row.
///
/// SQLite stops a query at the first unreadable page. The rows of other pages are intact, so the scan continues after each
/// unreadable page at the next row number that can be read.
struct DamagedFileScan {
    /// Rooms with a readable row.
    var rooms: [SQLiteArchive.Entry] = []
    /// Events by `room.number`, sorted by `seq`.
    var events: [Int64: [(seq: Int, position: Int64)]] = [:]

    init(_ db: Connection) throws(SQLiteError) {
        var snapshots: [Int64: Int] = [:]
        let ceiling = Self.ceiling(db)
        try Self.forEachRow(of: "snapshot", "seq", through: ceiling, db) { row throws(SQLiteError) in
            snapshots[try row.long(0)] = try row.integer(1)
        }
        try Self.forEachRow(of: "room", "seq, tip, id", through: ceiling, db) { row throws(SQLiteError) in
            let number = try row.long(0)
            rooms.append(
                SQLiteArchive.Entry(
                    id: try row.identifier(3), number: number,
                    head: RoomHead(seq: try row.integer(1), headHash: try row.bits(2)),
                    snapshotSeq: snapshots[number]))
        }
        try Self.forEachRow(of: "event", "room, seq", through: ceiling, db) { row throws(SQLiteError) in
            let (position, seq) = (try row.long(0), try row.integer(2))
            // A `seq` above the number of events in the file cannot have been written by this program.
            guard seq >= 1, seq <= max(ceiling, position) else { return }
            events[try row.long(1), default: []].append((seq, position))
        }
        for number in events.keys { events[number]?.sort { ($0.seq, $0.position) < ($1.seq, $1.position) } }
    }

    /// Calls `body` for every readable row, in order of row number. Rows that cannot be decoded are skipped.
    private static func forEachRow(
        of table: String, _ columns: String, through ceiling: Int64, _ db: Connection,
        _ body: (borrowing Rows) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var next: Int64 = 1
        while true {
            do throws(SQLiteError) {
                var rows = try db.rows(.kept("SELECT rowid, \(columns) FROM \(table) WHERE rowid >= ? ORDER BY rowid"), next)
                while try rows.next() {
                    // In a damaged page, row numbers may be arbitrary and unordered.
                    let number = try rows.long(0)
                    guard number < .max else { return }
                    next = max(next, number + 1)
                    do throws(SQLiteError) { try body(rows) } catch  where error.kind == .unreadable { continue }
                }
                return
            } catch  where error.isDamage {
                guard let nextReadable = try nextReadable(after: next, through: ceiling, table, db) else { return }
                next = nextReadable
            }
        }
    }

    /// The next row number, existing or not, at which the table can be read again; nil if there is none.
    private static func nextReadable(
        after damaged: Int64, through ceiling: Int64, _ table: String, _ db: Connection
    ) throws(SQLiteError) -> Int64? {
        var number = damaged + 1
        while number <= ceiling {
            do throws(SQLiteError) {
                _ = try db.long(.kept("SELECT rowid FROM \(table) WHERE rowid >= ? ORDER BY rowid LIMIT 1"), number)
                return number
            } catch  where error.isDamage {
                number += 1
            }
        }
        return nil
    }

    /// An upper bound of row numbers and `seq`, from all sources that can be read.
    private static func ceiling(_ db: Connection) -> Int64 {
        let sources: [SQL] = [
            "SELECT max(position) FROM event", "SELECT event FROM flushed", "SELECT max(position) FROM event_index",
            "SELECT max(number) FROM room", "SELECT sum(seq) FROM room",
        ]
        return sources.compactMap { try? db.long($0) }.max() ?? 0
    }
}
