internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// Tells other nodes who follows rooms through this one, and this one who does through others, on a thread of its own.
final class PresenceWatch: Sendable {
    private static let lookMilliseconds = 500
    /// Rooms that one look asks for; with more in memory each has its turn.
    private static let roomsPerLook = 2000

    private let log: any SharedEventLog
    private let node: NodeID
    private let rooms: CommittedRooms
    private let inputs: Mailbox<Sequencer.Input>
    private let clock: any ServiceClock
    private let ledger = Mutex(PresenceLedger())
    private let thread = WatchThread(name: "presence")

    init(
        log: any SharedEventLog, node: NodeID, rooms: CommittedRooms, inputs: Mailbox<Sequencer.Input>,
        clock: any ServiceClock
    ) {
        self.log = log
        self.node = node
        self.rooms = rooms
        self.inputs = inputs
        self.clock = clock
    }

    /// Who has begun or ceased to follow which room by this node.
    func note(_ changes: [PresenceChange]) { ledger.withLock { $0.note(changes) } }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        var waiting: [RoomID] = []
        var whole = clock.now().monotonic
        while thread.pause(milliseconds: Self.lookMilliseconds) {
            do throws(EventLogError) {
                try tell()
                let now = clock.now().monotonic
                let isWhole = now - whole >= PresenceLedger.wholeNanoseconds
                if isWhole { whole = now }
                if waiting.isEmpty { waiting = rooms.ids }
                try ask(Array(waiting.suffix(Self.roomsPerLook)), isWhole: isWhole)
                waiting.removeLast(min(waiting.count, Self.roomsPerLook))
            } catch {
                // Nobody is gone because the log is out of reach.
                continue
            }
        }
    }

    private func tell() throws(EventLogError) {
        let now = clock.now().monotonic
        let known = ledger.withLock { $0.toldRooms }
        let reports = rooms.watched.union(known).sorted().compactMap { id -> RoomPresenceReport? in
            let room = rooms[id]
            let (view, watchers) = (room?.view.room, room?.watchers ?? 0)
            return ledger.withLock { $0.report(of: id, view, watchers: watchers, at: now) }
        }
        guard !reports.isEmpty else { return }
        try log.setPresence(reports, of: node)
        ledger.withLock { $0.tell(reports, at: now) }
    }

    private func ask(_ asked: [RoomID], isWhole: Bool) throws(EventLogError) {
        guard !asked.isEmpty else { return }
        let found = try log.presence(in: asked, except: node)
        let counts = Dictionary(found.map { ($0.room, $0.count) }, uniquingKeysWith: { _, last in last })
        for id in asked { rooms[id]?.follow(elsewhere: counts[id] ?? 0) }
        let changed = ledger.withLock { $0.learn(asked, found, isWhole: isWhole) }
        if !changed.isEmpty { inputs.post(.elsewhere(changed)) }
    }
}
