package import AuctionDomain

/// Where a search for the rooms that name a user stands.
package struct NamingRooms: Hashable, Sendable {
    /// Rooms of the events that were searched, each once.
    package let rooms: [RoomID]
    /// Where the search goes on; nil at the end.
    package let next: Int64?

    package init(rooms: [RoomID], next: Int64?) { (self.rooms, self.next) = (rooms, next) }
}

/// Replaces what a log stores of users who have left the service for good.
package protocol ErasureStore: Sendable {
    /// Searches the next events, at most `limit`, for those with one of the users' identifiers, in their public or private bytes.
    /// - Parameter position: `next` of the call before; 0 at the beginning.
    func rooms(naming users: [UserID], after position: Int64, limit: Int) throws(EventLogError) -> NamingRooms

    /// Replaces the bytes of events that were rewritten, in one transaction, and deletes the room's snapshots from before `seq`, which are made
    /// of the bytes before. Events that the log does not have are left out.
    /// - Parameters:
    ///   - events: at most `EraseMembers.rewrittenLimit`.
    ///   - seq: of the event that names their digests.
    func replace(_ events: [StoredEvent], of room: RoomID, before seq: Int) throws(EventLogError)

    /// Replaces the bodies of the next stored responses, at most `limit`, where `rewrite` returns others.
    /// - Parameter position: the result of the call before; 0 at the beginning.
    /// - Returns: where to go on; nil at the end.
    func rewriteResponses(
        naming users: [UserID], after position: Int64, limit: Int, _ rewrite: ([UInt8]) -> [UInt8]?
    ) throws(EventLogError) -> Int64?

    /// Removes what was replaced from the log's files, as far as nothing reads it any more.
    /// - Returns: Whether all of it is gone; if not, call it again later.
    func purge() throws(EventLogError) -> Bool
}

extension EventLog {
    /// Default for stores whose server cleans up by itself.
    package func purge() throws(EventLogError) -> Bool { true }
}
