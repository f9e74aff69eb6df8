public import AuctionDomain
public import EventLog
import DequeModule

/// Owns every loaded room and serializes the commands of each. Performs no I/O: threads, clocks, randomness and the log belong to
/// the shell, and the same inputs always produce the same directives.
///
/// Inputs come in turns: any number of `handle` calls, then one `endTurn`, which returns the directives to carry out. Everything
/// decided in a turn is appended to the log as one batch.
public struct Sequencer: ~Copyable {
    /// What the shell reports to the sequencer.
    public enum Input: Sendable {
        /// A client's command; its response is released once it is durable.
        case command(CommandRequest)
        /// A client wants to read a room that is not in memory.
        case ensureLoaded(RoomID, ReplyAddress)
        /// A client wants to read a room with everything that any node has committed before this input.
        case refresh(RoomID, ReplyAddress)
        /// The result of a `load` directive; nil: the log has no such room.
        case loaded(RoomID, Result<LoadedState?, EventLogError>)
        /// A submitted batch has finished, with one verdict per room in the order of `Batch.rooms`.
        case completed(batch: Int, [RoomVerdict])
        /// A snapshot was written; its size in bytes, nil if the write failed.
        case snapshotFinished(RoomID, size: Int?)
        /// Process every timer that is due: countdowns, host disconnect timers and deferred retries.
        case tick
        /// Unload idle rooms, except those that have watchers.
        case sweep(watched: Set<RoomID>)
        /// Streams opened and closed on this node.
        case presence([PresenceChange])
        /// Presence on other nodes has changed, as far as these rooms depend on the users concerned.
        case remotePresence([RoomPresenceReport])
        /// The service has started, or an outage of all nodes has ended: load these open rooms and extend deadlines that expired
        /// during the outage.
        case recover([RoomID])
        /// Other nodes may have appended to these rooms, up to these sequence numbers.
        case lagging([RoomWatermark])
        /// The result of a `catchUp` directive; nil: the room has to be loaded from its snapshot instead.
        case advanced(RoomID, Result<AdvancedState?, EventLogError>)
        /// Deadlines of these rooms expired a while ago; the node responsible for them may have crashed.
        case expired([RoomID])
        /// The log failed permanently outside of an append.
        case logFailed(EventLogError)
    }

    /// What the shell has to do, in order.
    public enum Directive: Sendable {
        /// Append the batch to the log, then hand in `completed`.
        case submit(Batch)
        /// Send these responses now.
        case release([AddressedResponse])
        /// Load a room from the log, then hand in `loaded`.
        case load(RoomID)
        /// Read the events that other nodes appended since this state, and the stored responses after this position; then hand in
        /// `advanced`.
        case catchUp(ReplayedRoom, responsesAfter: Int64)
        /// The loading that these clients wait for has finished: the room is in memory or does not exist; with an error it could
        /// not be read.
        case loadFinished([ReplyAddress], EventLogError?)
        /// Read the stored response at this position and send it.
        case replay(position: Int64, CommandRequest)
        /// Publish a room that was read from the log, with its latest events, of which subscribers may have missed some. `readAt`:
        /// see `LoadedState.readAt`.
        case publish(ReplayedRoom, [StoredEvent], readAt: Int64)
        /// Remove the room from the committed rooms: it has been unloaded.
        case unpublish(RoomID)
        /// Write a snapshot, then hand in `snapshotFinished`.
        case snapshot(Room)
        /// Rooms in memory exceed `ServiceLimits.loadedBytes`: hand in `sweep`.
        case memoryExceeded
        /// Recovery has finished. If it is not complete, some deadlines could not be extended and recovery has to be retried.
        case recovered(isComplete: Bool)
        /// The log has failed permanently: no command will be acknowledged any more.
        case logFailed(EventLogError)
    }

    /// A room as loaded from the log.
    public struct LoadedState: Sendable {
        /// The room after its last committed event, with the hash of that event.
        public let room: ReplayedRoom
        /// Idempotency keys of the stored responses that have not expired, in order of position.
        public let keys: [StoredKey]
        /// How much history has been added since the last snapshot.
        public let snapshots: SnapshotSpacing
        /// The room's latest events, for subscribers; may be empty.
        public let latest: [StoredEvent]
        /// When reading began, by `ServiceClock.uptime`.
        public let readAt: Int64

        public init(
            room: ReplayedRoom, keys: [StoredKey], snapshots: SnapshotSpacing, latest: [StoredEvent] = [], readAt: Int64 = 0
        ) {
            self.readAt = readAt
            self.room = room
            self.keys = keys
            self.snapshots = snapshots
            self.latest = latest
        }
    }

    let manager: RoomManager
    let encoder: any ResponseEncoder
    let limits: ServiceLimits
    /// Whether other nodes append to the log too. A shared log keeps working after it was unreachable.
    let isShared: Bool
    /// Spreads the retries of nodes that conflicted.
    var jitter: Jitter
    var live: [RoomID: LoadedRoom] = [:]
    var loading: [RoomID: LoadingRoom] = [:]
    var conflicted: [RoomID: ConflictedRoom] = [:]
    /// Rooms that may have an expired deadline but could not be read; retried after a delay.
    var unreadableRooms: Set<RoomID> = []
    var memory = RoomMemory()
    var countdowns = CountdownQueue()
    /// Rooms with changes in this turn's batch, in the order of their first change.
    var changed: [LoadedRoom] = []
    var batches: Deque<Batch> = []
    var nextBatch = 1
    var released: [AddressedResponse] = []
    var directives: [Directive] = []
    var failure: EventLogError?
    var recovery: Recovery?
    var presences: [RoomID: RoomPresence] = [:]
    /// Disconnect timers of rooms whose host has closed their last stream.
    var disconnectTimers = CountdownQueue()
    /// Rooms whose append the log deferred; each is read again at the given time.
    var retries = CountdownQueue()
    var lastNow: Now?

    /// - Parameters:
    ///   - limits: Bounds on memory, queues and retries.
    ///   - isShared: Whether other nodes append to the same log.
    ///   - seed: Seeds the retry jitter; differs from node to node.
    public init(
        manager: RoomManager, encoder: any ResponseEncoder, limits: ServiceLimits, isShared: Bool = false, seed: UInt64 = 0
    ) {
        self.isShared = isShared
        jitter = Jitter(seed: seed)
        self.manager = manager
        self.encoder = encoder
        self.limits = limits
    }

    /// When the shell has to send the next `tick`; nil while no timer is armed.
    public var nextTick: Timestamp? {
        let next = recovery == nil ? [countdowns.next, disconnectTimers.next, retries.next] : [retries.next]
        return next.compactMap(\.self).min()
    }

    /// Number of rooms in memory.
    public var loadedRooms: Int { live.count }

    /// Number of submitted batches whose verdicts are outstanding.
    public var batchesInFlight: Int { batches.count }

    /// Whether no append and no read of the log is in flight.
    public var isIdle: Bool { batches.isEmpty && loading.isEmpty && conflicted.isEmpty }

    /// Handles one input of the current turn.
    /// - Parameter now: Clock readings at the time of the input.
    public mutating func handle(_ input: Input, now: Now) {
        handleClockJump(now)
        switch input {
        case .command(let request): command(request, now: now)
        case .ensureLoaded(let room, let reply): ensureLoaded(room, reply)
        case .refresh(let room, let reply): refresh(room, reply)
        case .loaded(let room, let result): loaded(room, result, now: now)
        case .completed(let batch, let verdicts): completed(batch, verdicts, now: now)
        case .snapshotFinished(let room, let size): snapshotFinished(room, size: size)
        case .tick: tick(now: now)
        case .sweep(let watched): sweep(except: watched, now: now)
        case .presence(let changes): presence(changes, now: now)
        case .remotePresence(let reports): remotePresence(reports, now: now)
        case .recover(let rooms): recover(rooms, now: now)
        case .lagging(let rooms): lagging(rooms)
        case .advanced(let room, let result): advanced(room, result, now: now)
        case .expired(let rooms): expired(rooms)
        case .logFailed(let error): failLog(error, now: now)
        }
    }

    /// Ends the turn: everything decided in it becomes one batch.
    /// - Returns: The directives of this turn, in order.
    public mutating func endTurn() -> [Directive] {
        var parts: [RoomBatch] = []
        parts.reserveCapacity(changed.count)
        for room in changed {
            if let part = room.takePending() { parts.append(part) }
        }
        changed.removeAll(keepingCapacity: true)
        if !parts.isEmpty {
            let batch = Batch(id: nextBatch, rooms: parts)
            nextBatch += 1
            batches.append(batch)
            directives.append(.submit(batch))
        }
        if !released.isEmpty {
            directives.append(.release(released))
            released = []
        }
        defer { directives = [] }
        return directives
    }
}

/// A room that is being read; requests that arrive meanwhile wait in order.
struct LoadingRoom {
    var parked: Deque<CommandRequest> = []
    var waitingReaders: [ReplyAddress] = []
    /// How many of both arrived while the read was in flight: another node may have created or changed the room since the read
    /// began, so its result does not answer them.
    var lateParked = 0
    var lateReaders = 0
    /// Decide the parked commands one at a time, each in its own batch.
    var isSerial = false
    /// The read in flight may be older than a commit that completed meanwhile: read once more.
    var isOutdated = false
    /// Its countdown may be running, so it has to be loaded although no request needs it.
    var isNeeded = false
    /// The room as it was in memory before its append conflicted; only events after its base are being read.
    var previous: LoadedRoom?
    /// The read is deferred; see `retries`.
    var isDeferred = false
    /// Why its deadline has to be extended before any command is decided; nil if it does not.
    var pendingExtension: CountdownMoved.Cause?

    /// Removes and returns the requests that arrived while the read was in flight.
    mutating func takeLate() -> (parked: [CommandRequest], waitingReaders: [ReplyAddress]) {
        defer {
            parked.removeLast(lateParked)
            waitingReaders.removeLast(lateReaders)
            (lateParked, lateReaders) = (0, 0)
        }
        return (Array(parked.suffix(lateParked)), Array(waitingReaders.suffix(lateReaders)))
    }
}

/// A room whose append conflicted: after its last batch in flight has completed it is read again, and its commands are decided
/// again in their order.
struct ConflictedRoom {
    /// The room as it was in memory when the conflict was found.
    let previous: LoadedRoom
    /// Batches in flight that have a part of this room.
    var inFlight: Int
    /// Earliest time to read the room again; nil: immediately.
    var deferredUntil: Timestamp?
    /// Requests of the batches that have completed.
    var returned: Deque<CommandRequest> = []
    /// Requests that arrived after those of all batches.
    var later: Deque<CommandRequest> = []
    var waitingReaders: [ReplyAddress] = []
    /// Decide the requests one at a time: one of them made the append fail.
    var isSerial = false
    /// Why its deadline was extended, or has to be; nil once that is durable.
    var pendingExtension: CountdownMoved.Cause?
}

/// Bounds of the service; each has a command line option.
public struct ServiceLimits: Hashable, Sendable {
    /// Maximum number of commands that wait for one room to be read.
    public var parkedCommandsPerRoom = 1000
    /// Maximum number of idempotency keys kept per room.
    public var keysPerRoom = 100_000
    /// Maximum number of these keys per user; beyond it the user's own oldest key is evicted.
    public var keysPerUser = 1000
    /// Bytes of events after the last snapshot below which no new snapshot is written. See `SnapshotSpacing`.
    public var bytesPerSnapshot = 262_144
    /// Seconds without use after which a room is unloaded.
    public var idleRoomSeconds = 600
    /// Approximate maximum memory of all loaded rooms, in bytes. Beyond it the least recently used rooms are unloaded early, and if
    /// that does not suffice readers cannot load further rooms; commands always can.
    public var loadedBytes = 536_870_912
    /// Maximum number of rooms being loaded for readers alone.
    public var pendingLoads = 256
    /// Maximum number of queued and running reads off the event loops; one caller may have an eighth of them.
    public var pendingReads = 512
    /// Maximum number of recent events kept in memory per room, for readers that are almost up to date.
    public var recentEventsPerRoom = 256
    /// Maximum bytes of these events per room; a single larger event is kept too.
    public var recentBytesPerRoom = 1 << 20
    /// Maximum bytes of recent events of all rooms together; beyond it the room whose last event is oldest drops its own.
    public var recentBytes = 128 << 20
    /// How often a command is decided again after an append conflict before it is refused.
    public var conflictRetries = 16

    /// The default limits.
    public init() {}
}
