public import AuctionDomain

/// A log that several nodes append to, and the little that they share beside it.
///
/// No node leads and none holds a lease: whatever two of them attempt at once, the log decides, and the one that lost reads what
/// the other one did. Time is the log's clock, so that nodes agree on it; all instants here are of that clock.
///
/// Beyond what `EventLog` promises, `append` judges time as `AppendVerdict.Deferral` says, and a room that lost takes all later
/// elements of the batch that were built on it along. `append` is one thread's; everything else may be called from any.
public protocol SharedEventLog: EventLog {
    // MARK: - Following other nodes

    /// The committed heads of these rooms, in order; `.none` for one that does not exist.
    ///
    /// What a node that holds rooms compares with what it knows. Positions do not become visible in the order in which they were
    /// given, so "what is newer than the last I saw" would miss some.
    func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead]

    /// What a room got since a head and an answer that a node knows, all of one instant.
    /// - Parameter answersAfter: The last position that the node knows of this room's answers; 0 for none.
    /// - Returns: nil if the history does not go through `head` or more than `limit` events are missing: load it anew.
    func advance(
        of room: RoomID, since head: RoomHead, answersAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomAdvance?

    /// Waits until other nodes may have appended, or for so long. Notices come late, together, and sometimes not at all: they
    /// make polling early, they never replace it. One thread of each node calls this.
    func awaitNotice(for node: NodeID, milliseconds: Int) throws(EventLogError) -> LogNotice?

    // MARK: - Time

    /// The log's time at a reading of this node's monotonic clock, in nanoseconds; nil before the first exchange with the log.
    ///
    /// Estimated from the exchange with the shortest round trip. By the monotonic clock, because a wall clock may be set.
    func time(at monotonic: Int64) -> Timestamp?

    /// Open rooms in which something was due at least so long ago, the longest first: whoever held them may have died.
    func overdueRooms(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID]

    // MARK: - Nodes and outages

    /// Says that a node lives. Call it every 500 ms.
    ///
    /// When nobody said so for more than `Outage.leastMilliseconds`, the first to be back opens an outage.
    func heartbeat(of node: NodeID) throws(EventLogError) -> Heartbeat

    /// The node stops in good order; what it had to say of who is present goes with it.
    func retire(_ node: NodeID) throws(EventLogError)

    /// Takes an outage on: the node will move the ends that it ate, then settle it. True for one node only, as long as it lives.
    func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool

    /// Every end that the outage ate has been moved: rounds may be closed again. Only the node that claimed it may say so.
    /// - Returns: Whether it was this node's to settle.
    @discardableResult
    func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool

    // MARK: - What nodes share beside rooms

    /// The secret of this name; `candidate` becomes it if there is none. All nodes get the same.
    func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8]

    /// Keeps a one-time ticket.
    /// - Parameter perOwner: With more than so many of its own an owner's oldest goes.
    func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError)

    /// The content of a ticket, to whoever comes first and in time; then it is gone.
    func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]?

    /// Says who follows a room through this node; nobody is said by an empty value.
    func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError)

    /// Who follows these rooms through other nodes that live, summed; rooms without anybody are left out.
    func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport]

    /// Takes things back before their time, such as tokens; nodes ask for it by `revocations`. Each key stands once in it. With one
    /// that was revoked already it is as `Revocation.joined` says.
    func revoke(_ revocations: [Revocation]) throws(EventLogError)

    /// What was revoked is good again. Only who reads all of `revocations` sees that.
    func restore(_ keys: [UInt128]) throws(EventLogError)

    /// What was revoked at or after an instant and is not over, oldest first. Ask again from a few seconds before the last one
    /// seen: what is committed late has an earlier instant.
    func revocations(since: Timestamp) throws(EventLogError) -> [Revocation]
}

/// What `SharedEventLog.advance` returns.
public struct RoomAdvance: Sendable {
    public let head: RoomHead
    /// In order, the first one behind the head that was asked from; the last one is `head`.
    public let events: [StoredEvent]
    /// In order of position.
    public let answers: [StoredKey]

    public init(head: RoomHead, events: [StoredEvent], answers: [StoredKey]) {
        self.head = head
        self.events = events
        self.answers = answers
    }
}

/// What other nodes appended, as far as they say.
public enum LogNotice: Hashable, Sendable {
    case rooms([RoomID])
    /// More rooms than a notice can name.
    case many
}
