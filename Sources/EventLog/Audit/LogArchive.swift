public import AuctionDomain

/// A log as an auditor reads it: every room, whole histories, and what is kept beside them. Nothing is locked or changed.
public protocol LogArchive: Sendable {
    /// Every room, archived and private ones too, oldest first.
    func allRooms() throws(EventLogError) -> [RoomID]

    /// What the log keeps beside the room's events; nil if there is no such room.
    func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom?

    /// Events with `seq > after`, in order, at most `limit`.
    func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent]

    /// What is wrong with the store itself, whoever's rooms it holds: a line each for an operator, at most a few hundred.
    func damage() throws(EventLogError) -> [String]

    /// Whether something could not be read so far, and was left out.
    var isDamaged: Bool { get }
}

extension LogArchive {
    /// For stores that look after themselves.
    public func damage() throws(EventLogError) -> [String] { [] }
    public var isDamaged: Bool { false }
}

/// What a log keeps beside a room's events.
public struct ArchivedRoom: Sendable {
    /// The head as the room's record has it; it may be behind the events, never ahead of them.
    public let head: RoomHead
    /// Up to where there must be events; younger ones are not part of this reading.
    public let lastSeq: Int
    public let snapshot: RoomSnapshot?

    public init(head: RoomHead, lastSeq: Int, snapshot: RoomSnapshot?) {
        self.head = head
        self.lastSeq = lastSeq
        self.snapshot = snapshot
    }
}

extension InMemoryEventLog: LogArchive {
    public func allRooms() throws(EventLogError) -> [RoomID] { try open { $0.order } }

    public func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        try open { state in
            state.rooms[room].map { ArchivedRoom(head: $0.head, lastSeq: $0.head.seq, snapshot: $0.snapshot) }
        }
    }
}
