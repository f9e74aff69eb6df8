package import AuctionDomain

/// The durable history of all rooms.
///
/// `append` must be called from the committer's thread only, and `save` from one thread at a time, which may be a different one.
/// Every other method may be called from any thread at any time and sees everything committed before the call.
package protocol EventLog: UserBlockStore, RecordStore, EventFeed, ErasureStore {
    /// Commits the batch in one transaction and returns once it is durable: one verdict per element, in order.
    ///
    /// Elements are evaluated in order, so a later element may expect the head produced by an earlier one of the same batch. A
    /// conflict in one room does not affect the others.
    /// - Throws: `EventLogError`. Nothing of the batch was then committed, except possibly with `.outcomeUnknown` and `.io`.
    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict]

    /// Stores snapshots, each replacing an older one of its room; one beyond the committed head or older than the stored one is
    /// ignored. A lost snapshot only makes loading slower. A large one is written in pieces, between which appends can run.
    func save(_ snapshots: [RoomSnapshot]) throws(EventLogError)

    /// Everything needed to load the room into memory, with these keys of its stored responses; nil if there is no such room.
    func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory?

    /// Events with `seq > after`, ordered by `seq`: at most `limit` events and at most `bytes` bytes in total, but always the first
    /// event, however large. Empty after the last event or for an unknown room.
    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent]

    /// The stored response at a position from a verdict or from `load`; nil once it has been deleted.
    func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse?

    /// Rooms whose status has `isOpen` set, in no particular order.
    func pendingRooms() throws(EventLogError) -> [PendingRoom]

    /// Approximate time of the newest event of all rooms; nil if the log is empty or has its own clock.
    func newestEventTime() throws(EventLogError) -> Timestamp?

    /// The recorded forward jumps of the service's clock, oldest first.
    func clockJumps() throws(EventLogError) -> [ClockJump]

    /// Replaces the recorded clock jumps.
    func keep(_ jumps: [ClockJump]) throws(EventLogError)

    /// A page of the list of rooms, newest first, without archived rooms.
    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow]

    /// Number of the host's rooms that are not archived.
    func openRoomCount(of host: UserID) throws(EventLogError) -> Int

    /// A page of the rooms of a user, by the index by user.
    func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage

    /// Number of rooms of which the user is a member, archived ones and bans left out.
    func roomCount(of user: UserID) throws(EventLogError) -> Int

    /// A page of the sales to a user, newest first.
    func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow]

    /// Deletes stored responses older than `cutoff`, oldest first, at most `limit`.
    /// - Returns: The number deleted.
    func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int

    /// Frees the space of stored responses whose keys were evicted, except those of at most `StoredResponse.smallBytes` bytes. Afterwards
    /// the log has neither these responses nor their keys. Unknown positions are ignored. It need not be durable: what a crash undoes is
    /// deleted once it is old.
    func discardResponses(at positions: [Int64]) throws(EventLogError)

    /// The pictures that belong to this log.
    var pictures: any PictureStore { get }

    /// Periodic maintenance (SQLite: flush and checkpoint; PostgreSQL: deletion of expired rows). Call it about once a second, from
    /// one thread other than the committer's.
    func maintain() throws(EventLogError)

    /// Frees what the log keeps in memory only to be faster. Blocks appends for some milliseconds.
    func releaseMemory()

    /// Throws if an append would currently fail.
    func probe() throws(EventLogError)

    /// What the log takes of its disk.
    func size() throws(EventLogError) -> LogSize

    /// Whether the log recovers by itself after `.unavailable` and `.outcomeUnknown`, so that only the state of the rooms in flight
    /// has to be read again. If false, such an error is permanent until the log is opened again.
    var recoversFromFailures: Bool { get }

    /// Flushes and closes the log; later calls throw `.unavailable`.
    func close()
}

extension EventLog {
    /// Default: false.
    package var recoversFromFailures: Bool { false }

    /// Default: nothing is kept.
    package func releaseMemory() {}

    /// Default for logs that have their own clock: nil.
    package func newestEventTime() throws(EventLogError) -> Timestamp? { nil }
    /// Default for logs that record no clock jumps: empty.
    package func clockJumps() throws(EventLogError) -> [ClockJump] { [] }
    /// Default for logs that record no clock jumps: does nothing.
    package func keep(_ jumps: [ClockJump]) throws(EventLogError) {}

    /// Loads a room with all keys since `responsesSince`.
    package func load(_ room: RoomID, responsesSince: Timestamp) throws(EventLogError) -> LoadedHistory? {
        try load(room, keys: WantedKeys(since: responsesSince))
    }

    /// Events with `seq > after`, ordered by `seq`, at most `limit`, without a limit in bytes.
    package func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        try events(of: room, after: after, limit: limit, bytes: .max)
    }
}

/// A room with a pending deadline.
package struct PendingRoom: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// The deadline of the room's countdown, if nothing else is due in the room before it; nil if something else may be, so that the room has
    /// to be loaded to know.
    package let endsAt: Timestamp?

    package init(room: RoomID, endsAt: Timestamp? = nil) { (self.room, self.endsAt) = (room, endsAt) }
}

/// The encoded state of a room after its event `seq`. The log does not interpret the bytes (`RoomReplay` does).
package struct RoomSnapshot: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// Sequence number of the last event included.
    package let seq: Int
    /// Encoded state.
    package let bytes: [UInt8]

    package init(room: RoomID, seq: Int, bytes: [UInt8]) { (self.room, self.seq, self.bytes) = (room, seq, bytes) }
}

/// The stored state of one room, as returned by `EventLog.load`.
package struct LoadedHistory: Sendable {
    /// Head after the last event.
    package let head: RoomHead
    /// The newest snapshot; nil if there is none, or none that can be read.
    package let snapshot: RoomSnapshot?
    /// All events after `snapshot`, or all events without one, ordered by `seq`.
    package let events: [StoredEvent]
    /// Hash of the event at the snapshot's `seq`; `.zero` without a snapshot.
    package let hashAtSnapshot: EventHash
    /// Keys of stored responses, in order of position.
    package let responses: [StoredKey]

    package init(
        head: RoomHead, snapshot: RoomSnapshot?, events: [StoredEvent], hashAtSnapshot: EventHash, responses: [StoredKey]
    ) {
        self.head = head
        self.snapshot = snapshot
        self.events = events
        self.hashAtSnapshot = hashAtSnapshot
        self.responses = responses
    }
}

/// The index entry of a stored response: its Idempotency-Key and its position in the log.
package struct StoredKey: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request's body.
    package let fingerprint: UInt64
    /// The user whose quota of keys in the room this key counts against.
    package let owner: KeyOwner
    /// When the response was stored.
    package let at: Timestamp
    /// Position of the response, for `EventLog.storedResponse(at:)`; never reused.
    package let position: Int64

    package init(key: UInt128, fingerprint: UInt64, owner: KeyOwner, at: Timestamp, position: Int64) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
        self.owner = owner
        self.at = at
        self.position = position
    }

    /// Digest of caller, method, path and Idempotency-Key.
    package var key: UInt128 { digest.number }
}

/// Filter and page of a list of rooms.
package struct RoomQuery: Hashable, Sendable {
    /// Only rooms in this state; nil for all.
    package var state: String?
    /// Adds this host's private rooms to the public ones; nil for public rooms only.
    package var viewer: UserID?
    /// Whether all private rooms are among them: for the operator.
    package var isComplete = false
    /// Only rooms of this host, if `isComplete`; nil for all.
    package var host: UserID?
    /// Position of the previous page's last row; nil for the first page.
    package var after: Int64?
    /// Maximum number of rows.
    package var limit: Int

    package init(state: String? = nil, viewer: UserID? = nil, after: Int64? = nil, limit: Int) {
        (self.state, self.viewer, self.after, self.limit) = (state, viewer, after, limit)
    }
}

/// One row of the list of rooms.
package struct RoomRow: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// Position in the list, increasing in order of creation; the last one of a page is the `after` of the next page's query.
    package let position: Int64
    /// Head as of this row's status.
    package let head: RoomHead
    /// The rarely changing part of the row.
    package let profile: RoomProfile
    /// The part of the row that changes with every bid.
    package let status: RoomStatus

    package init(room: RoomID, position: Int64, head: RoomHead, profile: RoomProfile, status: RoomStatus) {
        self.room = room
        self.position = position
        self.head = head
        self.profile = profile
        self.status = status
    }
}
