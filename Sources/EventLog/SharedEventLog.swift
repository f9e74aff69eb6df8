package import AuctionDomain

/// A log that several nodes append to, with the other state that they share: heartbeats, outages, secrets, tickets, presence and
/// revocations.
///
/// There is no leader and rooms have no owner: the log resolves concurrent appends, and the node whose append conflicted reads the
/// other node's events. All times here are of the log's clock.
///
/// In addition to `EventLog`, `append` validates time and returns `AppendVerdict.deferred`; a conflict or deferral also rejects all
/// later elements of the batch that build on the rejected one. Call `append` from one thread; everything else from any.
package protocol SharedEventLog: EventLog {
    // MARK: - Changes by other nodes

    /// The committed heads of these rooms, in order; `.none` for a room that does not exist.
    ///
    /// A node compares them with the rooms in its memory. Polling for rows after the last known position would miss some, because
    /// positions do not become visible in the order in which they are assigned.
    func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead]

    /// A room's events and responses since `head` and `responsesAfter`, in one consistent view.
    /// `responsesAfter` is the position of the last known response of this room, 0 for none.
    /// - Returns: nil if `head` is not part of the history or more than `limit` events follow it: load the whole room instead.
    func changes(of room: RoomID, since head: RoomHead, responsesAfter: Int64, limit: Int) throws(EventLogError) -> RoomChanges?

    /// Waits up to `milliseconds` for a notification that other nodes appended; nil if none arrived. Notifications may be delayed,
    /// merged or lost, so they only trigger an early poll and never replace polling. Call it from one thread per node.
    func awaitNotification(for node: NodeID, milliseconds: Int) throws(EventLogError) -> ChangeNotification?

    // MARK: - Time

    /// The log's time at a reading of this node's monotonic clock (in nanoseconds); nil before the first exchange with the log.
    ///
    /// Estimated from the exchange with the shortest round trip. The monotonic clock is used because a wall clock may be adjusted.
    func time(at monotonic: Int64) -> Timestamp?

    /// Open rooms with a deadline that expired at least `milliseconds` ago, oldest deadline first, at most `limit`. The node that was
    /// responsible for them may have died.
    func roomsPastDeadline(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID]

    // MARK: - Nodes and outages

    /// The nodes that count as alive.
    func liveness() throws(EventLogError) -> Liveness

    /// Records that the node is alive. Call it every 500 ms.
    ///
    /// If no node sent a heartbeat for more than `Outage.minimumMilliseconds`, the first one to do so again records an outage.
    /// - Parameter silentSince: The last heartbeat of any node, if the node that starts knows that its sender is dead: unless another one
    ///   was sent since, an outage is recorded, however short it is.
    func heartbeat(of node: NodeID, silentSince: Timestamp?) throws(EventLogError) -> Heartbeat

    /// Removes a node that stops in an orderly way, together with its presence reports.
    func retire(_ node: NodeID) throws(EventLogError)

    /// Claims an outage: the node will extend the deadlines that expired during it, then settle it.
    /// - Returns: Whether the node holds the claim; only one live node can hold it.
    func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool

    /// Marks an outage as settled: every deadline that expired during it has been extended, so expiries are accepted again.
    /// - Returns: Whether this node held the claim; if not, nothing changed.
    @discardableResult
    func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool

    // MARK: - Shared state other than rooms

    /// The secret of this name, durably stored; created from `candidate` if there is none. All nodes get the same one.
    func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8]

    /// Stores a one-time ticket.
    /// - Parameters:
    ///   - key: Digest of the ticket.
    ///   - perOwner: Maximum number of tickets per owner; the owner's oldest ones are deleted.
    func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError)

    /// Redeems a ticket: returns its content and deletes it; nil if it is unknown, expired or already redeemed.
    func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]?

    /// Replaces this node's presence reports of these rooms; an empty report deletes the room's.
    func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError)

    /// Presence in these rooms summed over the other live nodes; rooms without subscribers there are left out.
    func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport]

    /// Stores revocations, for example of tokens; nodes read them with `revocations(since:)`. Keys must be unique within the call. A
    /// revocation of an already revoked key is merged (`Revocation.joined`).
    func revoke(_ revocations: [Revocation]) throws(EventLogError)

    /// Deletes revocations. A node that reads `revocations(since:)` incrementally does not notice the deletion.
    func restore(_ keys: [UInt128]) throws(EventLogError)

    /// Unexpired revocations made at or after `since`, oldest first. Poll from a few seconds before the last one read, because a
    /// revocation may become visible only after one with a later time.
    func revocations(since: Timestamp) throws(EventLogError) -> [Revocation]
}

/// A room's changes since a known head, as returned by `SharedEventLog.changes`.
package struct RoomChanges: Sendable {
    /// Current head.
    package let head: RoomHead
    /// Consecutive events after the known head, up to `head`.
    package let events: [StoredEvent]
    /// Keys of new responses, in order of position.
    package let responses: [StoredKey]

    package init(head: RoomHead, events: [StoredEvent], responses: [StoredKey]) {
        (self.head, self.events, self.responses) = (head, events, responses)
    }
}

/// A notification that other nodes appended events.
package enum ChangeNotification: Hashable, Sendable {
    /// The rooms concerned, sorted.
    case rooms([RoomID])
    /// Too many rooms to name, or an unreadable notification: poll all rooms.
    case many
}

extension SharedEventLog {
    /// A heartbeat of a node that has started.
    package func heartbeat(of node: NodeID) throws(EventLogError) -> Heartbeat { try heartbeat(of: node, silentSince: nil) }
}
