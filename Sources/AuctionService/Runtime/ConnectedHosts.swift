internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// Hosts and auctioneers who have had a stream on their room, as records of the log.
///
/// A restart closes all streams. A host who had one and opens none afterwards is disconnected like any other whose last stream has closed; one
/// who never had a stream is not. Presence itself is not durable, so the log says who had one. A member who becomes auctioneer while their
/// stream is open is recorded when they open the next one.
final class ConnectedHosts: Sendable {
    /// Kind of the records; a record's id names room and user, and its content is empty.
    private static let recordKind = "connected-host"
    /// How long a record is kept, in milliseconds: 30 days.
    private static let lifetimeMilliseconds: Int64 = 30 * 86_400_000
    /// A record is written again, at the user's next stream, once it is as old as this: a day.
    private static let renewalMilliseconds: Int64 = 86_400_000
    /// Most users whose records are remembered, beyond which all are written again, and most that wait for one, beyond which no more are noted.
    private let limit: Int
    /// Records of one reading.
    private static let page = 1000

    private struct Key: Hashable {
        let room: RoomID
        let user: UserID

        init(_ room: RoomID, _ user: UserID) { (self.room, self.user) = (room, user) }

        /// Nil for a record of another form.
        init?(_ record: StoredRecord) {
            let parts = record.id.split(separator: "/")
            guard parts.count == 2, let room = RoomID(String(parts[0])), let user = UserID(String(parts[1])) else { return nil }
            self.init(room, user)
        }

        var id: String { "\(room)/\(user)" }
    }

    private struct State {
        /// Those whose records are not older than `renewalMilliseconds`, as far as is known.
        var recorded: Set<Key> = []
        var waiting: Set<Key> = []
        var clearedAt: Timestamp?
    }

    private let state = Mutex(State())

    init(limit: Int = 100_000) { self.limit = limit }

    /// Takes note of streams that have opened on this node.
    /// - Parameter role: The role of a user in a room that is in memory.
    func note(_ changes: [PresenceChange], _ role: (RoomID, UserID) -> Role?) {
        for change in changes where change.isPresent {
            guard let role = role(change.room, change.user), role == .host || role == .auctioneer else { continue }
            let key = Key(change.room, change.user)
            state.withLock { state in
                guard state.waiting.count < limit, !state.recorded.contains(key) else { return }
                state.waiting.insert(key)
            }
        }
    }

    /// Records those who were noted, as many as one writing takes.
    func write(to log: any EventLog, at now: Timestamp) throws(EventLogError) {
        let keys = state.withLock { state in
            let age = now.milliseconds(since: state.clearedAt ?? now)
            if age >= Self.renewalMilliseconds || state.recorded.count >= limit { state.recorded = [] }
            if state.recorded.isEmpty { state.clearedAt = now }
            return Array(state.waiting.prefix(RecordLimits.changes))
        }
        guard !keys.isEmpty else { return }
        let expiresAt = now.advanced(byMilliseconds: Self.lifetimeMilliseconds)
        _ = try log.write(keys.map { .put(Self.recordKind, $0.id, [], expiresAt: expiresAt) })
        state.withLock { state in
            state.waiting.subtract(keys)
            state.recorded.formUnion(keys)
        }
    }

    /// The streams that the last stop of the service has closed in these rooms, for the sequencers.
    /// - Parameter now: Counts as the time at which they closed: no client could return before.
    static func closedStreams(in open: [PendingRoom], of log: any EventLog, at now: Now) throws(EventLogError)
        -> [PresenceChange]
    {
        guard !open.isEmpty else { return [] }
        let rooms = Set(open.map(\.room))
        var closed: [PresenceChange] = []
        var query = RecordQuery(kind: recordKind, limit: page)
        while true {
            let records = try log.records(query)
            for key in records.lazy.filter({ $0.expiresAt.map { $0 > now.wall } ?? true }).compactMap(Key.init)
            where rooms.contains(key.room) {
                closed.append(PresenceChange(room: key.room, user: key.user, isPresent: false, at: now.monotonic))
            }
            guard records.count == page, let last = records.last else { return closed }
            query.after = last.id
        }
    }
}
