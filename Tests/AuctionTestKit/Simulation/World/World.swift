internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// The simulated system: processes, their log and clocks, the network and the clients.
///
/// One thread and one event queue; every choice comes from a seeded generator. Each concern has its own generator, so that
/// disabling one changes as little as possible for the others.
final class World {
    enum Task {
        case act
        case arrive(attempt: Int, node: Int)
        case received(attempt: Int)
        case timedOut(attempt: Int)
        case tick(ProcessName, sequencer: Int)
        case turn(ProcessName, sequencer: Int)
        case post(ProcessName, Sequencer.Input)
        case commit(ProcessName)
        case append(ProcessName, [RoomAppend])
        case appended(ProcessName, Result<[AppendVerdict], EventLogError>)
        case deliver(ProcessName, loop: Int, Delivery)
        case load(ProcessName, RoomID)
        case catchUp(ProcessName, ReplayedRoom, responsesAfter: Int64)
        case replay(ProcessName, position: Int64, CommandRequest)
        case snapshot(ProcessName, Room)
        case subscriptionsTick(ProcessName, loop: Int)
        case sweep(ProcessName)
        case keepJumps(ProcessName)
        case poll(reader: Int)
        case pollArrives(reader: Int, node: Int, poll: UInt64)
        case page(ProcessName, poll: UInt64, upTo: Int)
        case pageReceived(reader: Int, poll: UInt64, [StoredEvent], after: Int)
        case pollFailed(reader: Int, poll: UInt64)
        case hangUp(reader: Int, poll: UInt64)
        case streamArrives(reader: Int, node: Int, stream: UInt64)
        case streamPage(ProcessName, stream: UInt64, RoomID, after: Int, limit: Int)
        case streamReady(ProcessName, stream: UInt64)
        case streamReceived(reader: Int, stream: UInt64, [StoredEvent])
        case restart(node: Int)
        case restoreLink(node: Int)
        case beat(ProcessName)
        case settle(ProcessName, RecoveryResult)
        case pollLog(ProcessName)
        case findExpired(ProcessName)
        case exchangePresence(ProcessName)
        case checkTokens(ProcessName, loop: Int)
        case exchangeRevocations(ProcessName)
    }

    let options: SimulationOptions
    let rulebook: RoomRulebook
    let limits: ServiceLimits
    /// Maximum number of rooms in one transaction.
    let groupLimit: Int
    /// Number of sequencers of each process.
    let sequencerCount: Int
    var time: Int64 = 0 { didSet { log.time.set(time) } }
    var step = 0
    var eventQueue = EventQueue<Task>()
    var log: SimulatedLog
    var clocks: [SimulatedClock] = []
    var nodes: [SimulatedNode] = []
    var transcript = Transcript()
    var readers: [Reader] = []
    var people: [Person] = []
    var retries: [Int: Int] = [:]
    var nextPoll: UInt64 = 1
    /// Whether several processes share the log.
    let isShared: Bool
    /// How each node's link to the log is cut; nil if it is not.
    var links: [CutLink?] = []
    /// Simulated time since which each node's link is cut.
    var cutSince: [Int: Int64] = [:]
    /// Appends of each node that arrive when its link is restored.
    var delayed: [[[RoomAppend]]] = []
    /// Simulated time since which each node serves and reaches the log; nil while it does not.
    var servingSince: [Int64?] = []
    /// Simulated time of the last heartbeat of any process.
    var lastBeat: Int64?
    /// The process that extends deadlines after the last outage.
    var outageClaimer: ProcessName?
    /// Next deadline of each room, in simulated time.
    var deadlines: [RoomID: Int64] = [:]
    /// No faults are injected: during setup and at the end of the run.
    var isFaultFree = true
    /// Simulated time at which the idle period ends; until then clients send nothing.
    var idleUntil: Int64 = 0
    var idleSince: Int64 = 0
    /// Simulated time of the last heartbeat in an idle period at which a room was open.
    var lastOpen: Int64 = 0
    /// Simulated time of the last change of presence.
    var lastPresenceChange: Int64 = 0
    /// The step before which an idle period begins; nil for none.
    let idleStep: Int?
    /// Invite codes of private rooms, once a host has received them.
    var codes: [RoomID: String] = [:]
    var trace: SimulationTrace
    var findings: [SimulationFinding] = []
    /// What the operator of each node lists now, and what any operator has ever listed.
    var listed: [[ListedRevocation]] = []
    var everListed: [ListedRevocation] = []
    /// Simulated time at which each node's clock was set last.
    var clockSetAt: [Int: Int64] = [:]

    var work: SeededGenerator
    var network: SeededGenerator
    var process: SeededGenerator
    var faults: SeededGenerator
    var habits: SeededGenerator
    var tokens: SeededGenerator
    var sales: SeededGenerator

    init(_ options: SimulationOptions, rulebook: RoomRulebook, tracing: Bool) {
        self.options = options
        self.rulebook = rulebook
        (work, network) = (SeededGenerator(seed: options.seed ^ 0x11), SeededGenerator(seed: options.seed ^ 0x2200))
        (process, faults) = (SeededGenerator(seed: options.seed ^ 0x33_0000), SeededGenerator(seed: options.seed ^ 0x4400_0000))
        var generator = SeededGenerator(seed: options.seed ^ 0x55_0000_0000)
        habits = SeededGenerator(seed: options.seed ^ 0x66_0000_0000)
        tokens = SeededGenerator(seed: options.seed ^ 0x7700_0000_0000)
        sales = SeededGenerator(seed: options.seed ^ 0x9900_0000_0000)
        let (hasIdlePeriod, step) = (habits.once(in: 5), habits.roll(20...100))
        idleStep = hasIdlePeriod ? step : nil
        trace = SimulationTrace(isOn: tracing)
        limits = Self.limits(options, &generator)
        groupLimit = generator.once(in: 3) ? generator.roll(1...3) : 4096
        var sharding = SeededGenerator(seed: options.seed ^ 0x8800_0000_0000_0000)
        sequencerCount = min(options.sequencers, sharding.pick([1, 2, 5]))
        // Most runs have one process, as with SQLite; the rest race for one log.
        let count = min(options.nodes, generator.once(in: 4) ? generator.roll(2...3) : 1)
        isShared = count > 1
        transcript.isSingle = count == 1
        log = SimulatedLog(isShared: isShared, bug: options.bug, seed: options.seed)
        for node in 0..<count {
            let drift = generator.amount(-300...300)
            let offset = node == 0 ? 0 : generator.amount(-200...200)
            clocks.append(SimulatedClock(offset: offset, drift: options.faults.contains(.clockDrift) ? drift : 0))
            links.append(nil)
            delayed.append([])
            listed.append([])
            servingSince.append(nil)
            nodes.append(newNode(ProcessName(node: node, life: 0)))
        }
        people = (0..<max(3, options.people)).map {
            Person(id: UserID(bits: UInt128(1000 + $0)), nickname: "Person \($0)")
        }
        for node in nodes { start(node) }
    }

    func newNode(_ name: ProcessName) -> SimulatedNode {
        SimulatedNode(
            name, rulebook: rulebook, limits: limits, groupLimit: groupLimit, isShared: isShared,
            sequencers: sequencerCount)
    }

    /// Bounds that a short run reaches.
    private static func limits(_ options: SimulationOptions, _ generator: inout SeededGenerator) -> ServiceLimits {
        var limits = ServiceLimits()
        let (spacing, idle, recent, races) = (
            generator.roll(2000...16000), generator.roll(1...30), generator.roll(4...64), generator.roll(3...16)
        )
        limits.conflictRetries = races
        limits.recentEventsPerRoom = recent
        guard options.faults.contains(.eviction) else { return limits }
        limits.bytesPerSnapshot = spacing
        limits.idleRoomSeconds = idle
        return limits
    }

    /// Performs all tasks that are due at or before `end`.
    func advance(to end: Int64) {
        while let (due, task) = eventQueue.take(by: end) {
            time = max(time, due)
            perform(task)
        }
        time = max(time, end)
    }

    func plan(_ task: Task, in milliseconds: Int64) { eventQueue.add(task, at: time + max(0, milliseconds)) }

    /// The process of that name; nil once it has crashed.
    func living(_ name: ProcessName) -> SimulatedNode? {
        let node = nodes[name.node]
        return node.name == name ? node : nil
    }

    func now(_ node: SimulatedNode) -> Now {
        let now = clocks[node.name.node].now(at: time)
        switch options.bug {
        case .wallClockFollowed where !isShared: return Now(wall: now.actual, monotonic: now.monotonic)
        case .jumpsAgeKeys: return Now(wall: now.wall, monotonic: now.monotonic, actual: now.actual)
        default: return now
        }
    }

    private func perform(_ task: Task) {
        switch task {
        case .act: break
        case .arrive(let attempt, let node): arrive(attempt, at: node)
        case .received(let attempt): received(attempt)
        case .timedOut(let attempt): timedOut(attempt)
        case .poll(let reader): poll(reader)
        case .pollArrives(let reader, let node, let poll): pollArrives(reader, nodes[node], poll)
        case .pageReceived(let reader, let poll, let events, let after): pageReceived(reader, poll, events, after: after)
        case .pollFailed(let reader, let poll): pollFailed(reader, poll)
        case .hangUp(let reader, let poll): hangUp(reader, poll)
        case .streamArrives(let reader, let node, let stream): streamArrives(reader, nodes[node], stream)
        case .streamReceived(let reader, let stream, let events): streamReceived(reader, stream, events)
        case .restart(let node): restart(node)
        case .restoreLink(let node): restoreLink(of: node)
        case .tick(let name, _), .turn(let name, _), .post(let name, _), .commit(let name), .append(let name, _),
            .appended(let name, _), .deliver(let name, _, _), .load(let name, _), .catchUp(let name, _, _),
            .replay(let name, _, _), .snapshot(let name, _), .subscriptionsTick(let name, _), .sweep(let name),
            .keepJumps(let name),
            .page(let name, _, _), .streamPage(let name, _, _, _, _), .streamReady(let name, _),
            .beat(let name), .settle(let name, _), .pollLog(let name), .findExpired(let name), .exchangePresence(let name),
            .checkTokens(let name, _), .exchangeRevocations(let name):
            if let node = living(name) { perform(task, on: node) }
        }
    }

    private func perform(_ task: Task, on node: SimulatedNode) {
        switch task {
        case .tick(_, let index):
            node.sequencers[index].plannedTick = nil
            planTurn(node, index, in: 0)
        case .turn(_, let index): turn(node, index)
        case .post(_, let input): post(input, to: node)
        case .commit: commit(node)
        case .append(_, let appends): append(appends, from: node)
        case .appended(_, let result): appended(result, on: node)
        case .deliver(_, let loop, let delivery): receive(delivery, on: node, loop: loop)
        case .load(_, let room): load(room, on: node)
        case .catchUp(_, let room, let responsesAfter): catchUp(room, responsesAfter: responsesAfter, on: node)
        case .replay(_, let position, let request): replay(position, request, on: node)
        case .snapshot(_, let room): save(room, on: node)
        case .subscriptionsTick(_, let loop): subscriptionsTick(node, loop)
        case .sweep: sweep(node)
        case .keepJumps: keepJumps(of: node)
        case .page(_, let poll, let seq): readPage(poll, upTo: seq, on: node)
        case .streamPage(_, let stream, let room, let after, let limit):
            streamPage(stream, room, after: after, limit: limit, on: node)
        case .streamReady(_, let stream): streamReady(stream, on: node)
        case .beat: beat(node)
        case .settle(_, let result): settle(node, result)
        case .pollLog: pollLog(node)
        case .findExpired: findExpired(node)
        case .exchangePresence: exchangePresence(node)
        case .checkTokens(_, let loop): checkTokens(node, loop)
        case .exchangeRevocations: exchangeRevocations(node)
        default: break
        }
    }
}

/// The last lines of a run, for developers; empty unless tracing is on.
struct SimulationTrace {
    let isOn: Bool
    private(set) var lines: [String] = []

    init(isOn: Bool) { self.isOn = isOn }

    mutating func note(_ line: @autoclosure () -> String) {
        guard isOn else { return }
        lines.append(line())
        if lines.count > 4000 { lines.removeFirst(2000) }
    }
}
