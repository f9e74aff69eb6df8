package import AuctionDomain
package import EventLog
import Glibc
import Synchronization

/// Read-only access to a log in a SQLite file, for exports and audits; a server may be running on the file.
///
/// The rooms and the positions of events that are not in the event index yet are read in one transaction when the archive is
/// opened. Later reads find at least as much in the index, so that both together are complete histories regardless of what a server
/// does meanwhile.
///
/// From a damaged file it reads every row whose page is readable (`DamagedFileScan`).
package final class SQLiteArchive: LogArchive {
    struct Entry {
        let id: RoomID
        let number: Int64
        let head: RoomHead
        let snapshotSeq: Int?
        /// Events that may be missing in the index, in order.
        var tail: [(seq: Int, position: Int64)] = []

        var lastSeq: Int { max(head.seq, tail.last?.seq ?? 0) }
    }

    private let path: String
    private let queue: SharedConnection
    private let order: [RoomID]
    private let entries: [RoomID: Entry]
    /// Position of the last event when the archive was opened.
    private let lastPosition: Int64
    /// Rows found by scanning; set when damage is detected.
    private let scan = Mutex<DamagedFileScan?>(nil)

    /// Opens the file and reads the list of rooms.
    /// - Throws: `.unavailable` if the file cannot be read, `.corrupt`, `.newerSchema` or `.io`; the message names the file.
    package init(path: String) throws(EventLogError) {
        // SAFETY: the string lives for the call.
        guard unsafe access(path, R_OK) == 0 else { throw LogFile.failure("read", path) }
        self.path = path
        let (queue, found, scan, last) = try EventLogError.translating("read the log", path: path) {
            let queue = try SharedConnection(path, Connections.damageTolerantReader)
            return try queue.snapshot { db in
                try Schema.check(db, path: path)
                do {
                    let last = try db.long("SELECT max(position) FROM event") ?? 0
                    return (queue, try Self.readRooms(db), DamagedFileScan?.none, last)
                } catch let error where error.isDamage {
                    let scan = try DamagedFileScan(db)
                    return (queue, scan.rooms, scan, 0)
                }
            }
        }
        self.queue = queue
        lastPosition = last
        order = found.map(\.id)
        entries = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.scan.withLock { $0 = scan }
    }

    /// See `LogArchive.storedPictures`.
    package var storedPictures: (any PictureStore)? { SQLitePictures(beside: path, isReadOnly: true) }

    private static func readRooms(_ db: Connection) throws(SQLiteError) -> [Entry] {
        var found: [Entry] = []
        var places: [Int64: Int] = [:]
        var rooms = try db.rows(
            """
            SELECT room.id, room.number, room.seq, room.tip, snapshot.seq
            FROM room LEFT JOIN snapshot ON snapshot.room = room.number ORDER BY room.number
            """)
        while try rooms.next() {
            let number = try rooms.long(1)
            places[number] = found.count
            found.append(
                Entry(
                    id: try rooms.identifier(0), number: number,
                    head: RoomHead(seq: try rooms.integer(2), headHash: try rooms.bits(3)),
                    snapshotSeq: try rooms.optionalLong(4).map { Int($0) }))
        }
        var tail = try db.rows(
            "SELECT room, seq, position FROM event WHERE position > (SELECT event FROM flushed) ORDER BY position")
        while try tail.next() {
            if let place = places[try tail.long(0)] { found[place].tail.append((try tail.integer(1), try tail.long(2))) }
        }
        return found
    }

    /// Rooms with a readable row, in order of creation.
    package func allRooms() throws(EventLogError) -> [RoomID] { order }

    /// Whether damage was detected so far and the file is being read row by row.
    package var isDamaged: Bool { scan.withLock { $0 != nil } }

    /// Results of SQLite's integrity check per table, missing bytes of the file, and events whose room's row is unreadable.
    package func damage() throws(EventLogError) -> [String] {
        try reading("check the file") { db in
            var lines: [String] = []
            let missing = LogFile(path: path).missingBytes
            if missing > 0 { lines.append("\(path): the file ends \(missing) bytes too early") }
            for table in Schema.tableNames where (try? Schema.has(table, db)) ?? true {
                do {
                    var rows = try db.rows("PRAGMA integrity_check(\(table))")
                    let found = try rows.map { row throws(SQLiteError) in try row.text(0) }
                    guard found != ["ok"] else { continue }
                    lines += found.flatMap { $0.split(separator: "\n") }.map { "\(path): \(table): \($0)" }
                } catch let error as SQLiteError where error.isDamage {
                    lines.append("\(path): \(table): \(error.message)")
                }
            }
            return lines + orphans
        }
    }

    private var orphans: [String] {
        let known = Set(entries.values.map(\.number))
        let events = scan.withLock { $0?.events ?? [:] }.filter { !known.contains($0.key) }
        return events.sorted { $0.key < $1.key }.map { number, events in
            "\(path): the record of room number \(number) is lost; it had \(events.count) events"
        }
    }

    /// Head and snapshot of a room as of opening the archive; nil if there is no readable row.
    package func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        guard let entry = entries[room] else { return nil }
        let snapshot = try reading("read the snapshot of \(room)") { db -> RoomSnapshot? in
            do {
                return try SQLiteEventLog.snapshot(of: room, entry.number, db)
            } catch let error where error.isDamage {
                // A snapshot only speeds up loading, so a damaged one is left out.
                return nil
            }
        }
        // A snapshot that a running server made later covers events that are not part of this archive.
        let isYounger = (snapshot?.seq ?? 0) > entry.lastSeq && snapshot?.seq != entry.snapshotSeq
        return ArchivedRoom(head: entry.head, lastSeq: lastSeq(entry), snapshot: isYounger ? nil : snapshot)
    }

    /// See `LogArchive.users`; nil also for a damaged file.
    package func users(of room: RoomID) throws(EventLogError) -> UserChanges? {
        guard let entry = entries[room], !isDamaged else { return nil }
        return try reading("read the users of \(room)") { db in
            do {
                return try storedUsers(of: entry, db)
            } catch let error where error.isDamage {
                return nil
            }
        }
    }

    private func storedUsers(of entry: Entry, _ db: Connection) throws(SQLiteError) -> UserChanges? {
        guard try db.long("SELECT 1 FROM unindexed WHERE room = ?", entry.number) == nil,
            try db.long("SELECT 1 FROM event WHERE position > ? AND room = ?", lastPosition, entry.number) == nil
        else { return nil }
        return try UserChanges(storedOf: entry.number, db)
    }

    /// See `LogArchive.blocks`.
    package func blocks(after: UserBlock?, limit: Int) throws(EventLogError) -> [UserBlock] {
        try reading("read the blocks of users") { db in
            guard try Schema.has(Schema.blockTable, db) else { return [] }
            var rows = try db.rows(
                .kept("SELECT user, blocked, at FROM user_block WHERE (user, blocked) > (?, ?) ORDER BY user, blocked LIMIT ?"),
                after?.user.description ?? "", after?.blocked.description ?? "", limit)
            return try rows.map(UserBlock.init)
        }
    }

    /// See `LogArchive.allRecords`.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try reading("read the records") { db in
            guard try Schema.has(Schema.recordTable, db) else { return [] }
            return try StoredRecord.all(after: after, limit: limit, db)
        }
    }

    private func lastSeq(_ entry: Entry) -> Int {
        max(entry.lastSeq, scan.withLock { $0?.events[entry.number]?.last?.seq } ?? 0)
    }

    /// Events with `seq > after`, ordered by `seq`, at most `limit`, without unreadable ones.
    package func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        guard let entry = entries[room], limit > 0 else { return [] }
        return try reading("read events of \(room)") { db in
            if !isDamaged {
                do {
                    return try indexedEvents(entry, after, limit, db)
                } catch let error where error.isDamage {
                    let found = try DamagedFileScan(db)
                    scan.withLock { $0 = found }
                }
            }
            return try scannedEvents(entry, after, limit, db)
        }
    }

    private func indexedEvents(_ entry: Entry, _ after: Int, _ limit: Int, _ db: Connection) throws(SQLiteError)
        -> [StoredEvent]
    {
        var indexed = try db.rows(
            .kept(
                """
                SELECT \(StoredEvent.columns) FROM event_index AS i CROSS JOIN event ON event.position = i.position
                WHERE i.room = ? AND i.seq > ? ORDER BY i.seq LIMIT ?
                """), entry.number, after, limit)
        var events = try indexed.map(StoredEvent.init)
        let seen = events.last?.seq ?? after
        for (seq, position) in entry.tail where seq > seen && events.count < limit {
            if let event = try event(at: position, db) { events.append(event) }
        }
        return events
    }

    /// Events of a damaged file, without the unreadable ones.
    private func scannedEvents(_ entry: Entry, _ after: Int, _ limit: Int, _ db: Connection) throws(SQLiteError)
        -> [StoredEvent]
    {
        let places = scan.withLock { $0?.events[entry.number] } ?? []
        var events: [StoredEvent] = []
        for (seq, position) in places where seq > after && events.count < limit {
            do throws(SQLiteError) {
                if let event = try event(at: position, db) { events.append(event) }
            } catch  where error.isDamage {
                continue
            }
        }
        return events
    }

    private func event(at position: Int64, _ db: Connection) throws(SQLiteError) -> StoredEvent? {
        var rows = try db.rows(.kept("SELECT \(StoredEvent.columns) FROM event WHERE position = ?"), position)
        return try rows.first(StoredEvent.init)
    }

    private func reading<Result>(_ action: String, _ body: (Connection) throws -> Result) throws(EventLogError) -> Result {
        try EventLogError.translating(action, path: path) { try queue.snapshot(body) }
    }
}

extension SharedConnection {
    fileprivate func snapshot<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try use { db in try db.snapshot { try body(db) } }
    }
}
