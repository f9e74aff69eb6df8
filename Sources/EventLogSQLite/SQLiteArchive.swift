public import AuctionDomain
public import EventLog
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A log in one SQLite file, only read: for exports and audits, beside a server that runs on it or without one.
///
/// Which rooms and events there are is read once, in one transaction, when the archive is opened. The index of events may be
/// behind then; what it lacks is remembered by position. Later reads find at least as much in the index, so the two together
/// are whole histories whatever a server does meanwhile.
public final class SQLiteArchive: LogArchive {
    private struct Entry {
        let number: Int64
        let head: RoomHead
        let snapshotSeq: Int?
        /// Events that the index may lack, in order.
        var tail: [(seq: Int, position: Int64)] = []

        var lastSeq: Int { max(head.seq, tail.last?.seq ?? 0) }
    }

    private let path: String
    private let queue: DatabaseQueue
    private let order: [RoomID]
    private let entries: [RoomID: Entry]

    /// - Throws: `.unavailable` without such a file, `.corrupt`, `.newerSchema` or `.io`, naming it.
    public init(path: String) throws(EventLogError) {
        // SAFETY: the string lives for the call.
        guard unsafe access(path, R_OK) == 0 else { throw LogFile.failure("read", path) }
        self.path = path
        (queue, order, entries) = try EventLogError.translating("read the log", path: path) {
            let queue = try DatabaseQueue(path: path, configuration: Connections.reader)
            let (order, entries) = try queue.read { db in
                try Schema.check(db, path: path)
                return try Self.survey(db)
            }
            return (queue, order, entries)
        }
    }

    private static func survey(_ db: Database) throws -> ([RoomID], [RoomID: Entry]) {
        var order: [RoomID] = []
        var entries: [Int64: Entry] = [:]
        let rooms = try Row.fetchCursor(
            db,
            sql: """
                SELECT room.id, room.number, room.seq, room.tip, snapshot.seq
                FROM room LEFT JOIN snapshot ON snapshot.room = room.number ORDER BY room.number
                """)
        var names: [Int64: RoomID] = [:]
        while let row = try rooms.next() {
            let (id, number): (RoomID, Int64) = (try row.identifier(0), try row.long(1))
            order.append(id)
            names[number] = id
            entries[number] = Entry(
                number: number, head: RoomHead(seq: try row.integer(2), tip: try row.bits(3)),
                snapshotSeq: try row.optionalLong(4).map { Int($0) })
        }
        let tail = try Row.fetchCursor(
            db, sql: "SELECT room, seq, position FROM event WHERE position > (SELECT event FROM flushed) ORDER BY position")
        while let row = try tail.next() {
            entries[try row.long(0)]?.tail.append((try row.integer(1), try row.long(2)))
        }
        var byID: [RoomID: Entry] = [:]
        for (number, entry) in entries { if let id = names[number] { byID[id] = entry } }
        return (order, byID)
    }

    public func allRooms() throws(EventLogError) -> [RoomID] { order }

    public func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        guard let entry = entries[room] else { return nil }
        let snapshot = try reading("read the snapshot of \(room)") { db -> RoomSnapshot? in
            let row = try Row.fetchOne(db, sql: "SELECT seq, bytes FROM snapshot WHERE room = ?", arguments: [entry.number])
            return try row.map { RoomSnapshot(room: room, seq: try $0.integer(0), bytes: try $0.bytes(1)) }
        }
        // One that a running server made since belongs to events that this reading does not have.
        let isYounger = (snapshot?.seq ?? 0) > entry.lastSeq && snapshot?.seq != entry.snapshotSeq
        return ArchivedRoom(head: entry.head, lastSeq: entry.lastSeq, snapshot: isYounger ? nil : snapshot)
    }

    public func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        guard let entry = entries[room], limit > 0 else { return [] }
        return try reading("read events of \(room)") { db in
            var events: [StoredEvent] = []
            let indexed = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(StoredEvent.columns) FROM event_index AS i CROSS JOIN event ON event.position = i.position
                    WHERE i.room = ? AND i.seq > ? ORDER BY i.seq LIMIT ?
                    """, arguments: [entry.number, after, limit])
            while let row = try indexed.next() { events.append(try StoredEvent(row)) }
            let seen = events.last?.seq ?? after
            for (seq, position) in entry.tail where seq > seen && events.count < limit {
                let row = try Row.fetchOne(
                    db, sql: "SELECT \(StoredEvent.columns) FROM event WHERE position = ?", arguments: [position])
                if let row { events.append(try StoredEvent(row)) }
            }
            return events
        }
    }

    private func reading<Result>(
        _ action: String, _ body: (Database) throws -> Result
    ) throws(EventLogError) -> Result {
        try EventLogError.translating(action, path: path) { try queue.read(body) }
    }
}
