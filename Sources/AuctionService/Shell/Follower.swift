internal import AuctionDomain
internal import EventLog

/// Watches what other nodes append to a shared log, and tells the sequencer which of its rooms are behind and which of theirs
/// nobody ends. Notices make it early; polling alone suffices.
final class Follower: Sendable {
    /// How far what is read here may be behind the log, beside the time that a look and a read take.
    private static let pollMilliseconds = 50
    private static let overdueMilliseconds: Int64 = 200
    /// How long something may be due before another node than the one that is to end it looks.
    private static let graceMilliseconds: Int64 = 250
    /// Rooms that one look asks for; with more in memory each has its turn.
    private static let roomsPerLook = 2000
    private static let overdueRoomsPerLook = 256

    private let log: any SharedEventLog
    private let node: NodeID
    private let rooms: CommittedRooms
    private let inputs: Mailbox<Sequencer.Input>
    private let thread = WatchThread(name: "follower")

    init(log: any SharedEventLog, node: NodeID, rooms: CommittedRooms, inputs: Mailbox<Sequencer.Input>) {
        self.log = log
        self.node = node
        self.rooms = rooms
        self.inputs = inputs
    }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        var (looked, searched) = (ContinuousClock.now, ContinuousClock.now)
        var waiting: [RoomID] = []
        while thread.isRunning {
            do throws(EventLogError) {
                let notice = try log.awaitNotice(for: node, milliseconds: Self.pollMilliseconds)
                if case .rooms(let named) = notice { try compare(named) }
                let now = ContinuousClock.now
                if notice == .many || now - looked >= .milliseconds(Self.pollMilliseconds) {
                    looked = now
                    if waiting.isEmpty { waiting = rooms.ids }
                    try compare(Array(waiting.suffix(Self.roomsPerLook)))
                    waiting.removeLast(min(waiting.count, Self.roomsPerLook))
                }
                guard now - searched >= .milliseconds(Self.overdueMilliseconds) else { continue }
                searched = now
                let overdue = try log.overdueRooms(by: Self.graceMilliseconds, limit: Self.overdueRoomsPerLook)
                if !overdue.isEmpty { inputs.post(.overdue(overdue)) }
            } catch {
                // The log is out of reach: readiness says so already.
                guard thread.pause(milliseconds: 2 * Self.pollMilliseconds) else { return }
            }
        }
    }

    private func compare(_ named: [RoomID]) throws(EventLogError) {
        let asked = named.filter { rooms[$0] != nil }
        guard !asked.isEmpty else { return }
        let heads = try log.heads(of: asked)
        let behind = zip(asked, heads).compactMap { id, head -> RoomMark? in
            guard let room = rooms[id], room.view.room.seq < head.seq else { return nil }
            return RoomMark(room: id, seq: head.seq)
        }
        if !behind.isEmpty { inputs.post(.behind(behind)) }
    }
}
