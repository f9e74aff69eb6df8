public import AuctionDomain
internal import Dispatch
public import EventLog
internal import Foundation
internal import Synchronization

/// The running service: the cores on their threads over one log.
///
/// Commands go in through `submit`, answers and events come out through the delivery port, reads use `rooms`.
public final class RoomService: Sendable {
    public let log: any EventLog
    public let rooms: CommittedRooms
    public let manager: RoomManager
    public let clock: any ServiceClock
    /// The log, if other nodes append to it too, so that what is in memory may be behind it.
    public let shared: (any SharedEventLog)?
    /// Whether they do.
    public var isShared: Bool { shared != nil }
    private let node: NodeID
    let sequencer: SequencerThread
    let committer: CommitterThread
    let readers: Readers
    let heavyReads: HeavyReads
    let snapshots: Readers
    private let health: ServiceHealth
    let housekeeping: Housekeeping
    /// Nil on a log that is this process's alone.
    private let membership: (life: NodeLife, follower: Follower, presence: PresenceWatch)?

    /// - Parameters:
    ///   - node: Names this node among those that share the log.
    ///   - readerThreads: How many read the log; 0 where the service is not started but stepped, see `ServiceStepper`.
    public init(
        log: any EventLog, rulebook: RoomRulebook, encoder: any AnswerEncoder, limits: ServiceLimits = ServiceLimits(),
        clock: any ServiceClock = SystemClock(), port: any DeliveryPort,
        observer: any ServiceObserver = SilentObserver(), node: NodeID = NodeID(bits: .random(in: 1 ... .max)),
        readerThreads: Int = 2
    ) {
        self.log = log
        self.node = node
        self.clock = clock
        manager = RoomManager(rulebook: rulebook)
        rooms = CommittedRooms(limits)
        health = ServiceHealth()
        let inputs = Mailbox<Sequencer.Input>()
        readers = Readers(count: readerThreads)
        heavyReads = HeavyReads(threads: readerThreads, limit: limits.pendingReads)
        snapshots = Readers(count: min(1, readerThreads), name: "snapshots")
        // Only such a log outlives its failures, and one that does is shared.
        let shared = log.outlivesFailures ? log as? any SharedEventLog : nil
        self.shared = shared
        committer = CommitterThread(
            log: log, rooms: rooms, port: port, completions: inputs, health: health, observer: observer, clock: clock)
        sequencer = SequencerThread(
            inputs: inputs, clock: clock,
            surroundings: .init(
                log: log, shared: shared, recentLimit: limits.recentEventsPerRoom, keysPerUser: limits.keysPerUser,
                rooms: rooms, port: port, encoder: encoder, committer: committer, readers: readers, snapshots: snapshots,
                health: health, observer: observer)
        ) { [manager] in
            Sequencer(manager: manager, encoder: encoder, limits: limits, isShared: shared != nil, seed: node.bits)
        }
        housekeeping = Housekeeping(log: log, rooms: rooms, health: health, inputs: inputs, clock: clock)
        membership = shared.map { [health, rooms] log in
            (
                NodeLife(log: log, node: node, health: health, inputs: inputs, observer: observer),
                Follower(log: log, node: node, rooms: rooms, inputs: inputs, clock: clock),
                PresenceWatch(log: log, node: node, rooms: rooms, inputs: inputs, clock: clock)
            )
        }
    }

    /// Starts the threads and returns once open rooms are loaded and the ends that an outage ate have moved.
    /// - Throws: what the log said, if it could not be read.
    public func start() throws(EventLogError) {
        // On a log that others share nobody ends anything before this node's first heartbeat, which finds out what they missed.
        let recovers = try membership?.life.begin() ?? true
        let open = recovers ? try log.openRooms() : []
        committer.start()
        sequencer.start()
        membership?.life.start()
        sequencer.recover(open)
        health.awaitRecovery()
        if let failure = health.failure { throw failure }
        membership?.follower.start()
        membership?.presence.start()
        housekeeping.start()
    }

    /// Puts commands in the queue, in order. Their answers come through the delivery port, whatever happens.
    public func submit(_ requests: [CommandRequest]) { sequencer.inputs.post(requests.lazy.map { .command($0) }) }

    /// Brings a room into memory; the port is told when it is there.
    public func touch(_ room: RoomID, for reply: ReplyAddress) { sequencer.inputs.post(.touch(room, reply)) }

    /// Reads what other nodes appended to a room; the port is told when what is in memory is no older than this call.
    public func freshen(_ room: RoomID, for reply: ReplyAddress) { sequencer.inputs.post(.freshen(room, reply)) }

    /// Tells who has begun or ceased to follow which room.
    public func presence(_ changes: [PresenceChange]) {
        sequencer.inputs.post(.presence(changes))
        membership?.presence.note(changes)
    }

    /// How many follow each of these rooms, through all nodes; for whoever may wait for the log. Rooms without anybody may be
    /// left out.
    public func viewers(of ids: [RoomID]) throws(EventLogError) -> [RoomID: Int] {
        var viewers: [RoomID: Int] = [:]
        for id in ids { viewers[id] = rooms[id]?.viewers }
        // Nobody follows through this node what is not in its memory.
        let absent = ids.filter { viewers[$0] == nil }
        guard let shared, !absent.isEmpty else { return viewers }
        for report in try shared.presence(in: absent, except: node) { viewers[report.room] = report.count }
        return viewers
    }

    /// Runs something that reads the log or a large room, off the event loops, the sequencer, and what commands wait for.
    /// - Parameter caller: Of one caller only so many wait.
    /// - Returns: False where too many wait; then it does not run.
    public func read(for caller: String, _ work: @escaping @Sendable (any EventLog) -> Void) -> Bool {
        let log = log
        return heavyReads.run(for: caller) { work(log) }
    }

    /// The same for callers that have one such read at most, such as a stream.
    public func read(_ work: @escaping @Sendable (any EventLog) -> Void) {
        let log = log
        heavyReads.run { work(log) }
    }

    /// Runs something short that reads the log and that a command waits for.
    public func readForCommand(_ work: @escaping @Sendable (any EventLog) -> Void) {
        let log = log
        readers.run { work(log) }
    }

    /// What waits for the sequencer, and for the committer.
    public var queued: (sequencer: Int, committer: Int) { (sequencer.inputs.count, committer.depth) }

    /// Whether the open rooms are loaded and the ends that an outage ate have moved.
    public var isRecovered: Bool { health.isRecovered }

    /// Why nothing can be acknowledged any more or just now; nil when all is well.
    public var failure: EventLogError? { health.failure }

    /// Lets everything that was submitted become durable, then ends the threads and closes the log. Call it once the event
    /// loops submit nothing any more. A service that never started is stopped as well; a second stop changes nothing.
    public func stop() {
        housekeeping.stop()
        membership?.presence.stop()
        membership?.follower.stop()
        sequencer.stop()
        readers.finish()
        heavyReads.finish()
        snapshots.finish()
        committer.stop()
        // Until here it has to be known to live: what it ended would not be taken otherwise.
        membership?.life.stop()
        log.close()
    }
}

/// What an operator wants to hear of; called on the service's threads.
public protocol ServiceObserver: Sendable {
    /// A room's events are durable.
    func committed(_ room: Room, _ events: [StoredEvent])
    /// One transaction is through.
    func appended(rooms: Int, events: Int, nanoseconds: UInt64)
    /// A command is durable; called before its answer leaves.
    func carriedOut(_ command: Command)
    /// One transaction failed; what was in it is tried again, or told that it failed.
    func appendFailed(_ error: EventLogError)
    /// The log failed for good.
    func logFailed(_ error: EventLogError)
    /// Something went wrong that costs nobody their data.
    func warning(_ message: String)
}

/// Hears nothing.
public struct SilentObserver: ServiceObserver {
    public init() {}
    public func committed(_ room: Room, _ events: [StoredEvent]) {}
    public func appended(rooms: Int, events: Int, nanoseconds: UInt64) {}
    public func carriedOut(_ command: Command) {}
    public func appendFailed(_ error: EventLogError) {}
    public func logFailed(_ error: EventLogError) {}
    public func warning(_ message: String) {}
}

/// Whether the service can acknowledge, seen from any thread.
final class ServiceHealth: Sendable {
    private let state = Mutex<(lost: EventLogError?, probe: EventLogError?)>((nil, nil))
    private let recovered = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Bool?>(nil)
    private let hasRecovered = Atomic<Bool>(false)

    var failure: EventLogError? { state.withLock { $0.lost ?? $0.probe } }

    func awaitRecovery() { recovered.wait() }
    var isRecovered: Bool { hasRecovered.load(ordering: .acquiring) }

    /// Whether the recovery that was last asked for moved every end; nil while it runs, and once this was asked.
    func takeRecovery() -> Bool? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }

    func recoveryFinished(isComplete: Bool) {
        outcome.withLock { $0 = isComplete }
        hasRecovered.store(true, ordering: .releasing)
        recovered.signal()
    }

    func logFailed(_ error: EventLogError) {
        state.withLock { $0.lost = error }
        recovered.signal()
    }

    func probed(_ error: EventLogError?) { state.withLock { $0.probe = error } }
}
