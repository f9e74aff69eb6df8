package import AuctionDomain

/// A log that deletes old archived rooms with all that belongs to them, except pictures.
///
/// A room is gone with one transaction, and so are its events for all readers; the rows of the events follow later, a few at a time. The
/// numbers of rooms, events and responses are never given again: the newest room and the room of the feed's newest event stay.
package protocol RoomPruning: EventLog {
    /// Archived rooms whose last event is older than a time, in the order of their numbers, at most `limit`. Those that cannot be pruned now,
    /// since not all of their changes have been moved to their places, are left out.
    /// - Parameter number: `PrunableRoom.number` of the last room that is known; 0 at the beginning.
    func prunableRooms(before cutoff: Timestamp, after number: Int64, limit: Int) throws(EventLogError) -> [PrunableRoom]

    /// Deletes a room, unless it has changed since it was found, and records how far the feed is pruned (`FeedPage.gone`).
    /// - Returns: Whether it was deleted.
    func prune(_ room: PrunableRoom) throws(EventLogError) -> Bool

    /// Deletes some of the rows that pruned rooms have left, in one short transaction.
    /// - Returns: Whether there may be more.
    func deletePrunedRows() throws(EventLogError) -> Bool
}

/// An archived room that is old enough to be pruned.
package struct PrunableRoom: Hashable, Sendable {
    /// Identifier of the room.
    package let id: RoomID
    /// Its position in lists.
    package let number: Int64
    /// Sequence number of its last event.
    package let seq: Int
    /// Whether all of its events are there.
    package let isWhole: Bool
    /// The position in the feed after its last event.
    package let end: FeedPosition

    package init(id: RoomID, number: Int64, seq: Int, isWhole: Bool, end: FeedPosition) {
        (self.id, self.number, self.seq, self.isWhole, self.end) = (id, number, seq, isWhole, end)
    }
}

/// Which rooms are pruned.
package struct PruningRule: Sendable {
    /// Archived rooms whose last event is older than this.
    package let cutoff: Timestamp
    /// Number of the last event of the feed that every reader has passed for which the log keeps a position.
    package var passed: Int64 = .max
    /// Rooms that stay in any case.
    package var kept: Set<RoomID> = []

    package init(cutoff: Timestamp) { self.cutoff = cutoff }
}

/// What was pruned, or would be.
package struct PrunedRooms: Hashable, Sendable {
    /// Rooms, …
    package fileprivate(set) var rooms = 0
    /// … and their events.
    package fileprivate(set) var events = 0
    /// Rooms that are old enough and stay, because their events have not been read or delivered yet.
    package fileprivate(set) var unread = 0
    /// Rooms that are old enough and stay, because some of their events are missing: `verify` shows which.
    package fileprivate(set) var damaged = 0

    package init() {}
}

/// One pass over all rooms of a log, in steps.
package struct PruningPass: Sendable {
    /// What it has come to so far.
    package private(set) var result = PrunedRooms()
    /// Whether all rooms were found.
    package private(set) var isAtEnd = false
    private var last: Int64 = 0

    package init() {}

    /// Prunes the next rooms.
    /// - Parameters:
    ///   - limit: of the rooms that are found.
    ///   - isDryRun: Whether they are only found.
    /// - Returns: Those that were deleted, or would be.
    package mutating func step(
        _ rule: PruningRule, on log: any RoomPruning, limit: Int, isDryRun: Bool = false
    ) throws(EventLogError) -> [RoomID] {
        let page = try log.prunableRooms(before: rule.cutoff, after: last, limit: limit)
        var pruned: [RoomID] = []
        for room in page {
            last = room.number
            if !room.isWhole {
                result.damaged += 1
            } else if room.end.number > rule.passed || rule.kept.contains(room.id) {
                result.unread += 1
            } else {
                var isPruned = isDryRun
                if !isDryRun { isPruned = try log.prune(room) }
                guard isPruned else { continue }
                result.rooms += 1
                result.events += room.seq
                pruned.append(room.id)
            }
        }
        isAtEnd = page.count < limit
        return pruned
    }
}
