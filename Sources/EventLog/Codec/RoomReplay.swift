public import AuctionDomain
internal import ExactJSON
internal import Foundation

/// A room as the log knows it: the fold of its events, with the hash of its history. Never changed once made.
///
/// A class, so that everybody who keeps it (base, head, batch, committed view) costs one reference count.
public final class ReplayedRoom: Sendable {
    public let room: Room
    public let hash: EventHash

    public init(room: Room, hash: EventHash) {
        self.room = room
        self.hash = hash
    }

    public var head: RoomHead { RoomHead(seq: room.seq, tip: hash.tip) }
}

/// Makes rooms from what the log stores.
public enum RoomReplay {
    /// Folds a loaded history and checks it on the way: seq without gaps, every hash, and the head.
    /// - Throws: `EventLogError.Code.corrupt`, saying where.
    public static func room(_ id: RoomID, from history: LoadedHistory) throws(EventLogError) -> ReplayedRoom {
        var room = try history.snapshot.map { snapshot throws(EventLogError) in
            guard let room = try decode(snapshot) else {
                throw EventLogError(.corrupt, "\(id): the snapshot at seq \(snapshot.seq) was made by an older program")
            }
            return room
        }
        var hash = history.hashAtSnapshot
        return try fold(history.events, into: &room, &hash, id: id, until: history.head)
    }

    /// A room with what came since, checked in the same way.
    /// - Throws: `EventLogError.Code.corrupt`, saying where.
    public static func room(_ known: ReplayedRoom, after advance: RoomAdvance) throws(EventLogError) -> ReplayedRoom {
        var room: Room? = known.room
        var hash = known.hash
        return try fold(advance.events, into: &room, &hash, id: known.room.id, until: advance.head)
    }

    private static func fold(
        _ events: [StoredEvent], into room: inout Room?, _ hash: inout EventHash, id: RoomID, until head: RoomHead
    ) throws(EventLogError) -> ReplayedRoom {
        for stored in events {
            let expected = EventCodec.chain(hash, publicBytes: stored.publicBytes, privateBytes: stored.privateBytes)
            guard expected == stored.hash else {
                throw EventLogError(.corrupt, "\(id): the event with seq \(stored.seq) does not match its hash")
            }
            hash = stored.hash
            room = try fold(stored, into: room, id: id)
        }
        guard let room else { throw EventLogError(.corrupt, "\(id): the room has no events") }
        let replayed = ReplayedRoom(room: room, hash: hash)
        guard replayed.head == head else {
            throw EventLogError(.corrupt, "\(id): the history ends at seq \(room.seq), its head says \(head.seq)")
        }
        return replayed
    }

    /// The snapshot of a room, in bytes that only this type reads.
    public static func snapshot(of room: Room) throws(EventLogError) -> RoomSnapshot {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let bytes = [UInt8](try encoder.encode(SnapshotEnvelope(version: SnapshotEnvelope.current, room: room)))
            return RoomSnapshot(room: room.id, seq: room.seq, bytes: bytes)
        } catch {
            throw EventLogError(.corrupt, "\(room.id): no snapshot can be made: \(error)")
        }
    }

    /// The room that a snapshot holds; nil for one of an older version, instead of which all events are folded.
    static func decode(_ snapshot: RoomSnapshot) throws(EventLogError) -> Room? {
        let decoder = JSONDecoder()
        let bytes = Data(snapshot.bytes)
        do {
            let envelope = try decoder.decode(SnapshotEnvelope.self, from: bytes)
            guard envelope.version == SnapshotEnvelope.current else { throw UnknownSnapshotVersion(version: envelope.version) }
            return envelope.room
        } catch {
            if let old = try? decoder.decode(SnapshotVersion.self, from: bytes), old.version < SnapshotEnvelope.current {
                return nil
            }
            throw EventLogError(.corrupt, "\(snapshot.room): the snapshot at seq \(snapshot.seq) cannot be read: \(error)")
        }
    }

    private static func fold(_ stored: StoredEvent, into room: Room?, id: RoomID) throws(EventLogError) -> Room {
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

/// What a snapshot's bytes hold. The version changes with the meaning of any field of `Room`: an old snapshot is then passed
/// over and the room folded from its events.
private struct SnapshotEnvelope: Codable {
    static let current = 3
    let version: Int
    let room: Room
}

private struct SnapshotVersion: Codable {
    let version: Int
}

private struct UnknownSnapshotVersion: Error {
    let version: Int
}
