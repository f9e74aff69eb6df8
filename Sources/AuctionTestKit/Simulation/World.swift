internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Everything that is simulated: processes, their log and clocks, the network between them and their clients.
///
/// One thread, one agenda; every choice is drawn from dice that the seed sets. Each concern has dice of its own, so that
/// leaving one out changes as little as possible for the others.
final class World {
    enum Task {
        case act
        case arrive(attempt: Int, node: Int)
        case received(attempt: Int)
        case timedOut(attempt: Int)
        case tick(ProcessName)
        case turn(ProcessName)
        case post(ProcessName, Sequencer.Input)
        case commit(ProcessName)
        case append(ProcessName, [RoomAppend])
        case appended(ProcessName, Result<[AppendVerdict], EventLogError>)
        case deliver(ProcessName, SimulatedDelivery)
        case load(ProcessName, RoomID)
        case catchUp(ProcessName, ReplayedRoom, answersAfter: Int64)
        case replay(ProcessName, position: Int64, CommandRequest)
        case snapshot(ProcessName, Room)
        case feedTick(ProcessName)
        case sweep(ProcessName)
        case keepJumps(ProcessName)
        case poll(reader: Int)
        case pollArrives(reader: Int, node: Int, poll: UInt64)
        case page(ProcessName, poll: UInt64, upTo: Int)
        case pageReceived(reader: Int, poll: UInt64, [StoredEvent], after: Int)
        case pollFailed(reader: Int, poll: UInt64)
        case hangUp(reader: Int, poll: UInt64)
        case linger(ProcessName, SimulatedNode.StreamKey)
        case restart(node: Int)
        case mend(node: Int)
        case beat(ProcessName)
        case settle(ProcessName, isComplete: Bool)
        case look(ProcessName)
        case search(ProcessName)
    }

    let options: SimulationOptions
    let rulebook: RoomRulebook
    let limits: ServiceLimits
    /// How many rooms' parts go into one transaction.
    let groupLimit: Int
    var time: Int64 = 0 { didSet { log.time.set(time) } }
    var step = 0
    var agenda = Agenda<Task>()
    var log: SimulatedLog
    var clocks: [SimulatedClock] = []
    var nodes: [SimulatedNode] = []
    var transcript = Transcript()
    var readers: [Reader] = []
    var people: [Person] = []
    var retries: [Int: Int] = [:]
    var deliveryDue: [Int64] = []
    var nextPoll: UInt64 = 1
    /// Whether several processes share the log.
    let isShared: Bool
    /// How the link between a machine and the log is cut; nil: it is not.
    var links: [CutLink?] = []
    /// What arrives when a link is back.
    var delayed: [[[RoomAppend]]] = []
    /// Since when each machine's process serves and reaches the log.
    var spanBegan: [Int64?] = []
    /// When any process was last heard of.
    var lastBeat: Int64?
    /// Who moves the ends that the last outage ate.
    var outageClaimer: ProcessName?
    /// When something is to end in each room.
    var dues: [RoomID: Int64] = [:]
    /// Nothing goes wrong: at the beginning, so that there is something to break, and at the end.
    var isCalm = true
    /// Until then nobody does anything, because it is night.
    var nightEnds: Int64 = 0
    var nightBegan: Int64 = 0
    /// The step before which a night comes; nil: none does.
    let nightStep: Int?
    /// The invite codes of private rooms, once their hosts were told and told their friends.
    var codes: [RoomID: String] = [:]
    var trace: SimulationTrace
    var findings: [SimulationFinding] = []

    var work: Dice
    var network: Dice
    var process: Dice
    var faults: Dice
    var habits: Dice

    init(_ options: SimulationOptions, rulebook: RoomRulebook, tracing: Bool) {
        self.options = options
        self.rulebook = rulebook
        (work, network) = (Dice(seed: options.seed ^ 0x11), Dice(seed: options.seed ^ 0x2200))
        (process, faults) = (Dice(seed: options.seed ^ 0x33_0000), Dice(seed: options.seed ^ 0x4400_0000))
        var dice = Dice(seed: options.seed ^ 0x55_0000_0000)
        habits = Dice(seed: options.seed ^ 0x66_0000_0000)
        let (hasNight, step) = (habits.once(in: 5), habits.roll(20...100))
        nightStep = hasNight ? step : nil
        trace = SimulationTrace(isOn: tracing)
        limits = Self.limits(options, &dice)
        groupLimit = dice.once(in: 3) ? dice.roll(1...3) : 4096
        // Most runs have one process, as with SQLite; the rest race for one log.
        let count = min(options.nodes, dice.once(in: 4) ? dice.roll(2...3) : 1)
        isShared = count > 1
        transcript.isSingle = count == 1
        log = SimulatedLog(isShared: isShared, bug: options.bug, seed: options.seed)
        for node in 0..<count {
            let drift = dice.amount(-300...300)
            let offset = node == 0 ? 0 : dice.amount(-200...200)
            clocks.append(SimulatedClock(offset: offset, drift: options.faults.contains(.clockDrift) ? drift : 0))
            deliveryDue.append(0)
            links.append(nil)
            delayed.append([])
            spanBegan.append(nil)
            nodes.append(newNode(ProcessName(node: node, life: 0)))
        }
        people = (0..<max(3, options.people)).map {
            Person(id: UserID(bits: UInt128(1000 + $0)), nickname: "Person \($0)")
        }
        for node in nodes { start(node) }
    }

    func newNode(_ name: ProcessName) -> SimulatedNode {
        SimulatedNode(name, rulebook: rulebook, limits: limits, groupLimit: groupLimit, isShared: isShared)
    }

    /// Bounds that a short run reaches.
    private static func limits(_ options: SimulationOptions, _ dice: inout Dice) -> ServiceLimits {
        var limits = ServiceLimits()
        let (spacing, idle, recent, races) = (dice.roll(2000...16000), dice.roll(1...30), dice.roll(4...64), dice.roll(3...16))
        limits.lostRaces = races
        limits.recentEventsPerRoom = recent
        guard options.faults.contains(.eviction) else { return limits }
        limits.bytesPerSnapshot = spacing
        limits.idleRoomSeconds = idle
        return limits
    }

    /// Lets everything happen that is due until then.
    func advance(to end: Int64) {
        while let (due, task) = agenda.take(by: end) {
            time = max(time, due)
            perform(task)
        }
        time = max(time, end)
    }

    func plan(_ task: Task, in milliseconds: Int64) { agenda.add(task, at: time + max(0, milliseconds)) }

    /// The process of that name; nil once it has died.
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
        case .restart(let node): restart(node)
        case .mend(let node): mendLink(of: node)
        case .tick(let name), .turn(let name), .post(let name, _), .commit(let name), .append(let name, _),
            .appended(let name, _), .deliver(let name, _), .load(let name, _), .catchUp(let name, _, _),
            .replay(let name, _, _), .snapshot(let name, _), .feedTick(let name), .sweep(let name), .keepJumps(let name),
            .page(let name, _, _),
            .linger(let name, _), .beat(let name), .settle(let name, _), .look(let name), .search(let name):
            if let node = living(name) { perform(task, on: node) }
        }
    }

    private func perform(_ task: Task, on node: SimulatedNode) {
        switch task {
        case .tick:
            node.plannedTick = nil
            planTurn(node, in: 0)
        case .turn: turn(node)
        case .post(_, let input): post(input, to: node)
        case .commit: commit(node)
        case .append(_, let appends): append(appends, from: node)
        case .appended(_, let result): appended(result, on: node)
        case .deliver(_, let delivery): receive(delivery, on: node)
        case .load(_, let room): load(room, on: node)
        case .catchUp(_, let room, let answersAfter): catchUp(room, answersAfter: answersAfter, on: node)
        case .replay(_, let position, let request): replay(position, request, on: node)
        case .snapshot(_, let room): save(room, on: node)
        case .feedTick: feedTick(node)
        case .sweep: sweep(node)
        case .keepJumps: keepJumps(of: node)
        case .page(_, let poll, let seq): readPage(poll, upTo: seq, on: node)
        case .linger(_, let key): linger(key, on: node)
        case .beat: beat(node)
        case .settle(_, let isComplete): settle(node, isComplete: isComplete)
        case .look: look(node)
        case .search: search(node)
        default: break
        }
    }
}

/// The last lines of a run, for people; nothing is written unless somebody asked.
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
