internal import AuctionDomain
internal import EventLog

/// Watches what other nodes append to a shared log, and tells the sequencer which of its rooms are behind and which of theirs
/// nobody ends. Notices make it early; polling alone suffices.
final class Follower: Sendable {
    private static let pollMilliseconds = Int(Following.pollMilliseconds)
    /// Rooms that one look asks for; with more in memory each has its turn.
    private static let roomsPerLook = 2000
    private static let overdueRoomsPerLook = 256

    private let log: any SharedEventLog
    private let node: NodeID
    private let rooms: CommittedRooms
    private let inputs: Mailbox<Sequencer.Input>
    private let clock: any ServiceClock
    private let thread = WatchThread(name: "follower")

    init(
        log: any SharedEventLog, node: NodeID, rooms: CommittedRooms, inputs: Mailbox<Sequencer.Input>,
        clock: any ServiceClock
    ) {
        self.clock = clock
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
                guard now - searched >= .milliseconds(Following.overdueMilliseconds) else { continue }
                searched = now
                let overdue = try log.overdueRooms(by: Following.graceMilliseconds, limit: Self.overdueRoomsPerLook)
                if !overdue.isEmpty { inputs.post(.overdue(overdue)) }
            } catch {
                // The log is out of reach: readiness says so already.
                guard thread.pause(milliseconds: 2 * Self.pollMilliseconds) else { return }
            }
        }
    }

    private func compare(_ named: [RoomID]) throws(EventLogError) {
        let behind = try Following.behind(named, in: rooms, log, at: clock.uptime())
        if !behind.isEmpty { inputs.post(.behind(behind)) }
    }
}
