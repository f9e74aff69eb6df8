import AuctionDomain
import DequeModule

/// Recovery from an outage: all open rooms whose deadline may have to be extended are read, then it is, in one batch for all. Until that
/// is durable, commands for open rooms wait and no other deadline is applied. Decided earlier, a command would find the round closed;
/// and a shared log accepts no event caused by a deadline before the outage is settled, so that one in the batch would fail it.
struct Recovery: Sendable {
    /// Added to the extended deadlines: clients reach the service only after these are committed and the event loops run.
    static let allowanceMilliseconds: Int64 = 250

    /// The rooms, ordered.
    let rooms: [RoomID]
    private let roomSet: Set<RoomID>
    /// Rooms whose read is outstanding.
    private(set) var awaited: Set<RoomID>
    /// Rooms whose extension is not durable because of an append of another node, or of which something was in flight that may still fail.
    var unfinished: Set<RoomID> = []
    /// Whether a room could not be read, or the log has refused the extended deadlines: until it is in order, the time that other rooms have
    /// left may be of no use to clients.
    var hasFailed = false
    /// The batch that extends the deadlines, which is submitted at the end of the turn; nil before.
    var batch: Int?
    private var held: Deque<CommandRequest> = []
    private var heldPerRoom: [RoomID: Int] = [:]

    /// - Parameter awaited: Those of the rooms that have to be read.
    init(rooms: [RoomID], awaited: [RoomID]) {
        self.rooms = rooms.sorted()
        roomSet = Set(rooms)
        self.awaited = Set(awaited)
    }

    /// Whether the room's deadline is still to be extended, if it has to be, or the extension is not durable yet.
    func contains(_ room: RoomID) -> Bool { roomSet.contains(room) }

    /// How it ends, by what is known so far.
    var result: RecoveryResult { hasFailed ? .failed : RecoveryResult(unfinished: unfinished) }

    /// Whether all rooms have been read, and the deadlines have not been extended yet.
    var isRead: Bool { awaited.isEmpty && batch == nil }

    /// Queues a command until the recovery is over.
    /// - Returns: False if as many commands as allowed wait for the room.
    mutating func hold(_ request: CommandRequest, limitPerRoom: Int) -> Bool {
        let count = heldPerRoom[request.room, default: 0]
        guard count < limitPerRoom else { return false }
        heldPerRoom[request.room] = count + 1
        held.append(request)
        return true
    }

    /// Queues commands that arrived before all that wait.
    mutating func holdFirst(_ requests: some Collection<CommandRequest>) {
        for request in requests { heldPerRoom[request.room, default: 0] += 1 }
        held = Deque(requests) + held
    }

    /// Removes and returns the commands that wait, in order of arrival.
    mutating func takeHeld() -> [CommandRequest] {
        defer { (held, heldPerRoom) = ([], [:]) }
        return Array(held)
    }

    /// A read has finished, with whatever result.
    /// - Returns: Whether it was the last one awaited.
    mutating func loaded(_ room: RoomID) -> Bool {
        batch == nil && awaited.remove(room) != nil && awaited.isEmpty
    }
}
