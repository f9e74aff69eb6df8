package import AuctionDomain
internal import ExactJSON
internal import Foundation

/// A room's state after applying its committed events, with the hash of its history. Immutable.
///
/// A class, so that each holder (base, head, batch, committed view) costs a reference count instead of a copy.
package final class ReplayedRoom: Sendable {
    /// State after the last event.
    package let room: Room
    /// Hash of the last event.
    package let hash: EventHash

    package init(room: Room, hash: EventHash) {
        self.room = room
        self.hash = hash
    }

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
                throw EventLogError(.corrupt, "\(id): the snapshot at seq \(snapshot.seq) was made by an older program")
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
        for stored in events {
            let expected = EventCodec.chain(hash, publicBytes: stored.publicBytes, privateBytes: stored.privateBytes)
            guard expected == stored.hash else {
                throw EventLogError(.corrupt, "\(id): the event with seq \(stored.seq) does not match its hash")
            }
            hash = stored.hash
            room = try replay(stored, into: room, id: id)
        }
        guard let room else { throw EventLogError(.corrupt, "\(id): the room has no events") }
        let replayed = ReplayedRoom(room: room, hash: hash)
        guard replayed.head == head else {
            throw EventLogError(.corrupt, "\(id): the history ends at seq \(room.seq), its head says \(head.seq)")
        }
        return replayed
    }

    /// Encodes a room as a snapshot. The format is private to this target.
    /// - Throws: `EventLogError.Code.corrupt` if the room cannot be encoded.
    package static func snapshot(of room: Room) throws(EventLogError) -> RoomSnapshot {
        do {
            return RoomSnapshot(room: room.id, seq: room.seq, bytes: try SnapshotEncoder.encode(room))
        } catch {
            throw EventLogError(.corrupt, "\(room.id): no snapshot can be made: \(error)")
        }
    }

    /// Decodes a snapshot; nil if its format is older, in which case the room must be replayed from its events.
    static func decode(_ snapshot: RoomSnapshot) throws(EventLogError) -> Room? {
        do {
            let envelope = try SnapshotDecoder.decode(snapshot.bytes)
            guard SnapshotEnvelope.readable.contains(envelope.version) else {
                throw UnknownSnapshotVersion(version: envelope.version)
            }
            return envelope.room
        } catch {
            if let old = try? JSONDecoder().decode(SnapshotVersion.self, from: Data(snapshot.bytes)),
                old.version < SnapshotEnvelope.readable.lowerBound
            {
                return nil
            }
            throw EventLogError(.corrupt, "\(snapshot.room): the snapshot at seq \(snapshot.seq) cannot be read: \(error)")
        }
    }

    private static func replay(_ stored: StoredEvent, into room: Room?, id: RoomID) throws(EventLogError) -> Room {
        // Also in its row, not only in its bytes: pages of events are read by the row's number.
        let expected = (room?.seq ?? 0) + 1
        guard stored.seq == expected else {
            throw EventLogError(.corrupt, "\(id): event \(stored.seq) is where event \(expected) belongs")
        }
        do {
            let event = try EventCodec.decode(stored, after: room)
            guard var room else {
                guard let opened = Room(id: id, opening: event) else {
                    throw EventLogError(.corrupt, "\(id): the history begins with \(stored.type), not room.opened")
                }
                return opened
            }
            try room.apply(event)
            return room
        } catch let error as EventLogError {
            throw error
        } catch {
            throw EventLogError(.corrupt, "\(id): the event with seq \(stored.seq) cannot be read: \(error)")
        }
    }
}

private struct SnapshotVersion: Codable {
    let version: Int
}

private struct UnknownSnapshotVersion: Error {
    let version: Int
}
