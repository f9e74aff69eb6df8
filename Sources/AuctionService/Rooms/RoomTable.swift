import AuctionDomain
import DequeModule
import EventLog

/// What the sequencer holds of one room. A room without a phase is not in memory, and nothing waits for it.
///
/// The payloads are classes: changing one field of a large value in a dictionary would copy the value.
enum RoomPhase {
    /// A read of the log is in flight; requests wait for its result.
    case loading(LoadingRoom)
    /// In memory: commands are decided at once.
    case loaded(LoadedRoom)
    /// An append conflicted; the room is read again once none of its batches is in flight.
    case conflicted(ConflictedRoom)
    /// Waits for its retry timer, then it is read; requests wait.
    case deferred(LoadingRoom)
    /// Could not be read although its countdown may be running; it is read again when its timer expires or a request needs it. Then its
    /// deadline is extended, unless the cause is nil.
    case unreadable(pendingExtension: CountdownMoved.Cause?)
}

/// The rooms of a sequencer, each in exactly one phase, with the number of rooms in each kind of phase.
struct RoomTable {
    private enum Kind: Int, CaseIterable {
        /// Being read, or about to be, for readers alone.
        case loadingForReaders
        /// Being read for a command that waits at an event loop.
        case loadingForCommands
        /// Being read, or about to be, for a command that waits here or because of its countdown.
        case loading
        case loaded, conflicted, unreadable
    }

    private struct Entry {
        let phase: RoomPhase
        let kind: Kind
        /// The caller whose quota of concurrent loads it uses; nil: none.
        let caller: String?
    }

    /// Rooms whose stored events could not be understood.
    var corrupt = CorruptRooms()
    /// Memory of the rooms that are loaded.
    var memory = RoomMemory()
    private var entries: [RoomID: Entry] = [:]
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)
    /// Number of rooms being read for each caller; never 0.
    private var loadsOfCaller: [String: Int] = [:]

    /// Number of rooms in memory.
    var loadedCount: Int { counts[Kind.loaded.rawValue] }
    /// Number of rooms being read for readers alone, without a command or a countdown that needs them.
    var readerLoadCount: Int { counts[Kind.loadingForReaders.rawValue] }
    /// Number of rooms being read for commands that wait at an event loop, without one or a countdown here that needs them.
    var commandLoadCount: Int { counts[Kind.loadingForCommands.rawValue] }
    /// Number of rooms being read because this caller asked for them first.
    func loadCount(of caller: LoadCaller) -> Int { loadsOfCaller[caller.name] ?? 0 }
    /// Whether a room is being read or is going to be, other than an unreadable one.
    var hasPendingReads: Bool {
        [Kind.loadingForReaders, .loadingForCommands, .loading, .conflicted].contains { counts[$0.rawValue] > 0 }
    }

    /// Every room with a phase, ordered, so that the same inputs have the same results.
    var ids: [RoomID] { entries.keys.sorted() }

    /// Call it after the commands that wait for a loading room have changed.
    mutating func waitingChanged(_ id: RoomID) {
        let phase = self[id]
        self[id] = phase
    }

    /// A room's phase; nil if it has none.
    subscript(_ id: RoomID) -> RoomPhase? {
        get { entries[id]?.phase }
        set {
            let before = entries[id]
            if let before { count(before, by: -1) }
            guard let newValue else {
                if before != nil { entries[id] = nil }
                return
            }
            let entry = Entry(phase: newValue, kind: Self.kind(newValue), caller: Self.caller(newValue))
            count(entry, by: 1)
            entries[id] = entry
        }
    }

    private mutating func count(_ entry: Entry, by change: Int) {
        counts[entry.kind.rawValue] += change
        guard let caller = entry.caller else { return }
        let count = loadsOfCaller[caller, default: 0] + change
        loadsOfCaller[caller] = count > 0 ? count : nil
    }

    /// The room, if it is in memory.
    func loaded(_ id: RoomID) -> LoadedRoom? {
        guard case .loaded(let room) = entries[id]?.phase else { return nil }
        return room
    }

    private static func caller(_ phase: RoomPhase) -> String? {
        switch phase {
        case .loading(let room), .deferred(let room): room.caller?.name
        case .loaded, .conflicted, .unreadable: nil
        }
    }

    private static func kind(_ phase: RoomPhase) -> Kind {
        switch phase {
        case .loading(let room), .deferred(let room):
            if room.isNeeded || room.commandCount > 0 {
                .loading
            } else {
                room.caller?.isForCommand == true ? .loadingForCommands : .loadingForReaders
            }
        case .loaded: .loaded
        case .conflicted: .conflicted
        case .unreadable: .unreadable
        }
    }
}

/// Approximate memory of the loaded rooms.
struct RoomMemory {
    /// Bytes as of the last sweep, plus those of rooms loaded since.
    var bytes = 0
    /// A sweep was requested and has not been handed in yet.
    var isSweepRequested = false
    /// Bytes of rooms that were unloaded since the allocator's free memory was last returned.
    var unloadedBytes = 0
}

/// Requests that wait for a room, in order of arrival.
struct WaitingRequests {
    var commands: Deque<CommandRequest> = []
    var readers: [ReplyAddress] = []
}

/// A room that is being read, or is going to be.
final class LoadingRoom {
    /// What is read of the log.
    enum Read {
        /// The latest snapshot and the events after it.
        case everything
        /// The events after the base of the room as it was in memory before its append conflicted.
        case changes(since: LoadedRoom)
    }

    var read: Read
    /// Requests that the result of the read answers.
    var waiting: WaitingRequests
    /// Requests that arrived while the read was in flight, on a shared log: another node may have created or changed the room since
    /// the read began, so its result does not answer them.
    private(set) var late = WaitingRequests()
    /// Whether its countdown may be running, so that it has to be read although no request needs it.
    let isNeeded: Bool
    /// Whether it was out of memory although its countdown may be running.
    var wasDormant = false
    /// Whether its commands are to be decided one at a time, each in its own batch.
    let isSerial: Bool
    /// Whether the last attempt to read it failed while its countdown may have been running.
    let wasUnreadable: Bool
    /// Why its deadline has to be extended before any command is decided; nil if it does not.
    var pendingExtension: CountdownMoved.Cause?
    /// For whom the read began; nil if it counts against no one's share.
    let caller: LoadCaller?
    /// Whether the room was deleted since the read began, so that its result is of no use.
    private(set) var isOutdated = false

    init(
        _ read: Read = .everything, waiting: WaitingRequests = WaitingRequests(), isNeeded: Bool = false,
        isSerial: Bool = false, wasUnreadable: Bool = false, pendingExtension: CountdownMoved.Cause? = nil,
        caller: LoadCaller? = nil
    ) {
        self.caller = caller
        (self.read, self.waiting) = (read, waiting)
        (self.isNeeded, self.isSerial, self.wasUnreadable) = (isNeeded, isSerial, wasUnreadable)
        self.pendingExtension = pendingExtension
    }

    var commandCount: Int { waiting.commands.count + late.commands.count }
    /// Commands in order of arrival, late ones included.
    var allCommands: Deque<CommandRequest> { waiting.commands + late.commands }
    /// Readers in order of arrival, late ones included.
    var allReaders: [ReplyAddress] { waiting.readers + late.readers }

    func add(_ request: CommandRequest, isLate: Bool) {
        if isLate { late.commands.append(request) } else { waiting.commands.append(request) }
    }

    func add(_ reader: ReplyAddress, isLate: Bool) {
        if isLate { late.readers.append(reader) } else { waiting.readers.append(reader) }
    }

    /// The room was deleted, perhaps after what is read.
    func outdate() { isOutdated = true }

    /// Another read begins after this: it answers the late requests too.
    func readAgain() {
        (read, isOutdated) = (.everything, false)
        waiting = WaitingRequests(commands: allCommands, readers: allReaders)
        late = WaitingRequests()
    }

    /// Removes and returns all commands.
    func takeCommands() -> Deque<CommandRequest> {
        defer { (waiting.commands, late.commands) = ([], []) }
        return allCommands
    }
}

/// A room whose append conflicted: after its last batch in flight has completed it is read again, and its commands are decided
/// again in their order.
final class ConflictedRoom {
    /// The room as it was in memory when the conflict was found.
    let previous: LoadedRoom
    /// Batches in flight that have a part of this room, and its catch-up in flight.
    var inFlight: Int
    /// Whether a catch-up is in flight. The room is not read before its result has come, which would be taken for that of the later read, and miss
    /// what its readers have seen.
    var isCatchingUp: Bool
    /// Earliest time to read the room again; nil: immediately.
    var deferredUntil: Timestamp?
    /// Requests of the batches that have completed.
    var returned: Deque<CommandRequest> = []
    /// Requests that arrived after those of all batches.
    var later: Deque<CommandRequest>
    var waitingReaders: [ReplyAddress]
    /// Decide the requests one at a time: one of them made the append fail.
    var isSerial = false
    /// Why its deadline was extended, or has to be; nil once that is durable.
    var pendingExtension: CountdownMoved.Cause?

    init(_ room: LoadedRoom) {
        previous = room
        isCatchingUp = room.catchUp != .idle
        inFlight = room.inFlight + (isCatchingUp ? 1 : 0)
        pendingExtension = room.pendingExtension
        waitingReaders = room.takeReaders()
        later = room.takeUndecided()
    }

    /// All commands in the order in which they are to be decided.
    var commands: Deque<CommandRequest> { returned + later }

    /// What to read once no batch is in flight: on a shared log only the events after the known base.
    func loading(isShared: Bool) -> LoadingRoom {
        LoadingRoom(
            isShared && previous.base != nil ? .changes(since: previous) : .everything,
            waiting: WaitingRequests(commands: commands, readers: waitingReaders), isNeeded: true, isSerial: isSerial,
            pendingExtension: pendingExtension)
    }
}
