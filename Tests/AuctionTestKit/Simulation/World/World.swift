internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// The simulated system: processes, their log and clocks, the network and the clients.
///
/// One thread and one event queue; every choice comes from a seeded generator. Each concern has its own generator, so that
/// disabling one changes as little as possible for the others.
final class World {
    let options: SimulationOptions
    let rulebook: RoomRulebook
    let limits: ServiceLimits
    /// Maximum number of rooms in one transaction.
    let groupLimit: Int
    /// Number of sequencers of each process.
    let sequencerCount: Int
    var time: Int64 = 0 { didSet { log.time.set(time) } }
    var step = 0
    var eventQueue = EventQueue<(World) -> Void>()
    var log: SimulatedLog
    var clocks: [SimulatedClock] = []
    var nodes: [SimulatedNode] = []
    var transcript = Transcript()
    var readers: [Reader] = []
    var feedReaders: [FeedReader] = []
    /// Events that are not committed yet, for the planted bug that shows them.
    var feedEarly: [(room: RoomID, event: StoredEvent)] = []
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
    var feeds: SeededGenerator

    init(_ options: SimulationOptions, rulebook: RoomRulebook, tracing: Bool) {
        self.options = options
        self.rulebook = rulebook
        (work, network) = (SeededGenerator(seed: options.seed ^ 0x11), SeededGenerator(seed: options.seed ^ 0x2200))
        (process, faults) = (SeededGenerator(seed: options.seed ^ 0x33_0000), SeededGenerator(seed: options.seed ^ 0x4400_0000))
        var generator = SeededGenerator(seed: options.seed ^ 0x55_0000_0000)
        habits = SeededGenerator(seed: options.seed ^ 0x66_0000_0000)
        tokens = SeededGenerator(seed: options.seed ^ 0x7700_0000_0000)
        sales = SeededGenerator(seed: options.seed ^ 0x9900_0000_0000)
        feeds = SeededGenerator(seed: options.seed ^ 0xAA00_0000_0000)
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
            nodes.append(SimulatedNode(ProcessName(node: node, life: 0), in: self))
        }
        people = (0..<max(3, options.people)).map {
            Person(id: UserID(bits: UInt128(1000 + $0)), nickname: "Person \($0)")
        }
        for node in nodes { start(node) }
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
            task(self)
        }
        time = max(time, end)
    }

    func plan(in milliseconds: Int64, _ task: @escaping (World) -> Void) { plan(at: time + max(0, milliseconds), task) }

    func plan(at due: Int64, _ task: @escaping (World) -> Void) { eventQueue.add(task, at: due) }

    /// Plans a task of a process, which is dropped if that has died by then.
    func plan(on node: SimulatedNode, in milliseconds: Int64, _ task: @escaping (World, SimulatedNode) -> Void) {
        plan(on: node, at: time + max(0, milliseconds), task)
    }

    func plan(on node: SimulatedNode, at due: Int64, _ task: @escaping (World, SimulatedNode) -> Void) {
        plan(at: due) { [name = node.name] world in
            if let node = world.living(name) { task(world, node) }
        }
    }

    /// The process of that name; nil once it has crashed.
    func living(_ name: ProcessName) -> SimulatedNode? {
        let node = nodes[name.node]
        return node.name == name ? node : nil
    }

    func now(_ node: SimulatedNode) -> Now { now(of: node.name.node) }

    func now(of index: Int) -> Now {
        let now = clocks[index].now(at: time)
        switch options.bug {
        case .wallClockFollowed where !isShared: return Now(wall: now.actual, monotonic: now.monotonic)
        case .jumpsAgeKeys: return Now(wall: now.wall, monotonic: now.monotonic, actual: now.actual)
        default: return now
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
