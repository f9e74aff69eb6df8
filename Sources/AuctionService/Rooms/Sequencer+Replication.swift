public import AuctionDomain
public import EventLog
import DequeModule

/// The sequence number that a room was seen to have in the log.
public struct RoomWatermark: Hashable, Sendable {
    /// Identifier of the room.
    public let room: RoomID
    /// Sequence number of its last event in the log.
    public let seq: Int

    public init(room: RoomID, seq: Int) {
        self.room = room
        self.seq = seq
    }
}

extension Sequencer {
    /// Events and responses that other nodes appended to a room since a known head.
    public struct AdvancedState: Sendable {
        /// The head after which the log was read.
        public let since: RoomHead
        /// The room after `events`.
        public let room: ReplayedRoom
        /// In order, from `since` to `room`.
        public let events: [StoredEvent]
        /// Idempotency keys of the new stored responses, in order of position.
        public let keys: [StoredKey]
        /// When reading began, by `ServiceClock.uptime`.
        public let readAt: Int64

        public init(
            since: RoomHead, room: ReplayedRoom, events: [StoredEvent], keys: [StoredKey], readAt: Int64 = 0
        ) {
            self.readAt = readAt
            self.since = since
            self.room = room
            self.events = events
            self.keys = keys
        }
    }
}

// Other nodes append to the same rooms. Their events are read when the change feed reports them, and at the latest when an append
// of this node conflicts: the committed state advances, and everything decided beyond the old one is decided again in order.
extension Sequencer {
    mutating func lagging(_ rooms: [RoomWatermark]) {
        guard failure == nil else { return }
        for mark in rooms where loading[mark.room] == nil && conflicted[mark.room] == nil {
            guard let loaded = live[mark.room] else {
                // It could not be read at the last attempt, and subscribers may still see its old state.
                loading[mark.room] = LoadingRoom()
                directives.append(.load(mark.room))
                continue
            }
            // An append in flight either is what the feed has reported, or will conflict.
            guard let base = loaded.base, base.room.seq < mark.seq, loaded.inFlight == 0, !loaded.isCatchingUp else { continue }
            loaded.isCatchingUp = true
            directives.append(.catchUp(base, responsesAfter: loaded.lastAnswer))
        }
    }

    mutating func expired(_ rooms: [RoomID]) {
        guard failure == nil else { return }
        for id in rooms {
            if let loaded = live[id] {
                countdowns.arm(id, at: loaded.head.room.dueAt)
            } else if loading[id] == nil, conflicted[id] == nil {
                loading[id] = LoadingRoom(isNeeded: true)
                directives.append(.load(id))
            }
        }
    }

    mutating func advanced(_ id: RoomID, _ result: Result<AdvancedState?, EventLogError>, now: Now) {
        if let previous = loading[id]?.previous {
            advanced(previous, result, now: now)
        } else if let loaded = live[id], loaded.isCatchingUp {
            loaded.isCatchingUp = false
            // The appends in flight are based on an old head and will conflict.
            guard loaded.inFlight == 0 else { return }
            switch result {
            case .success(let state?):
                adopt(state, in: loaded, now: now)
                finishRefresh(loaded, nil)
            case .success(nil): reload(loaded)
            case .failure(let error): finishRefresh(loaded, error)
            }
        }
    }

    /// Brings the room up to date with the log, then reports to `reply`.
    mutating func refresh(_ room: RoomID, _ reply: ReplyAddress) {
        guard let loaded = live[room], let base = loaded.base else { return ensureLoaded(room, reply) }
        loaded.waitingReaders.append(reply)
        if loaded.isCatchingUp {
            // The read in flight may have begun before this request.
            loaded.catchesUpAgain = true
        } else if loaded.inFlight == 0 {
            loaded.isCatchingUp = true
            directives.append(.catchUp(base, responsesAfter: loaded.lastAnswer))
        }
    }

    /// Reports to waiting readers that the room is up to date, or could not be read.
    mutating func finishRefresh(_ loaded: LoadedRoom, _ error: EventLogError?) {
        guard !loaded.waitingReaders.isEmpty, !loaded.isCatchingUp else { return }
        if loaded.catchesUpAgain, error == nil, loaded.inFlight == 0, let base = loaded.base {
            loaded.catchesUpAgain = false
            loaded.isCatchingUp = true
            return directives.append(.catchUp(base, responsesAfter: loaded.lastAnswer))
        }
        loaded.catchesUpAgain = false
        directives.append(.loadFinished(loaded.waitingReaders, error))
        loaded.waitingReaders = []
    }

    /// Handles the catch-up of a room whose append conflicted.
    private mutating func advanced(_ previous: LoadedRoom, _ result: Result<AdvancedState?, EventLogError>, now: Now) {
        let id = previous.head.room.id
        guard let waiting = loading[id] else { return }
        switch result {
        case .success(let state?):
            // A result that was requested before the conflict has another base.
            guard state.since == previous.base?.head else { return }
            loading[id] = nil
            let room = LoadedRoom(
                state.room, isCommitted: true, keys: previous.keys, lastAnswer: previous.lastAnswer,
                snapshots: previous.snapshots,
                at: now)
            room.insertKeys(state.keys)
            install(room, state.events, readAt: state.readAt, waiting, now: now)
        case .success(nil):
            // Too many events to catch up with, or another history: load the room from its snapshot.
            loading[id]?.previous = nil
            loading[id]?.lateParked = 0
            loading[id]?.lateReaders = 0
            directives.append(.load(id))
            return
        case .failure(let error):
            loading[id] = nil
            unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id, now: now)
    }

    private mutating func adopt(_ state: AdvancedState, in loaded: LoadedRoom, now: Now) {
        guard state.since == loaded.base?.head else { return }
        guard !state.events.isEmpty else { return loaded.insertKeys(state.keys) }
        changed.removeAll { $0 === loaded }
        let undecided = loaded.adopt(state)
        let id = state.room.room.id
        countdowns.arm(id, at: state.room.room.dueAt)
        if !presences.isEmpty { updateHostPresence(of: loaded, isReloaded: true, now: now) }
        directives.append(.publish(state.room, state.events, readAt: state.readAt))
        if let cause = loaded.pendingExtension { extendDeadline(of: loaded, ready: now.wall, cause: cause, now: now) }
        guard loaded.serial.isEmpty else {
            loaded.serial = Deque(undecided) + loaded.serial
            return continueSerially(loaded, now: now)
        }
        for request in undecided { command(request, now: now) }
    }

    mutating func reload(_ loaded: LoadedRoom) {
        let id = loaded.head.room.id
        live[id] = nil
        changed.removeAll { $0 === loaded }
        var waiting = LoadingRoom(
            waitingReaders: loaded.waitingReaders, isSerial: !loaded.serial.isEmpty, isNeeded: true,
            pendingExtension: loaded.pendingExtension)
        waiting.parked += loaded.pending?.entries.map(\.request) ?? []
        waiting.parked += loaded.serial
        waiting.parked += loaded.keys.abandonAll()
        loading[id] = waiting
        directives.append(.load(id))
    }

    /// Reads a conflicted room: only the new events if its base is known.
    mutating func read(_ id: RoomID) {
        if let previous = loading[id]?.previous, let base = previous.base {
            directives.append(.catchUp(base, responsesAfter: previous.lastAnswer))
        } else {
            directives.append(.load(id))
        }
    }

    /// Reads rooms whose deferral by the log is over.
    mutating func readDeferred(now: Now) {
        while let id = retries.popDue(at: now.wall) {
            guard loading[id]?.isDeferred == true else { continue }
            loading[id]?.isDeferred = false
            read(id)
        }
    }
}
