import AuctionDomain
import AuctionService
import EventLog

/// A public room whose history grows by events without content; the latest ones are in memory.
struct GrowingRoom {
    /// The room as readers see it.
    let committed: CommittedRoom
    private let rooms: CommittedRooms
    private var state: Room
    private var history: [StoredEvent] = []

    /// - Parameter limit: Number of events in memory.
    init(_ id: RoomID = RoomID(bits: 1), seq: Int = 1, bytes: Int = 10, inMemory limit: Int = 256) throws {
        let host = Person(id: UserID(bits: 1), nickname: "Hana")
        let opened = RoomOpened(name: "Tonight", host: host, currency: .cny, visibility: .public, inviteCode: "")
        guard
            let room = Room(id: id, opening: Event(seq: 1, at: Timestamp(milliseconds: 0), round: 1, body: .roomOpened(opened)))
        else { throw EventLogError(.corrupt, "the room is not opened") }
        state = room
        rooms = CommittedRooms(recentLimit: limit)
        history = [Self.event(1, bytes)]
        committed = rooms.publish(room, history)
        _ = try grow(to: seq, bytes: bytes)
    }

    /// Adds events one by one, in memory too; returns them.
    mutating func grow(to seq: Int, bytes: Int = 10) throws -> [StoredEvent] {
        let before = history.count
        while history.count < seq {
            let next = history.count + 1
            try state.apply(
                Event(seq: next, at: Timestamp(milliseconds: 0), round: 1, body: .drawRevealed(seed: DrawSeed(bits: 0))))
            history.append(Self.event(next, bytes))
            _ = rooms.publish(state, Array(history.suffix(1)))
        }
        return Array(history[before...])
    }

    /// Number of its last event.
    var seq: Int { history.count }

    /// Events of the history, as the log has them.
    func events(_ range: ClosedRange<Int>) -> [StoredEvent] { Array(history[(range.lowerBound - 1)...(range.upperBound - 1)]) }

    private static func event(_ seq: Int, _ bytes: Int) -> StoredEvent {
        StoredEvent(
            seq: seq, at: Timestamp(milliseconds: 0), type: "draw.revealed", publicBytes: Array(repeating: 65, count: bytes),
            privateBytes: nil, hash: .zero)
    }

    /// Counts a watcher, as every subscriber has to.
    fileprivate func watch() { _ = rooms.watch(committed) }
}

extension Subscriptions {
    private static var start: Now { Now(wall: Timestamp(milliseconds: 0), monotonic: 0) }

    /// A stream without a token joins.
    mutating func join(_ id: ID, _ room: GrowingRoom, after: Int) -> [Directive] {
        room.watch()
        return join(id, room.committed, nil, after: after, at: Self.start)
    }

    /// A long-poll without a token joins.
    mutating func wait(_ id: ID, _ room: GrowingRoom, for poll: Poll) -> [Directive] {
        room.watch()
        return wait(id, room.committed, nil, for: poll, at: Self.start)
    }
}
