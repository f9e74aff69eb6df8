import AuctionDomain
import DequeModule
import EventLog

// Loads rooms when a request needs them.
extension Sequencer {
    mutating func ensureLoaded(_ room: RoomID, _ reply: ReplyAddress, for caller: LoadCaller?) {
        switch rooms[room] {
        case .loaded(let loaded):
            if loaded.base != nil { return turn.direct(.loadFinished([reply], nil)) }
            // Its first event is in flight.
            loaded.waitingReaders.append(reply)
        case .conflicted(let room): room.waitingReaders.append(reply)
        case .loading(let room): room.add(reply, isLate: settings.isShared)
        case .deferred(let room): room.add(reply, isLate: false)
        case .unreadable(let cause):
            readForReader(room, reply, caller) {
                LoadingRoom(waiting: $0, wasUnreadable: true, pendingExtension: cause, caller: caller)
            }
        case nil: readForReader(room, reply, caller) { LoadingRoom(waiting: $0, caller: caller) }
        }
    }

    private mutating func readForReader(
        _ room: RoomID, _ reply: ReplyAddress, _ caller: LoadCaller?, _ loading: (WaitingRequests) -> LoadingRoom
    ) {
        guard mayLoad(for: caller) else {
            let error = EventLogError(.busy, "too many rooms are being read, or in memory")
            return turn.direct(.loadFinished([reply], error))
        }
        read(room, loading(WaitingRequests(readers: [reply])))
    }

    mutating func loaded(_ id: RoomID, _ result: Result<LoadedState?, EventLogError>, now: Now) {
        guard case .loading(let waiting) = rooms[id], case .everything = waiting.read else { return }
        if waiting.isOutdated { return readAgain(id, waiting) }
        switch result {
        case .success(let state?): install(state, waiting, now: now)
        case .success(nil): absent(id, waiting, now: now)
        case .failure(let error): unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id)
    }

    mutating func unreadable(_ id: RoomID, _ waiting: LoadingRoom, _ error: EventLogError, now: Now) {
        if error.code == .corrupt {
            // Also for a recovery: another attempt would not succeed either, and until an outage is settled no deadline of any room is
            // applied on any node.
            rooms.corrupt.found(id, at: now.wall)
        } else if recovery?.awaited.contains(id) == true {
            recovery?.hasFailed = true
        }
        turn.direct(.loadFinished(waiting.allReaders, error))
        for request in waiting.allCommands { fail(request, error.code == .corrupt ? .poisoned : .logUnavailable, now) }
        let mayHaveExpired = waiting.isNeeded || waiting.wasDormant || waiting.wasUnreadable
        let isRetried = mayHaveExpired && error.code != .corrupt && failure == nil
        // An outage of a shared log stays unsettled until a recovery has read every room, and that recovery extends this one: by the time
        // of a later read another node may have done so.
        let cause = settings.isShared && waiting.pendingExtension == .outage ? nil : waiting.pendingExtension
        rooms[id] = isRetried || waiting.wasUnreadable ? .unreadable(pendingExtension: cause) : nil
        if isRetried {
            let pause = settings.isShared ? Self.sharedReloadDelay : Self.reloadDelay
            timers.countdowns.arm(id, at: now.wall.advanced(byMilliseconds: pause))
        }
    }

    /// Delay before a room that may have a running countdown is read again.
    private static var reloadDelay: Int64 { 5000 }
    /// Shorter on a shared log: a round has to end within a second, and such a log is unreachable only briefly.
    private static var sharedReloadDelay: Int64 { 500 }

    private mutating func install(_ state: LoadedState, _ waiting: LoadingRoom, now: Now) {
        let room = LoadedRoom(
            state.room, isCommitted: true, keys: IdempotencyKeys(settings.limits, stored: state.keys),
            snapshots: state.snapshots, at: now)
        hosts.loaded(state.room.room.id, knownSince: state.latest.first?.at ?? now.wall)
        install(room, state.latest, readAt: state.readAt, waiting, now: now)
    }

    /// Adds a room that was just read to memory, then continues the requests that waited for it.
    mutating func install(_ room: LoadedRoom, _ latest: [StoredEvent], readAt: Int64, _ waiting: LoadingRoom, now: Now) {
        let read = room.head
        let id = read.room.id
        if waiting.isSerial { room.serial = waiting.allCommands }
        rooms[id] = .loaded(room)
        rooms.corrupt.forget(id)
        remember(room)
        // On an unshared log an unreadable room counts as an outage of that room, however short, and so does one that was not in memory at its
        // deadline, because reading it took too long. On a shared log other nodes handled its deadlines, and outages are handled by `recover`.
        let isLate = waiting.wasDormant && read.room.dueAt.map { $0 <= now.wall } ?? false
        // No node may have extended the deadline of a room that the clock jumped over: it may have been in no memory then.
        let isSkipped = settings.isShared && read.room.dueAt.map { now.jumps.skip($0, by: now.wall) } ?? false
        let cause =
            (waiting.wasUnreadable || isLate) && !settings.isShared
            ? .outage : waiting.pendingExtension ?? (isSkipped ? .clock : nil)
        if let cause { extendDeadline(of: room, ready: now.wall, cause: cause, now: now) }
        timers.countdowns.arm(id, at: read.room.dueAt)
        updateHostPresence(of: room, read: latest, now: now)
        turn.direct(.publish(read, latest, readAt: readAt))
        turn.direct(.loadFinished(waiting.waiting.readers, nil))
        // Readers that arrived after the read began need another read.
        for reply in waiting.late.readers { refresh(id, reply) }
        if waiting.isSerial {
            continueSerially(room, now: now)
        } else if isRecovering(id) {
            // They arrived before the recovery began.
            recovery?.holdFirst(waiting.allCommands)
        } else {
            for request in waiting.allCommands { command(request, now: now) }
        }
    }

    /// The room did not exist when the read began. For requests that arrived later it is read again.
    private mutating func absent(_ id: RoomID, _ waiting: LoadingRoom, now: Now) {
        rooms[id] = nil
        turn.direct(.loadFinished(waiting.waiting.readers, nil))
        for request in waiting.waiting.commands {
            if rooms[id] != nil {
                command(request, now: now)
            } else if case .openRoom(let open) = request.command {
                self.open(open, request, now: now)
            } else {
                let response = settings.encoder.refused(request.command.refusalWithoutRoom, of: request, in: nil, at: now.wall)
                turn.release(response, to: request.reply)
            }
        }
        for reply in waiting.late.readers { ensureLoaded(id, reply, for: waiting.caller) }
        for request in waiting.late.commands { command(request, now: now) }
        // All of these arrived before the new read begins.
        if case .loading(let again) = rooms[id] { again.readAgain() }
    }

    mutating func tick(now: Now) {
        readDeferred(now: now)
        // Recovery is about to extend deadlines that expired during the outage; until then no deadline is applied.
        guard recovery == nil else { return }
        wakeDormant(dueAt: now.wall.advanced(byMilliseconds: RoomTimers.wakeLead))
        expireDisconnectTimers(now: now)
        while let room = timers.countdowns.popDue(at: now.wall) {
            if case .unreadable(let cause) = rooms[room] {
                read(room, LoadingRoom(wasUnreadable: true, pendingExtension: cause))
            }
            guard let loaded = rooms.loaded(room) else { continue }
            expireDueCountdowns(in: loaded, now: now)
            // A bid in flight may have extended the deadline: check again at the new one. An expired deadline that caused no
            // transition (only in a log that was edited by hand) is not armed again, because it would block the loop forever.
            if let deadline = loaded.head.room.dueAt, deadline > now.wall { timers.countdowns.arm(room, at: deadline) }
        }
    }
}
