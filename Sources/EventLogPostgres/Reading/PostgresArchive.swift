package import AuctionDomain
package import EventLog
import Synchronization

/// Read-only access to a log in PostgreSQL, for exports and audits; nodes may be running on it.
///
/// The rooms and their heads are read once, when the archive is opened. Events are immutable, so reading them later yields the
/// histories as of that time.
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
    /// - Throws: `.unavailable` if there is no such server or no log in its database, or `.newerSchema`; the message names the
    ///   database.
    package init(_ url: String) throws(EventLogError) {
        let connector = Connector(url: url, limits: PostgresLimits(), onlyReads: true)
        store = connector.store
        pictures = PostgresPictures(connector)
        let session: Session
        do throws(SessionFailure) {
            session = try connector.connect(.longRunning)
            try session.execute("SET default_transaction_read_only = on")
        } catch {
            throw EventLogError(error, while: "connect", in: connector.store)
        }
        try Schema.check(session, store: connector.store)
        do throws(SessionFailure) {
            var order: [RoomID] = []
            var entries: [RoomID: Entry] = [:]
            for (id, entry) in try session.run([Call(Statements.allRooms)])[0].map(Self.entry) {
                order.append(id)
                entries[id] = entry
            }
            self.order = order
            self.entries = entries
            self.session = Mutex(session)
        } catch {
            throw EventLogError(error, while: "read", in: connector.store)
        }
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
        let rows = try reading("read the snapshot of \(room)", Call(Statements.snapshot, room.description))
        var snapshot: RoomSnapshot?
        do throws(SessionFailure) {
            if rows.count == 1 { snapshot = RoomSnapshot(room: room, seq: try rows[0].integer(0), bytes: rows[0].bytes(1)) }
        } catch {
            throw EventLogError(error, while: "read the snapshot of \(room)", in: store)
        }
        // A snapshot that a node made later covers events that are not part of this archive.
        let isYounger = (snapshot?.seq ?? 0) > entry.head.seq && snapshot?.seq != entry.snapshotSeq
        return ArchivedRoom(head: entry.head, lastSeq: entry.head.seq, snapshot: isYounger ? nil : snapshot)
    }

    /// Events with `seq > after`, ordered by `seq`, at most `limit`.
    package func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        guard entries[room] != nil, limit > 0 else { return [] }
        let call = Call(Statements.eventsAfter, room.description, after, limit)
        let rows = try reading("read events of \(room)", call)
        do throws(SessionFailure) {
            return try rows.map(StoredEvent.init)
        } catch {
            throw EventLogError(error, while: "read events of \(room)", in: store)
        }
    }

    /// See `LogArchive.storedPictures`.
    package var storedPictures: (any PictureStore)? { pictures }

    /// See `LogArchive.users`.
    package func users(of room: RoomID) throws(EventLogError) -> UserChanges? {
        guard let entry = entries[room] else { return nil }
        return try session.withLock { session throws(EventLogError) in
            do throws(SessionFailure) {
                return try UserStatements.users(of: room, at: entry.head, session)
            } catch {
                if !error.endsSession { try? session.execute("ROLLBACK") }
                throw EventLogError(error, while: "read the users of \(room)", in: store)
            }
        }
    }

    private func reading(_ action: String, _ call: Call) throws(EventLogError) -> Rows {
        try session.withLock { session throws(EventLogError) in
            do throws(SessionFailure) {
                return try session.run([call])[0]
            } catch {
                throw EventLogError(error, while: action, in: store)
            }
        }
    }
}
