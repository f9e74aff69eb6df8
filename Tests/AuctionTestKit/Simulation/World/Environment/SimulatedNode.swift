internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// One process from start to crash: the product's cores, and the state that its threads would hold.
final class SimulatedNode {
    let name: ProcessName
    let service: ServiceNode
    /// Which of its sequencers gets an input.
    let routing: SequencerRouting
    private(set) var sequencers: [SimulatedSequencer] = []
    var committer: Committer
    var loops: [Loop]
    /// Whether clients reach it: from its recovery to its crash.
    var isServing = false
    /// Whether the process has started; false while it waits for its restart.
    var hasStarted = false
    /// Permanent failure of its log: the process sends pending responses and exits.
    var failure: EventLogError?
    var submitted: [Batch] = []
    var isCommitting = false
    /// Simulated time at which the committer's turn began.
    var turnBegan: Int64 = 0
    var rooms: CommittedRooms { service.rooms }
    var publisher: Publisher { service.publisher }
    let presence: PresenceExchange
    let revocations = RevocationExchange()
    /// The revocations that are in effect.
    var revoked = SharedRevocations()
    /// Subscriptions that have ended.
    var subscribed: [Subscribed] = []
    /// Users whose presence has been reported, for the planted bug `returnsUnreported`.
    var reportedUsers: Set<UserID> = []
    /// Pending polls by exchange.
    var polls: [UInt64: Poll] = [:]
    /// The room at each latest snapshot, for the planted bug `snapshotStale`.
    var previousSnapshot: [RoomID: Room] = [:]

    /// Number of event loops per process.
    static let loopCount = 2

    /// One event loop.
    struct Loop {
        var subscriptions: Subscriptions
        /// Simulated time of the planned tick of the subscriptions.
        var plannedTick: Int64?
        /// Simulated time of the planned check for expired tokens.
        var plannedTokenCheck: Int64?
        /// Simulated time at which the last message to it arrives.
        var deliveryDue: Int64 = 0
    }

    /// A user's subscription to a room, in simulated time.
    struct Subscribed {
        let room: RoomID
        let user: String
        let during: ClosedRange<Int64>
    }

    struct Poll {
        let reader: Int
        let room: RoomID
        let after: Int
        let limit: Int
        let wait: Int64
        /// The token, as it was verified last.
        var principal: Principal
        /// The room that it is subscribed to; nil unless it is held or a stream.
        var watched: CommittedRoom?
        /// Simulated time at which it subscribed.
        var since: Int64 = 0
        /// Whether the room was already refreshed from the log for this poll.
        var wasRefreshed = false
        /// Set for a stream.
        var stream: Stream?
    }

    /// An open connection that delivers in order.
    struct Stream {
        /// Simulated time at which everything sent so far has arrived.
        var due: Int64
    }

    /// Heartbeats and outage handling on a shared log.
    var tasks: NodeTasks
    /// Simulated time of its last heartbeat.
    var lastBeat: Int64 = 0
    /// Simulated time since which it waits for heartbeats of other processes, before it starts; nil before that.
    var waitsSince: Int64?
    /// Simulated time at which its next heartbeat is planned; heartbeats that were planned before that for later are not sent.
    var nextBeat: Int64 = 0
    /// Simulated time until which it waits for the reply to an append over a cut link.
    var waitsUntil: Int64 = 0
    /// Rooms to which other processes have appended.
    var remotelyAppended: Set<RoomID> = []
    var plannedLogPoll: Int64?
    var plannedExpirySearch: Int64?

    init(_ name: ProcessName, in world: World) {
        self.name = name
        let bits = UInt64(name.node + 1) << 32 | UInt64(name.life + 1)
        tasks = NodeTasks(NodeID(bits: bits))
        committer = Committer(groupLimit: world.groupLimit, recoversFromFailures: world.isShared)
        let encoder = SimulatedResponseEncoder(rulebook: world.rulebook, bug: world.options.bug)
        service = ServiceNode(
            encoder: encoder, limits: world.limits, clock: ProcessClock(world: world, index: name.node),
            isShared: world.isShared, sequencers: world.sequencerCount, loopCount: Self.loopCount)
        // Small enough that a simulated room has more than one page.
        var pages = Subscriptions.Limits()
        (pages.pageEvents, pages.pageBytes, pages.sparePages) = (8, 6000, 2)
        loops = (0..<Self.loopCount).map { _ in Loop(subscriptions: Subscriptions(limits: pages)) }
        presence = PresenceExchange(of: tasks.node, rooms: service.rooms)
        let count = world.sequencerCount
        routing = SequencerRouting(count: count)
        sequencers = (0..<count).map { index in
            SimulatedSequencer(
                Sequencer(
                    manager: RoomManager(rulebook: world.rulebook), encoder: encoder, limits: world.limits.divided(by: count),
                    isShared: world.isShared, seed: bits ^ UInt64(index), drawSecret: DrawSecret(seed: bits)),
                of: self, in: world)
        }
    }
}

/// The clocks of a process. `@unchecked Sendable`: a simulation has one thread.
private struct ProcessClock: ServiceClock, @unchecked Sendable {
    unowned let world: World
    let index: Int

    func now() -> Now { world.now(of: index) }
    func uptime() -> Int64 { world.uptime }
}

/// A job of a directive, which has the log once it runs.
struct SimulatedJob {
    let directive: Sequencer.Directive
    let run: (any EventLog) -> Void
}

/// One sequencer of a process, with what its thread would hold. `@unchecked Sendable`: a simulation has one thread.
final class SimulatedSequencer: ServiceShell, @unchecked Sendable {
    var core: Sequencer
    var inbox: [Sequencer.Input] = []
    var isTurnPlanned = false
    /// Simulated time of the planned wake-up.
    var plannedTick: Int64?
    private unowned let world: World
    private unowned let process: SimulatedNode

    init(_ core: consuming Sequencer, of process: SimulatedNode, in world: World) {
        self.core = core
        self.process = process
        self.world = world
    }

    /// Ends the turn; a method, because the core must not be accessed while its directives are performed.
    func endTurn() -> [Sequencer.Directive] { core.endTurn() }

    // MARK: - What carrying out directives takes

    var node: ServiceNode { process.service }

    func submit(_ batch: Batch) { world.submit(batch, on: process) }

    func post(_ input: Sequencer.Input) {
        switch input {
        case .loaded, .caughtUp:
            let result = world.broken(input, of: process)
            return world.plan(on: process, in: world.pause()) { $0.post(result, to: $1) }
        case .snapshotFinished(let room, nil) where !world.isCut(process):
            world.report("snapshot", "\(room): no snapshot can be made")
        default: break
        }
        world.post(input, to: process)
    }

    func deliver(_ deliveries: Deliveries) { world.deliver(deliveries, from: process) }

    func run(_ directive: Sequencer.Directive, _ job: @escaping @Sendable (any EventLog) -> Void) {
        world.plan(SimulatedJob(directive: directive, run: job), on: process)
    }
}
