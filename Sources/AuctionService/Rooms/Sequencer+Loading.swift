import AuctionDomain
import DequeModule
import EventLog

// Loads rooms when a request needs them.
extension Sequencer {
    mutating func ensureLoaded(_ room: RoomID, _ reply: ReplyAddress) {
        if live[room]?.base != nil { return directives.append(.loadFinished([reply], nil)) }
        if conflicted[room] != nil { return conflicted[room]?.waitingReaders.append(reply) ?? () }
        if let waiting = loading[room] {
            loading[room]?.waitingReaders.append(reply)
            if isShared, !waiting.isDeferred { loading[room]?.lateReaders += 1 }
            return
        }
        guard mayLoadForReader else {
            return directives.append(
                .loadFinished([reply], EventLogError(.busy, "too many rooms are being read, or in memory")))
        }
        loading[room] = LoadingRoom(waitingReaders: [reply])
        directives.append(.load(room))
    }

    mutating func loaded(_ id: RoomID, _ result: Result<LoadedState?, EventLogError>, now: Now) {
        guard var waiting = loading.removeValue(forKey: id) else { return }
        if waiting.isOutdated {
            waiting.isOutdated = false
            (waiting.lateParked, waiting.lateReaders) = (0, 0)
            loading[id] = waiting
            directives.append(.load(id))
            return
        }
        switch result {
        case .success(let state?): install(state, waiting, now: now)
        case .success(nil): absent(id, waiting, now: now)
        case .failure(let error):
            unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id, now: now)
    }

    mutating func unreadable(_ id: RoomID, _ waiting: LoadingRoom, _ error: EventLogError, now: Now) {
        if recovery?.awaited.contains(id) == true { recovery?.isComplete = false }
        directives.append(.loadFinished(waiting.waitingReaders, error))
        for request in waiting.parked { fail(request, error.code == .corrupt ? .poisoned : .logUnavailable, now) }
        if error.code != .corrupt, waiting.isNeeded || unreadableRooms.contains(id) { scheduleReload(id, now: now) }
    }

    private mutating func install(_ state: LoadedState, _ waiting: LoadingRoom, now: Now) {
        // A reader requested the room while its first event was in flight: the room in memory is newer than what was read.
        guard live[state.room.room.id] == nil else { return reportAbsent(waiting, now: now) }
        let room = LoadedRoom(
            state.room, isCommitted: true, keys: IdempotencyKeys(limits, stored: state.keys),
            lastAnswer: state.keys.map(\.position).max() ?? 0, snapshots: state.snapshots, at: now)
        install(room, state.latest, readAt: state.readAt, waiting, now: now)
    }

    /// Adds a room that was just read to memory, then continues the requests that waited for it.
    mutating func install(
        _ room: LoadedRoom, _ latest: [StoredEvent], readAt: Int64, _ waiting: LoadingRoom, now: Now
    ) {
        let id = room.head.room.id
        var waiting = waiting
        // Requests for the current state that arrived after the read began need another read.
        let late = Array(waiting.waitingReaders.suffix(waiting.lateReaders))
        waiting.waitingReaders.removeLast(late.count)
        if waiting.isSerial { room.serial = waiting.parked }
        let read = room.head
        live[id] = room
        remember(room)
        // On an unshared log an unreadable room counts as an outage of that room, however short. On a shared log other nodes
        // handled its deadlines, and outages are handled by `recover`.
        let wasUnreadable = unreadableRooms.remove(id) != nil && !isShared
        let cause = wasUnreadable ? .outage : waiting.pendingExtension
        if let cause { extendDeadline(of: room, ready: now.wall, cause: cause, now: now) }
        countdowns.arm(id, at: read.room.dueAt)
        if !presences.isEmpty { updateHostPresence(of: room, isReloaded: true, now: now) }
        directives.append(.publish(read, latest, readAt: readAt))
        directives.append(.loadFinished(waiting.waitingReaders, nil))
        for reply in late { refresh(id, reply) }
        if waiting.isSerial {
            if let loaded = live[id] { continueSerially(loaded, now: now) }
        } else {
            for request in waiting.parked { command(request, now: now) }
        }
    }

    /// The room did not exist when the read began. For requests that arrived later it is read again.
    private mutating func absent(_ id: RoomID, _ waiting: LoadingRoom, now: Now) {
        var early = waiting
        let late = early.takeLate()
        reportAbsent(early, now: now)
        for reply in late.waitingReaders { ensureLoaded(id, reply) }
        for request in late.parked { command(request, now: now) }
        // All of these arrived before the new read begins.
        loading[id]?.lateParked = 0
        loading[id]?.lateReaders = 0
    }

    private mutating func reportAbsent(_ waiting: LoadingRoom, now: Now) {
        directives.append(.loadFinished(waiting.waitingReaders, nil))
        for request in waiting.parked {
            if live[request.room] != nil {
                command(request, now: now)
            } else if case .openRoom(let open) = request.command {
                self.open(open, request, keys: [], now: now)
            } else {
                let answer = encoder.refused(.roomNotFound, of: request, in: nil, at: now.wall)
                released.append(AddressedResponse(reply: request.reply, answer: answer))
            }
        }
    }

    mutating func tick(now: Now) {
        readDeferred(now: now)
        // Recovery is about to extend deadlines that expired during the outage; until then no deadline is applied.
        guard recovery == nil else { return }
        expireDisconnectTimers(now: now)
        while let room = countdowns.popDue(at: now.wall) {
            guard let loaded = live[room] else {
                reloadUnreadable(room)
                continue
            }
            expireDueCountdowns(in: loaded, now: now)
            // A bid in flight may have extended the deadline: check again at the new one. An expired deadline that caused no
            // transition (only in a log that was edited by hand) is not armed again, because it would block the loop forever.
            if let deadline = loaded.head.room.dueAt, deadline > now.wall { countdowns.arm(room, at: deadline) }
        }
    }

    /// Schedules another read of a room that may have a running countdown.
    private mutating func scheduleReload(_ id: RoomID, now: Now) {
        guard failure == nil else { return }
        unreadableRooms.insert(id)
        let pause = isShared ? Self.sharedReloadDelay : Self.reloadDelay
        countdowns.arm(id, at: now.wall.advanced(byMilliseconds: pause))
    }

    private static var reloadDelay: Int64 { 5000 }
    /// Shorter on a shared log: a round has to end within a second, and such a log is unreachable only briefly.
    private static var sharedReloadDelay: Int64 { 500 }

    private mutating func reloadUnreadable(_ id: RoomID) {
        guard unreadableRooms.contains(id), loading[id] == nil, conflicted[id] == nil else { return }
        loading[id] = LoadingRoom()
        directives.append(.load(id))
    }
}
