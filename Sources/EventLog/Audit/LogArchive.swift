package import AuctionDomain

/// Read-only access to a whole log for audits and exports: every room, its complete history and its stored record. Takes no locks
/// and changes nothing.
package protocol LogArchive: Sendable {
    /// Every room, including archived and private ones, in order of creation.
    func allRooms() throws(EventLogError) -> [RoomID]

    /// The room's stored head and snapshot; nil if there is no such room.
    func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom?

    /// Events with `seq > after`, ordered by `seq`, at most `limit`. Unreadable events are left out (`isDamaged`).
    func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent]

    /// The room's rows in the index by user; nil if they cannot be compared with the room as of opening the archive: it has changed since,
    /// or is not in the index.
    func users(of room: RoomID) throws(EventLogError) -> UserChanges?

    /// Blocks of all users, ordered by user and blocked user, after `after`, at most `limit`. Throws `.corrupt` if one of them is unreadable.
    func blocks(after: UserBlock?, limit: Int) throws(EventLogError) -> [UserBlock]

    /// See `RecordStore.allRecords`. Throws `.corrupt` if one of them is unreadable.
    func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord]

    /// Defects of the store itself that concern no particular room: one line for an operator each, at most a few hundred.
    func damage() throws(EventLogError) -> [String]

    /// The pictures that belong to the log, for reading; nil if it has none.
    var storedPictures: (any PictureStore)? { get }

    /// Whether anything was unreadable so far and has been left out of the results.
    var isDamaged: Bool { get }
}

extension LogArchive {
    /// Default for stores without an index by user: nil.
    package func users(of room: RoomID) throws(EventLogError) -> UserChanges? { nil }
    /// Default for stores of events only: none.
    package func blocks(after: UserBlock?, limit: Int) throws(EventLogError) -> [UserBlock] { [] }
    /// Default for stores of events only: none.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] { [] }
    /// Default for stores that check their own integrity: no defects.
    package func damage() throws(EventLogError) -> [String] { [] }
    /// Default for stores of events only: none.
    package var storedPictures: (any PictureStore)? { nil }
    /// Default: false.
    package var isDamaged: Bool { false }
}

/// A room's stored head and snapshot, as read for an audit.
package struct ArchivedRoom: Sendable {
    /// Head in the room's row; it may lag the events but is never ahead of them.
    package let head: RoomHead
    /// Sequence number of the last event that must exist; later events are not part of this archive.
    package let lastSeq: Int
    /// Newest snapshot; nil if the room has none.
    package let snapshot: RoomSnapshot?

    package init(head: RoomHead, lastSeq: Int, snapshot: RoomSnapshot?) {
        (self.head, self.lastSeq, self.snapshot) = (head, lastSeq, snapshot)
    }
}
