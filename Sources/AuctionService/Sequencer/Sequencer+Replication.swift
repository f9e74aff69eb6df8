import AuctionDomain
import DequeModule
import EventLog

// Other nodes append to the same rooms. Their events are read when the change feed reports them, and at the latest when an append
// of this node conflicts: the committed state advances, and everything decided beyond the old one is decided again in order.
extension Sequencer {
    mutating func lagging(_ marks: [RoomWatermark], now: Now) {
        guard failure == nil else { return }
        for mark in marks where !rooms.corrupt.isPaused(mark.room, at: now.wall) {
            switch rooms[mark.room] {
            case .loaded(let loaded):
                // An append in flight either is what the feed has reported, or will conflict.
                guard let base = loaded.base, base.room.seq < mark.seq, loaded.inFlight == 0 else { continue }
                catchUp(loaded)
            case nil:
                // It could not be read at the last attempt, and subscribers may still see its old state.
                read(mark.room, LoadingRoom())
            case .unreadable(let cause): read(mark.room, LoadingRoom(wasUnreadable: true, pendingExtension: cause))
            case .loading, .conflicted, .deferred: continue
            }
        }
    }

    mutating func expired(_ ids: [RoomID], now: Now) {
        guard failure == nil else { return }
        for id in ids where !rooms.corrupt.isPaused(id, at: now.wall) {
            switch rooms[id] {
            case .loaded(let loaded): timers.countdowns.arm(id, at: loaded.head.room.dueAt)
            case nil: read(id, LoadingRoom(isNeeded: true))
            case .unreadable(let cause): read(id, LoadingRoom(isNeeded: true, wasUnreadable: true, pendingExtension: cause))
            case .loading, .conflicted, .deferred: continue
            }
        }
    }

    mutating func caughtUp(_ id: RoomID, _ result: Result<CaughtUpState?, EventLogError>, now: Now) {
        switch rooms[id] {
        case .loading(let waiting):
            guard case .changes(let previous) = waiting.read else { return }
            if waiting.isOutdated { return readAgain(id, waiting) }
            caughtUp(previous, waiting, result, now: now)
        case .loaded(let loaded):
            guard loaded.catchUp != .idle else { return }
            caughtUp(loaded, result, now: now)
        case .conflicted(let conflicted):
            guard conflicted.isCatchingUp else { return }
            conflicted.isCatchingUp = false
            batchReturned(id, entries: [], now: now)
        case .deferred, .unreadable, nil: return
        }
    }

    /// Brings the room up to date with the log, then reports to `reply`.
    /// - Parameter caller: For whom it is loaded if it is not in memory.
    mutating func refresh(_ room: RoomID, _ reply: ReplyAddress, for caller: LoadCaller? = nil) {
        guard let loaded = rooms.loaded(room), loaded.base != nil else { return ensureLoaded(room, reply, for: caller) }
        loaded.waitingReaders.append(reply)
        if loaded.catchUp != .idle {
            // The read in flight may have begun before this request.
            loaded.catchUp = .readingAgain
        } else if loaded.inFlight == 0 {
            catchUp(loaded)
        } else {
            loaded.hasLateReader = true
        }
    }

    /// The last append in flight has succeeded: the log has compared heads, so no other node has appended before it.
    mutating func finishFlight(_ loaded: LoadedRoom) {
        guard loaded.hasLateReader, settings.isShared else { return finishRefresh(loaded, nil) }
        loaded.hasLateReader = false
        catchUp(loaded)
    }

    /// Reports to waiting readers that the room is up to date, or could not be read; unless a read for them is still to come.
    mutating func finishRefresh(_ loaded: LoadedRoom, _ error: EventLogError?) {
        guard !loaded.waitingReaders.isEmpty, loaded.catchUp == .idle else { return }
        turn.direct(.loadFinished(loaded.takeReaders(), error))
    }

    /// Begins to read what other nodes appended to a room in memory, unless a read is in flight.
    private mutating func catchUp(_ loaded: LoadedRoom) {
        guard loaded.catchUp == .idle, let base = loaded.base else { return }
        loaded.catchUp = .reading
        turn.direct(.catchUp(base, responsesAfter: loaded.keys.lastPosition))
    }

    /// Handles the catch-up of a room in memory.
    private mutating func caughtUp(_ loaded: LoadedRoom, _ result: Result<CaughtUpState?, EventLogError>, now: Now) {
        let readsAgain = loaded.catchUp == .readingAgain
        loaded.catchUp = .idle
        // The appends in flight are based on an old head and will conflict.
        guard loaded.inFlight == 0 else {
            if readsAgain { loaded.hasLateReader = true }
            return
        }
        switch result {
        case .success(let state?):
            adopt(state, in: loaded, now: now)
            if readsAgain, loaded.inFlight == 0, !loaded.waitingReaders.isEmpty { return catchUp(loaded) }
            finishRefresh(loaded, nil)
        case .success(nil): reload(loaded)
        case .failure(let error): finishRefresh(loaded, error)
        }
    }

    /// Handles the catch-up of a room whose append conflicted.
    private mutating func caughtUp(
        _ previous: LoadedRoom, _ waiting: LoadingRoom, _ result: Result<CaughtUpState?, EventLogError>, now: Now
    ) {
        let id = previous.head.room.id
        switch result {
        case .success(let state?):
            // A result that was requested before the conflict has another base.
            guard state.since == previous.base?.head else { return }
            let room = LoadedRoom(
                state.room, isCommitted: true, keys: previous.keys, snapshots: previous.snapshots, at: now)
            room.keys.insert(state.keys)
            install(room, state.events, readAt: state.readAt, waiting, now: now)
        case .success(nil):
            // Too many events to catch up with, or another history: load the room from its snapshot.
            return readAgain(id, waiting)
        case .failure(let error):
            unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id)
    }

    private mutating func adopt(_ state: CaughtUpState, in loaded: LoadedRoom, now: Now) {
        guard state.since == loaded.base?.head else { return }
        guard !state.events.isEmpty else { return loaded.keys.insert(state.keys) }
        unmark(loaded)
        let undecided = loaded.adopt(state)
        timers.countdowns.arm(state.room.room.id, at: state.room.room.dueAt)
        updateHostPresence(of: loaded, read: state.events, now: now)
        turn.direct(.publish(state.room, state.events, readAt: state.readAt))
        if let cause = loaded.pendingExtension { extendDeadline(of: loaded, ready: now.wall, cause: cause, now: now) }
        guard loaded.serial.isEmpty else {
            loaded.serial = Deque(undecided) + loaded.serial
            return continueSerially(loaded, now: now)
        }
        for request in undecided { command(request, now: now) }
    }

    /// Reads a room in memory again, from its snapshot.
    mutating func reload(_ loaded: LoadedRoom) {
        unmark(loaded)
        let isSerial = !loaded.serial.isEmpty
        let waiting = WaitingRequests(commands: loaded.takeUndecided(), readers: loaded.takeReaders())
        read(
            loaded.head.room.id,
            LoadingRoom(waiting: waiting, isNeeded: true, isSerial: isSerial, pendingExtension: loaded.pendingExtension))
    }

    /// Begins to read a room again, as the last read was of no use.
    mutating func readAgain(_ id: RoomID, _ room: LoadingRoom) {
        room.readAgain()
        read(id, room)
    }

    /// Begins to read a room.
    mutating func read(_ id: RoomID, _ room: LoadingRoom) {
        if timers.dormant.disarm(id) { room.wasDormant = true }
        rooms[id] = .loading(room)
        if case .changes(let previous) = room.read, let base = previous.base {
            turn.direct(.catchUp(base, responsesAfter: previous.keys.lastPosition))
        } else {
            turn.direct(.load(id))
        }
    }

    /// Reads rooms whose deferral by the log is over.
    mutating func readDeferred(now: Now) {
        while let id = timers.retries.popDue(at: now.wall) {
            guard case .deferred(let room) = rooms[id] else { continue }
            read(id, room)
        }
    }
}
