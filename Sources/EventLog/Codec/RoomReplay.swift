package import AuctionDomain

/// A room's state after applying its committed events, with the hash of its history. Immutable.
///
/// A class, so that each holder (base, head, batch, committed view) costs a reference count instead of a copy.
package final class ReplayedRoom: Sendable {
    /// State after the last event.
    package let room: Room
    /// Hash of the last event.
    package let hash: EventHash

    package init(room: Room, hash: EventHash) { (self.room, self.hash) = (room, hash) }

    /// Head of the history that produced this state.
    package var head: RoomHead { RoomHead(seq: room.seq, headHash: hash.headHash) }
}

/// Rebuilds rooms from stored snapshots and events.
package enum RoomReplay {
    /// Replays a loaded history and verifies it: no gaps in `seq`, every hash, and the head.
    /// - Throws: `EventLogError.Code.corrupt`, naming the event concerned.
    package static func room(_ id: RoomID, from history: LoadedHistory) throws(EventLogError) -> ReplayedRoom {
        var room = try history.snapshot.map { snapshot throws(EventLogError) in
            guard let room = try decode(snapshot) else {
                throw EventLogError(
                    .corrupt, "\(id): the snapshot at seq \(snapshot.seq) was made by another version of the program")
            }
            return room
        }
        var hash = history.hashAtSnapshot
        return try replay(history.events, into: &room, &hash, id: id, until: history.head)
    }

    /// Applies later events to a replayed room, with the same verification.
    /// - Throws: `EventLogError.Code.corrupt`, naming the event concerned.
    package static func room(_ base: ReplayedRoom, after changes: RoomChanges) throws(EventLogError) -> ReplayedRoom {
        var room: Room? = base.room
        var hash = base.hash
        return try replay(changes.events, into: &room, &hash, id: base.room.id, until: changes.head)
    }

    private static func replay(
        _ events: [StoredEvent], into room: inout Room?, _ hash: inout EventHash, id: RoomID, until head: RoomHead
    ) throws(EventLogError) -> ReplayedRoom {
        var left = events[...]
        if room == nil, let first = left.popFirst() { room = try opened(id, by: first, &hash) }
        guard var room = room.take() else { throw EventLogError(.corrupt, "\(id): the room has no events") }
        while !left.isEmpty {
            let slice = left.prefix(eventsPerSlice)
            left = left.dropFirst(slice.count)
            try fold(slice, into: &room, &hash)
        }
        let replayed = ReplayedRoom(room: room, hash: hash)
        guard replayed.head == head else {
            throw EventLogError(.corrupt, "\(id): the history ends at seq \(room.seq), its head says \(head.seq)")
        }
        return replayed
    }

    /// Events that are decoded before they are folded together, which copies the room once.
    private static let eventsPerSlice = 256

    /// Encodes a room as a snapshot. The format is private to this target.
    /// - Throws: `EventLogError.Code.corrupt` if the room cannot be encoded.
    package static func snapshot(of room: Room) throws(EventLogError) -> RoomSnapshot {
        do {
            return RoomSnapshot(room: room.id, seq: room.seq, bytes: try SnapshotForm.encode(room))
        } catch {
            throw EventLogError(.corrupt, "\(room.id): no snapshot can be made: \(error)")
        }
    }

    /// Decodes a snapshot; nil if another version of the program made it, so that the room must be replayed from its events.
    static func decode(_ snapshot: RoomSnapshot) throws(EventLogError) -> Room? {
        let decoded: Room?
        do {
            decoded = try SnapshotForm.decode(snapshot.bytes)
        } catch {
            throw EventLogError(.corrupt, "\(snapshot.room): the snapshot at seq \(snapshot.seq) cannot be read: \(error)")
        }
        guard let room = decoded else { return nil }
        guard room.id == snapshot.room, room.seq == snapshot.seq else {
            throw EventLogError(
                .corrupt, "\(snapshot.room): the snapshot at seq \(snapshot.seq) is that of \(room.id) at seq \(room.seq)")
        }
        return room
    }

    private static func opened(_ id: RoomID, by stored: StoredEvent, _ hash: inout EventHash) throws(EventLogError) -> Room {
        try check(stored, at: 1, &hash, id)
        let event = try decode(stored, afterRound: nil, in: nil, id)
        guard let opened = Room(id: id, opening: event) else {
            throw EventLogError(.corrupt, "\(id): the history begins with \(stored.type), not room.opened")
        }
        return opened
    }

    private static func fold(
        _ stored: ArraySlice<StoredEvent>, into room: inout Room, _ hash: inout EventHash
    ) throws(EventLogError) {
        let (id, currency) = (room.id, room.currency)
        var (round, seq) = (room.round, room.seq)
        var events: [Event] = []
        events.reserveCapacity(stored.count)
        for next in stored {
            seq += 1
            try check(next, at: seq, &hash, id)
            let event = try decode(next, afterRound: round, in: currency, id)
            round = event.round
            events.append(event)
        }
        do {
            try room.apply(events)
        } catch {
            throw EventLogError(.corrupt, "\(id): an event cannot be read: \(error)")
        }
    }

    /// Checks an event's place in its row, not only in its bytes, since pages of events are read by the row's number; and its hash.
    private static func check(
        _ stored: StoredEvent, at expected: Int, _ hash: inout EventHash, _ id: RoomID
    ) throws(EventLogError) {
        // Those of a rewritten event are compared with their digest when they are read, and with the event of the erasure by `verify`.
        let chained = EventCodec.chain(hash, publicBytes: stored.publicBytes, privateBytes: stored.privateBytes)
        guard stored.isErased || chained == stored.hash else {
            throw EventLogError(.corrupt, "\(id): the event with seq \(stored.seq) does not match its hash")
        }
        guard stored.seq == expected else {
            throw EventLogError(.corrupt, "\(id): event \(stored.seq) is where event \(expected) belongs")
        }
        hash = stored.hash
    }

    private static func decode(
        _ stored: StoredEvent, afterRound round: Int?, in currency: Currency?, _ id: RoomID
    ) throws(EventLogError) -> Event {
        do {
            return try EventCodec.decode(stored, afterRound: round, in: currency)
        } catch {
            throw EventLogError(.corrupt, "\(id): the event with seq \(stored.seq) cannot be read: \(error)")
        }
    }
}
