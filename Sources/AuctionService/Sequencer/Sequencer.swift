package import AuctionDomain
import EventLog

/// Owns loaded rooms and serializes the commands of each: all rooms of a process, or its part of them (`SequencerRouting`). Performs no
/// I/O: threads, clocks, randomness and the log belong to the shell, and the same inputs always produce the same directives.
///
/// Inputs come in turns: any number of `handle` calls, then one `endTurn`, which returns the directives to carry out. Everything
/// decided in a turn is appended to the log as one batch.
package struct Sequencer: ~Copyable {
    let manager: RoomManager
    let settings: Settings
    /// Spreads the retries of nodes that conflicted.
    var jitter: Jitter
    var rooms = RoomTable()
    var timers = RoomTimers()
    var hosts = HostPresence()
    var turn = SequencerTurn()
    var recovery: Recovery?
    /// Why the log takes no more appends; nil while it does.
    var failure: EventLogError?
    var isStopping = false
    var lastNow: Now?

    /// What does not change while a sequencer runs.
    struct Settings {
        let encoder: any ResponseEncoder
        let limits: ServiceLimits
        /// Whether other nodes append to the log too. A shared log keeps working after it was unreachable.
        let isShared: Bool
        /// For ties that are drawn in rounds that begin by themselves.
        let drawSecret: DrawSecret
    }

    /// - Parameters:
    ///   - limits: Bounds on memory, queues and retries.
    ///   - isShared: Whether other nodes append to the same log.
    ///   - seed: Seeds the retry jitter; differs from node to node.
    package init(
        manager: RoomManager, encoder: any ResponseEncoder, limits: ServiceLimits, isShared: Bool = false, seed: UInt64 = 0,
        drawSecret: DrawSecret = DrawSecret()
    ) {
        self.manager = manager
        settings = Settings(encoder: encoder, limits: limits, isShared: isShared, drawSecret: drawSecret)
        jitter = Jitter(seed: seed)
    }

    /// When the shell has to send the next `tick`; nil while no timer is armed.
    package var nextTick: Timestamp? {
        if isStopping { return nil }
        return recovery == nil ? earliest(timers.next, hosts.nextTimer) : timers.retries.next
    }

    /// Number of rooms in memory.
    package var loadedRooms: Int { rooms.loadedCount }

    /// Whether no append and no read of the log is in flight.
    package var isIdle: Bool { !turn.hasBatchesInFlight && !rooms.hasPendingReads }

    /// Whether it has got `stop` and nothing is in flight any more.
    package var hasStopped: Bool { isStopping && isIdle }

    /// Handles one input of the current turn.
    /// - Parameter now: Clock readings at the time of the input.
    package mutating func handle(_ input: Input, now: Now) {
        handleClockJump(now)
        switch input {
        case .command(let request): command(request, now: now)
        case .ensureLoaded(let room, let reply, let caller): ensureLoaded(room, reply, for: caller)
        case .refresh(let room, let reply, let caller): refresh(room, reply, for: caller)
        case .loaded(let room, let result): loaded(room, result, now: now)
        case .completed(let batch, let verdicts): completed(batch, verdicts, now: now)
        case .snapshotFinished(let room, let size): snapshotFinished(room, size: size)
        case .tick: tick(now: now)
        case .sweep(let watched): sweep(except: watched, now: now)
        case .presence(let changes): presence(changes, now: now)
        case .remotePresence(let reports): remotePresence(reports, now: now)
        case .recover(let rooms): recover(rooms, now: now)
        case .extendDeadlines: extendDeadlines(now: now)
        case .lagging(let rooms): lagging(rooms, now: now)
        case .caughtUp(let room, let result): caughtUp(room, result, now: now)
        case .expired(let rooms): expired(rooms, now: now)
        case .pruned(let rooms): pruned(rooms)
        case .logFailed(let error): failLog(error, now: now)
        case .stop: stop(now: now)
        }
    }

    /// Ends the turn: everything decided in it becomes one batch.
    /// - Returns: The directives of this turn, in order.
    package mutating func endTurn() -> [Directive] {
        // What the recovery was about to submit has become void in the same turn: the next heartbeat begins another recovery.
        if recovery?.batch == turn.batch, !turn.hasChanges, let lastNow { finishRecovery(now: lastNow) }
        return turn.end(discardedAtOnce: settings.limits.discardedAtOnce)
    }
}
