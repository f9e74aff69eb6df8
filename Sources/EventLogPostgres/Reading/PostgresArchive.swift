package import AuctionDomain
package import EventLog
import Synchronization

/// Read-only access to a log in PostgreSQL, for exports and audits; nodes may be running on it.
///
/// The rooms and their heads are read once, when the archive is opened. Events are immutable, so reading them later yields the
/// histories as of that time. No room is pruned while an archive is open.
package final class PostgresArchive: LogArchive {
    private struct Entry {
        let number: Int64
        let head: RoomHead
        let snapshotSeq: Int?
    }

    private let store: String
    private let pictures: PostgresPictures
    /// Used by one thread at a time.
    private let session: Mutex<Session>
    private let order: [RoomID]
    private let entries: [RoomID: Entry]

    /// Connects and reads the list of rooms.
    /// - Parameter newest: Whether it must have every event that was acknowledged. Then a server that rejects writes, such as a standby that
    ///   lags, is passed over, unless the URL has another `target_session_attrs`; pictures can be removed too.
    /// - Throws: `.unavailable` if there is no such server or no log in its database, or `.newerSchema`; the message names the
    ///   database.
    package init(_ url: String, newest: Bool = false) throws(EventLogError) {
        let connector = Connector(url: url, limits: PostgresLimits(), onlyReads: !newest)
        store = connector.store
        pictures = PostgresPictures(connector)
        let session = try EventLogError.translating("connect", in: connector.store) { () throws(SessionFailure) -> Session in
            let session = try connector.connect(.longRunning)
            try session.execute("SET default_transaction_read_only = on")
            return session
        }
        try Schema.check(session, store: connector.store)
        let rooms = try EventLogError.translating("read", in: connector.store) { () throws(SessionFailure) in
            // Until the session ends.
            try session.execute("SELECT pg_advisory_lock_shared(\(Schema.pruningLock))")
            return try session.run([Call(Statements.allRooms)])[0].map(PostgresArchive.entry)
        }
        order = rooms.map { $0.0 }
        entries = Dictionary(rooms, uniquingKeysWith: { _, last in last })
        self.session = Mutex(session)
    }

    private static func entry(_ row: Row) throws(SessionFailure) -> (RoomID, Entry) {
        let entry = Entry(
            number: try row.long(1), head: RoomHead(seq: try row.integer(2), headHash: try row.bits(3)),
            snapshotSeq: try row.optionalLong(4).map { Int($0) })
        return (try row.identifier(0), entry)
    }

    /// Every room, in order of creation.
    package func allRooms() throws(EventLogError) -> [RoomID] { order }

    /// Head and snapshot of a room as of opening the archive; nil if there is no such room.
    package func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        guard let entry = entries[room] else { return nil }
        let snapshot = try reading("read the snapshot of \(room)") { session throws(SessionFailure) -> RoomSnapshot? in
            let rows = try session.run([Call(Statements.snapshot, room.description)])[0]
            return try rows.count == 1 ? RoomSnapshot(room: room, seq: rows[0].integer(0), bytes: rows[0].bytes(1)) : nil
        }
        // A snapshot that a node made later covers events that are not part of this archive.
        let isYounger = (snapshot?.seq ?? 0) > entry.head.seq && snapshot?.seq != entry.snapshotSeq
        return ArchivedRoom(head: entry.head, lastSeq: entry.head.seq, snapshot: isYounger ? nil : snapshot)
    }

    /// Events with `seq > after`, ordered by `seq`, at most `limit`.
    package func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        guard entries[room] != nil, limit > 0 else { return [] }
        return try reading("read events of \(room)") { session throws(SessionFailure) in
            try session.run([Call(Statements.eventsAfter, room.description, after, limit)])[0].map(StoredEvent.init)
        }
    }

    /// See `LogArchive.storedPictures`.
    package var storedPictures: (any PictureStore)? { pictures }

    /// See `LogArchive.blocks`.
    package func blocks(after: UserBlock?, limit: Int) throws(EventLogError) -> [UserBlock] {
        try reading("read the blocks of users") { session throws(SessionFailure) in
            let call = Call(BlockStatements.all, after?.user.description ?? "", after?.blocked.description ?? "", limit)
            return try session.run([call])[0].map(UserBlock.init)
        }
    }

    /// See `LogArchive.allRecords`.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try reading("read the records") { session throws(SessionFailure) in
            try session.run([RecordStatements.all(after: after, limit: limit)])[0].map(StoredRecord.init)
        }
    }

    /// See `LogArchive.users`.
    package func users(of room: RoomID) throws(EventLogError) -> UserChanges? {
        guard let entry = entries[room] else { return nil }
        return try reading("read the users of \(room)") { session throws(SessionFailure) -> UserChanges? in
            do throws(SessionFailure) {
                return try UserStatements.users(of: room, at: entry.head, session)
            } catch {
                if !error.endsSession { try? session.execute("ROLLBACK") }
                throw error
            }
        }
    }

    private func reading<Value: Sendable>(
        _ action: String, _ body: (Session) throws(SessionFailure) -> Value
    ) throws(EventLogError) -> Value {
        try session.withLock { session throws(EventLogError) in
            do throws(SessionFailure) {
                return try body(session)
            } catch {
                throw EventLogError(error, while: action, in: store)
            }
        }
    }
}
