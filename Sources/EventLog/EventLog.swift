public import AuctionDomain

/// The durable history of all rooms.
///
/// `append` is called from one thread (the committer's) only, `save` from one thread at a time, which may be another; every other
/// method may be called from any thread at any time, and sees what was committed before the call.
public protocol EventLog: Sendable {
    /// Commits all of it in one transaction and returns once it is durable: one verdict per element, in order.
    ///
    /// Elements are judged in order, so a later element may expect the head that an earlier one of the same batch makes. A
    /// conflict of one room leaves the others untouched.
    /// - Throws: `EventLogError`; then nothing of the batch was committed, except with `.outcomeUnknown`.
    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict]

    /// Stores snapshots, each replacing older ones of its room. Losing one costs time, never truth. A large one does not hold up
    /// appends: between two of its pieces they go on.
    func save(_ snapshots: [RoomSnapshot]) throws(EventLogError)

    /// Everything needed to have the room in memory; nil if there is no such room.
    /// - Parameters:
    ///   - answersSince: Keys of older answers are left out.
    ///   - answersPerOwner: Of each owner's keys the newest are read, at most so many.
    func load(
        _ room: RoomID, answersSince: Timestamp, answersPerOwner: Int
    ) throws(EventLogError) -> LoadedHistory?

    /// Events with `seq > after`, in order: at most `limit`, and no more than `bytes` of them together unless the first alone has
    /// more. Empty at the end or for an unknown room.
    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent]

    /// The stored answer at a position that a verdict or `load` gave; nil once it has expired.
    func answer(at position: Int64) throws(EventLogError) -> AnswerRecord?

    /// Rooms whose status says that they are open, in no particular order.
    func openRooms() throws(EventLogError) -> [RoomID]

    /// About when the newest event of all rooms happened; nil in an empty log, or one that has a clock of its own.
    func newestEventTime() throws(EventLogError) -> Timestamp?

    /// The jumps of the service's time that were kept, oldest first.
    func clockJumps() throws(EventLogError) -> [ClockJump]

    /// Keeps jumps of the service's time, in place of those that were kept before.
    func keep(_ jumps: [ClockJump]) throws(EventLogError)

    /// A page of the list of rooms, newest first. Archived rooms are left out.
    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow]

    /// How many rooms of this host are not archived.
    func openRoomCount(of host: UserID) throws(EventLogError) -> Int

    /// Deletes at most `limit` answers older than `cutoff`; returns how many.
    func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int

    /// Housekeeping off the committer's path (SQLite: a bounded checkpoint). Called every second or so from one thread.
    func maintain() throws(EventLogError)

    /// Throws if the log could not take an append now.
    func probe() throws(EventLogError)

    /// Whether the log goes on by itself after `.unavailable` and `.outcomeUnknown`: what was on its way has to be read again,
    /// and nothing else is lost. Otherwise all is over with them until the log is opened anew.
    var outlivesFailures: Bool { get }

    /// Flushes and closes; later calls throw.
    func close()
}

extension EventLog {
    /// Not unless it says so.
    public var outlivesFailures: Bool { false }

    public func newestEventTime() throws(EventLogError) -> Timestamp? { nil }
    public func clockJumps() throws(EventLogError) -> [ClockJump] { [] }
    public func keep(_ jumps: [ClockJump]) throws(EventLogError) {}
    /// The same with all keys.
    public func load(_ room: RoomID, answersSince: Timestamp) throws(EventLogError) -> LoadedHistory? {
        try load(room, answersSince: answersSince, answersPerOwner: .max)
    }

    /// Events with `seq > after`, in order, at most `limit`, however large.
    public func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        try events(of: room, after: after, limit: limit, bytes: .max)
    }
}

/// A room folded up to `seq`, in the bytes of whoever folds it.
public struct RoomSnapshot: Hashable, Sendable {
    public let room: RoomID
    public let seq: Int
    public let bytes: [UInt8]

    public init(room: RoomID, seq: Int, bytes: [UInt8]) {
        self.room = room
        self.seq = seq
        self.bytes = bytes
    }
}

/// What `EventLog.load` returns.
public struct LoadedHistory: Sendable {
    public let head: RoomHead
    /// The newest snapshot, if any, and all events after it (all events if none).
    public let snapshot: RoomSnapshot?
    public let events: [StoredEvent]
    /// The full hash of the event at the snapshot's seq; `.zero` without a snapshot.
    public let hashAtSnapshot: EventHash
    /// In order of position.
    public let answers: [StoredKey]

    public init(
        head: RoomHead, snapshot: RoomSnapshot?, events: [StoredEvent], hashAtSnapshot: EventHash, answers: [StoredKey]
    ) {
        self.head = head
        self.snapshot = snapshot
        self.events = events
        self.hashAtSnapshot = hashAtSnapshot
        self.answers = answers
    }
}

/// Where the answer of a key stands.
public struct StoredKey: Hashable, Sendable {
    public let key: UInt128
    public let fingerprint: UInt64
    public let owner: KeyOwner
    public let at: Timestamp
    public let position: Int64

    /// - Parameter owner: nil where the log does not know.
    public init(key: UInt128, fingerprint: UInt64, owner: KeyOwner? = nil, at: Timestamp, position: Int64) {
        self.key = key
        self.fingerprint = fingerprint
        self.owner = owner ?? KeyOwner(unknownFor: key)
        self.at = at
        self.position = position
    }
}

/// Which rooms a list shows.
public struct RoomQuery: Hashable, Sendable {
    /// Only rooms in this state; nil for all.
    public var state: String?
    /// Public rooms, and private ones of this host.
    public var viewer: UserID?
    /// Only rooms listed after this position of an earlier page's last row.
    public var after: Int64?
    public var limit: Int

    public init(state: String? = nil, viewer: UserID? = nil, after: Int64? = nil, limit: Int) {
        self.state = state
        self.viewer = viewer
        self.after = after
        self.limit = limit
    }
}

/// One row of the list of rooms.
public struct RoomRow: Hashable, Sendable {
    public let room: RoomID
    /// Where the row stands in the list; a page's last position continues it.
    public let position: Int64
    public let head: RoomHead
    public let profile: RoomProfile
    public let status: RoomStatus

    public init(room: RoomID, position: Int64, head: RoomHead, profile: RoomProfile, status: RoomStatus) {
        self.room = room
        self.position = position
        self.head = head
        self.profile = profile
        self.status = status
    }
}
