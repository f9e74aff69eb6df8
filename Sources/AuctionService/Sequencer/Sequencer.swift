package import AuctionDomain
import EventLog
import DequeModule

/// Owns loaded rooms and serializes the commands of each: all rooms of a process, or its part of them (`SequencerRouting`). Performs no
/// I/O: threads, clocks, randomness and the log belong to the shell, and the same inputs always produce the same directives.
///
/// Inputs come in turns: any number of `handle` calls, then one `endTurn`, which returns the directives to carry out. Everything
/// decided in a turn is appended to the log as one batch.
package struct Sequencer: ~Copyable {
    let manager: RoomManager
    let encoder: any ResponseEncoder
    let limits: ServiceLimits
    /// Whether other nodes append to the log too. A shared log keeps working after it was unreachable.
    let isShared: Bool
    /// For ties that are drawn in rounds that begin by themselves.
    let drawSecret: DrawSecret
    /// Spreads the retries of nodes that conflicted.
    var jitter: Jitter
    var rooms = RoomTable()
    var corrupt = CorruptRooms()
    var memory = RoomMemory()
    var countdowns = CountdownQueue()
    /// Open rooms that are not in memory, by their deadline, before which nothing happens in them unless a request needs them.
    var dormant = CountdownQueue()
    /// Rooms with changes in this turn's batch, in the order of their first change.
    var changed: [LoadedRoom] = []
    /// Identifiers of the submitted batches whose verdicts are outstanding, in order.
    var batches: Deque<Int> = []
    var nextBatch = 1
    var released: [AddressedResponse] = []
    /// Positions of stored responses whose keys were evicted, until there are enough for one directive.
    var discarded: [Int64] = []
    var directives: [Directive] = []
    var failure: EventLogError?
    var isStopping = false
    var recovery: Recovery?
    var hosts = HostPresence()
    /// Rooms whose append the log deferred; each is read again at the given time.
    var retries = CountdownQueue()
    var lastNow: Now?

    /// - Parameters:
    ///   - limits: Bounds on memory, queues and retries.
    ///   - isShared: Whether other nodes append to the same log.
    ///   - seed: Seeds the retry jitter; differs from node to node.
    package init(
        manager: RoomManager, encoder: any ResponseEncoder, limits: ServiceLimits, isShared: Bool = false, seed: UInt64 = 0,
        drawSecret: DrawSecret = DrawSecret()
    ) {
        self.drawSecret = drawSecret
        self.isShared = isShared
        jitter = Jitter(seed: seed)
        self.manager = manager
        self.encoder = encoder
        self.limits = limits
    }

    /// When the shell has to send the next `tick`; nil while no timer is armed.
    package var nextTick: Timestamp? {
        if isStopping { return nil }
        guard recovery == nil else { return retries.next }
        let wake = dormant.next?.advanced(byMilliseconds: -Self.wakeLead)
        return earliest(earliest(countdowns.next, wake), earliest(hosts.nextTimer, retries.next))
    }

    private func earliest(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Number of rooms in memory.
    package var loadedRooms: Int { rooms.loadedCount }

    /// Whether no append and no read of the log is in flight.
    package var isIdle: Bool { batches.isEmpty && !rooms.hasPendingReads }

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
        case .logFailed(let error): failLog(error, now: now)
        case .stop: stop(now: now)
        }
    }

    /// Ends the turn: everything decided in it becomes one batch.
    /// - Returns: The directives of this turn, in order.
    package mutating func endTurn() -> [Directive] {
        // What the recovery was about to submit has become void in the same turn: the next heartbeat begins another recovery.
        if recovery?.batch == nextBatch, changed.isEmpty, let lastNow { finishRecovery(now: lastNow) }
        var parts: [RoomBatch] = []
        parts.reserveCapacity(changed.count)
        for room in changed {
            if let part = room.takePending() { parts.append(part) }
        }
        changed.removeAll(keepingCapacity: true)
        if !parts.isEmpty {
            let batch = Batch(id: nextBatch, rooms: parts)
            nextBatch += 1
            batches.append(batch.id)
            directives.append(.submit(batch))
        }
        if !released.isEmpty {
            directives.append(.release(released))
            released = []
        }
        if discarded.count >= limits.discardedAtOnce {
            directives.append(.discard(responses: discarded))
            discarded = []
        }
        defer { directives = [] }
        return directives
    }
}
