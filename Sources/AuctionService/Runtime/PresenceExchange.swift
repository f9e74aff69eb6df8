internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// Exchanges presence with the other nodes through the shared log, on its own thread.
final class PresenceExchange: Sendable {
    private static let pollMilliseconds = 500
    /// Maximum number of rooms per query; with more in memory they take turns.
    private static let roomsPerQuery = 2000

    private let log: any SharedEventLog
    private let node: NodeID
    private let rooms: CommittedRooms
    private let inputs: Mailbox<Sequencer.Input>
    private let clock: any ServiceClock
    private let registry = Mutex(PresenceRegistry())
    private let thread = PeriodicThread(name: "presence")

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

    /// Takes in changes of the streams on this node.
    func record(_ changes: [PresenceChange]) { registry.withLock { $0.record(changes) } }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        var waiting: [RoomID] = []
        var lastFullReport = clock.now().monotonic
        while thread.pause(milliseconds: Self.pollMilliseconds) {
            do throws(EventLogError) {
                try publish()
                let now = clock.now().monotonic
                let isFull = now - lastFullReport >= PresenceRegistry.fullReportNanoseconds
                if isFull { lastFullReport = now }
                if waiting.isEmpty { waiting = rooms.ids }
                try load(Array(waiting.suffix(Self.roomsPerQuery)), isFull: isFull)
                waiting.removeLast(min(waiting.count, Self.roomsPerQuery))
            } catch {
                // An unreachable log disconnects no user.
                continue
            }
        }
    }

    private func publish() throws(EventLogError) {
        let now = clock.now().monotonic
        let known = registry.withLock { $0.publishedRooms }
        let reports = rooms.watched.union(known).sorted().compactMap { id -> RoomPresenceReport? in
            let room = rooms[id]
            let (view, watchers) = (room?.view.room, room?.watchers ?? 0)
            return registry.withLock { $0.report(of: id, view, watchers: watchers, at: now) }
        }
        guard !reports.isEmpty else { return }
        try log.setPresence(reports, of: node)
        registry.withLock { $0.markPublished(reports, at: now) }
    }

    private func load(_ queried: [RoomID], isFull: Bool) throws(EventLogError) {
        guard !queried.isEmpty else { return }
        let found = try log.presence(in: queried, except: node)
        let counts = Dictionary(found.map { ($0.room, $0.count) }, uniquingKeysWith: { _, last in last })
        for id in queried { rooms[id]?.setWatchers(remote: counts[id] ?? 0) }
        let changed = registry.withLock { $0.merge(queried, found, isFull: isFull) }
        if !changed.isEmpty { inputs.post(.remotePresence(changed)) }
    }
}
