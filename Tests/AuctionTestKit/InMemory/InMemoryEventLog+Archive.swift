package import AuctionDomain
package import EventLog

extension InMemoryEventLog: LogArchive {
    /// The room's current rows in the index by user; nil if there is no such room.
    package func users(of room: RoomID) throws(EventLogError) -> UserChanges? {
        try withState { state in
            guard let stored = state.rooms[room] else { return nil }
            var users = UserChanges()
            users.participations = state.participations.values.compactMap { $0[room] }
            users.wins = state.wins.values.flatMap { $0 }.filter { $0.room == room }.map(\.win)
            users.archives = stored.status.isArchived
            return users
        }
    }

    /// See `EventLog.pictures`.
    package var storedPictures: (any PictureStore)? { pictures }

    /// Every room, in order of creation.
    package func allRooms() throws(EventLogError) -> [RoomID] {
        try withState { state in state.order.filter { state.rooms[$0] != nil } }
    }

    /// The room's current head and snapshot; nil if there is no such room.
    package func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        try withState { state in
            state.rooms[room].map { ArchivedRoom(head: $0.head, lastSeq: $0.head.seq, snapshot: $0.snapshot) }
        }
    }
}
