public import AuctionDomain
public import EventLog
import DequeModule

/// Owns every loaded room and puts every command in its place. Without I/O: threads, clocks, randomness and the log are its
/// shell's business, and the same inputs always give the same directives.
///
/// Inputs come in turns: any number of `handle`, then one `endTurn`, which returns what is to be done. All that a turn
/// decided goes to the log as one batch.
public struct Sequencer: ~Copyable {
    public enum Input: Sendable {
        case command(CommandRequest)
        /// Somebody wants to read a room that is not in memory.
        case touch(RoomID, ReplyAddress)
        /// Somebody wants to read a room as it is now, whatever other nodes did meanwhile.
        case freshen(RoomID, ReplyAddress)
        case loaded(RoomID, Result<LoadedState?, EventLogError>)
        case completed(batch: Int, [RoomVerdict])
        /// A snapshot was written, of so many bytes; nil: it could not be.
        case snapshotFinished(RoomID, size: Int?)
        /// Look for countdowns that have ended.
        case tick
        /// Look for rooms to unload; those that somebody watches stay.
        case sweep(watched: Set<RoomID>)
        /// Streams opened and closed.
        case presence([PresenceChange])
        /// Who follows these rooms through other nodes has changed, as far as the rooms depend on them.
        case elsewhere([RoomPresenceReport])
        /// The service starts, or all nodes were gone: load these open rooms and move the ends that an outage ate.
        case recover([RoomID])
        /// Other nodes may have appended to these rooms, up to these seqs.
        case behind([RoomMark])
        /// What a directive to catch up found.
        case advanced(RoomID, Result<AdvancedState?, EventLogError>)
        /// In these rooms something should have ended by itself a while ago: whoever held them may have died.
        case overdue([RoomID])
        /// The log failed for good while nothing was appended.
        case logLost(EventLogError)
    }

    public enum Directive: Sendable {
        case submit(Batch)
        case release([AddressedAnswer])
        case load(RoomID)
        /// Read what other nodes appended to a room since then, and its answers after a position.
        case catchUp(ReplayedRoom, answersAfter: Int64)
        /// The room is in memory (nil: it does not exist, or could not be read): whoever touched it may look again.
        case touched([ReplyAddress], EventLogError?)
        /// Fetch the stored answer and send it.
        case replay(position: Int64, CommandRequest)
        /// A room was read, with its latest events: those who follow it may not have had all of them. The reading began at an
        /// instant; see `LoadedState.readAt`.
        case publish(ReplayedRoom, [StoredEvent], readAt: Int64)
        case unpublish(RoomID)
        /// Write a snapshot, then hand in `snapshotFinished`.
        case snapshot(Room)
        /// The rooms in memory take more than they may: hand in `sweep`.
        case crowded
        /// Whether every end has been moved; otherwise some could not, and recovery has to be tried again.
        case recovered(isComplete: Bool)
        /// The log is lost; nothing will be acknowledged any more.
        case logFailed(EventLogError)
    }

    /// What the loader made of a room's history.
    public struct LoadedState: Sendable {
        public let room: ReplayedRoom
        public let keys: [StoredKey]
        public let snapshots: SnapshotSpacing
        /// The room's latest events, for those who follow it; may be empty.
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
    let encoder: any AnswerEncoder
    let limits: ServiceLimits
    /// Whether other nodes append to the log too. Such a log goes on by itself after it was out of reach.
    let isShared: Bool
    /// What spreads the times at which nodes that met try again.
    var jitter: Jitter
    var live: [RoomID: LoadedRoom] = [:]
    var loading: [RoomID: LoadingRoom] = [:]
    var lost: [RoomID: LostRoom] = [:]
    /// Rooms in which something may be due and which could not be read; tried again after a while.
    var unread: Set<RoomID> = []
    var memory = RoomMemory()
    var countdowns = CountdownQueue()
    /// Rooms with a part in this turn's batch, in order.
    var changed: [LoadedRoom] = []
    var batches: Deque<Batch> = []
    var nextBatch = 1
    var released: [AddressedAnswer] = []
    var directives: [Directive] = []
    var failure: EventLogError?
    var recovery: Recovery?
    var presences: [RoomID: RoomPresence] = [:]
    /// Rooms whose host has closed their last stream.
    var graces = CountdownQueue()
    /// Rooms that the log deferred, and that are read again in a moment.
    var retries = CountdownQueue()
    var lastNow: Now?

    /// - Parameter seed: Differs from node to node.
    public init(
        manager: RoomManager, encoder: any AnswerEncoder, limits: ServiceLimits, isShared: Bool = false, seed: UInt64 = 0
    ) {
        self.isShared = isShared
        jitter = Jitter(seed: seed)
        self.manager = manager
        self.encoder = encoder
        self.limits = limits
    }

    /// When the shell should send the next `tick`; nil: not before something else happens.
    public var nextTick: Timestamp? {
        let next = recovery == nil ? [countdowns.next, graces.next, retries.next] : [retries.next]
        return next.compactMap(\.self).min()
    }

    /// Rooms in memory.
    public var loadedRooms: Int { live.count }

    /// Batches that the log has not answered yet.
    public var batchesInFlight: Int { batches.count }

    /// Whether nothing waits for the log, neither to be read nor to be written.
    public var isIdle: Bool { batches.isEmpty && loading.isEmpty && lost.isEmpty }

    public mutating func handle(_ input: Input, now: Now) {
        noticeJump(now)
        switch input {
        case .command(let request): command(request, now: now)
        case .touch(let room, let reply): touch(room, reply)
        case .freshen(let room, let reply): freshen(room, reply)
        case .loaded(let room, let result): loaded(room, result, now: now)
        case .completed(let batch, let verdicts): completed(batch, verdicts, now: now)
        case .snapshotFinished(let room, let size): snapshotFinished(room, size: size)
        case .tick: tick(now: now)
        case .sweep(let watched): sweep(except: watched, now: now)
        case .presence(let changes): presence(changes, now: now)
        case .elsewhere(let reports): elsewhere(reports, now: now)
        case .recover(let rooms): recover(rooms, now: now)
        case .behind(let rooms): behind(rooms)
        case .advanced(let room, let result): advanced(room, result, now: now)
        case .overdue(let rooms): overdue(rooms)
        case .logLost(let error): loseLog(error, now: now)
        }
    }

    /// Ends the turn: what was decided becomes one batch.
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

/// A room that is being read; what came for it meanwhile waits in order.
struct LoadingRoom {
    var parked: Deque<CommandRequest> = []
    var touches: [ReplyAddress] = []
    /// How many of both came while the reading was under way: what it did not find another node may have made since.
    var lateParked = 0
    var lateTouches = 0
    /// Decide the parked commands one by one.
    var isSerial = false
    /// What is being read may be older than what has come back from the log meanwhile: read once more.
    var isOutdated = false
    /// Its countdown may be running: it has to be read although nobody asks for it.
    var isNeeded = false
    /// As it was in memory before its head turned out wrong: only what came since is being read.
    var known: LoadedRoom?
    /// Reading begins in a moment; see `retries`.
    var isHeld = false
    /// Its end is to be moved before anything else.
    var disturbance: CountdownMoved.Cause?

    /// Those who came while the reading was under way; they wait here no more.
    mutating func takeLate() -> (parked: [CommandRequest], touches: [ReplyAddress]) {
        defer {
            parked.removeLast(lateParked)
            touches.removeLast(lateTouches)
            (lateParked, lateTouches) = (0, 0)
        }
        return (Array(parked.suffix(lateParked)), Array(touches.suffix(lateTouches)))
    }
}

/// A room whose head turned out wrong: once the last of its batches is back it is read anew, and its commands are decided
/// again in their order.
struct LostRoom {
    /// What was in memory.
    let known: LoadedRoom
    /// Batches that are still to come back.
    var inFlight: Int
    /// Not to be read before; nil: at once.
    var heldUntil: Timestamp?
    /// From the batches that came back.
    var returned: Deque<CommandRequest> = []
    /// Came after all of them.
    var later: Deque<CommandRequest> = []
    var touches: [ReplyAddress] = []
    /// Decide the requests one by one: one of them broke the batch.
    var isSerial = false
    /// Its end was moved, or is to be, and the log does not have it yet.
    var disturbance: CountdownMoved.Cause?
}

/// Bounds of the service; each is an option of the program.
public struct ServiceLimits: Hashable, Sendable {
    /// Commands that may wait for one room to be read.
    public var parkedCommandsPerRoom = 1000
    /// Idempotency keys that one room remembers.
    public var keysPerRoom = 100_000
    /// How many of them one user has: beyond it the user's own oldest is forgotten.
    public var keysPerUser = 1000
    /// Bytes of events that a load folds rather than decodes: before them a room gets no snapshot. See `SnapshotSpacing`.
    public var bytesPerSnapshot = 262_144
    /// Seconds after which a room that nobody uses leaves the memory.
    public var idleRoomSeconds = 600
    /// About how many bytes the rooms in memory may take: beyond it those unused for longest leave it early, and while that does not
    /// suffice readers bring in no other room. Commands always do.
    public var loadedBytes = 536_870_912
    /// Rooms that may be under way into memory for readers alone.
    public var pendingLoads = 256
    /// Reads off the event loops that may wait, an eighth of them of one caller.
    public var pendingReads = 512
    /// Recent events kept in memory per room for readers that are almost up to date.
    public var recentEventsPerRoom = 256
    /// And how many bytes of them, unless one alone has more.
    public var recentBytesPerRoom = 1 << 20
    /// The same of all rooms together: beyond it the room whose last event is oldest keeps none.
    public var recentBytes = 128 << 20
    /// How often a command is decided again after losing its room's head to another writer.
    public var lostRaces = 16

    public init() {}
}
