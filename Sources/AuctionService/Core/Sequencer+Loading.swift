import AuctionDomain
import DequeModule
import EventLog

// Rooms come into memory when somebody needs them and leave it when nobody does.
extension Sequencer {
    mutating func touch(_ room: RoomID, _ reply: ReplyAddress) {
        if live[room]?.base != nil { return directives.append(.touched([reply], nil)) }
        if lost[room] != nil { return lost[room]?.touches.append(reply) ?? () }
        if let waiting = loading[room] {
            loading[room]?.touches.append(reply)
            if isShared, !waiting.isHeld { loading[room]?.lateTouches += 1 }
            return
        }
        guard mayLoadForReader else {
            return directives.append(.touched([reply], EventLogError(.busy, "too many rooms are being read, or in memory")))
        }
        loading[room] = LoadingRoom(touches: [reply])
        directives.append(.load(room))
    }

    mutating func loaded(_ id: RoomID, _ result: Result<LoadedState?, EventLogError>, now: Now) {
        guard var waiting = loading.removeValue(forKey: id) else { return }
        if waiting.isOutdated {
            waiting.isOutdated = false
            (waiting.lateParked, waiting.lateTouches) = (0, 0)
            loading[id] = waiting
            directives.append(.load(id))
            return
        }
        switch result {
        case .success(let state?): place(state, waiting, now: now)
        case .success(nil): absent(id, waiting, now: now)
        case .failure(let error):
            unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id, now: now)
    }

    mutating func unreadable(_ id: RoomID, _ waiting: LoadingRoom, _ error: EventLogError, now: Now) {
        if recovery?.awaited.contains(id) == true { recovery?.isComplete = false }
        directives.append(.touched(waiting.touches, error))
        for request in waiting.parked { fail(request, error.code == .corrupt ? .poisoned : .logUnavailable, now) }
        if error.code != .corrupt, waiting.isNeeded || unread.contains(id) { readLater(id, now: now) }
    }

    private mutating func place(_ state: LoadedState, _ waiting: LoadingRoom, now: Now) {
        // Somebody looked for the room while its first event was on its way: what is in memory goes further than what was read.
        guard live[state.room.room.id] == nil else { return missing(waiting, now: now) }
        let room = LoadedRoom(
            state.room, isCommitted: true, keys: IdempotencyKeys(limits, stored: state.keys),
            lastAnswer: state.keys.map(\.position).max() ?? 0, snapshots: state.snapshots, at: now)
        place(room, state.latest, readAt: state.readAt, waiting, now: now)
    }

    /// A room as it was just read is in memory from here on; what waited for it goes on.
    mutating func place(
        _ room: LoadedRoom, _ latest: [StoredEvent], readAt: Int64, _ waiting: LoadingRoom, now: Now
    ) {
        let id = room.head.room.id
        var waiting = waiting
        // Who looks for the room as it is now, and came when it was being read already, waits for one more look.
        let late = Array(waiting.touches.suffix(waiting.lateTouches))
        waiting.touches.removeLast(late.count)
        if waiting.isSerial { room.serial = waiting.parked }
        let read = room.head
        live[id] = room
        remember(room)
        // For this room the log was out of reach, however short. On a shared log others were there; outages are its business.
        let wasUnread = unread.remove(id) != nil && !isShared
        let cause = wasUnread ? .outage : waiting.disturbance
        if let cause { moveEnd(of: room, ready: now.wall, cause: cause, now: now) }
        countdowns.arm(id, at: read.room.dueAt)
        if !presences.isEmpty { lookAfterHost(of: room, isAnew: true, now: now) }
        directives.append(.publish(read, latest, readAt: readAt))
        directives.append(.touched(waiting.touches, nil))
        for reply in late { freshen(id, reply) }
        if waiting.isSerial {
            if let loaded = live[id] { continueSerially(loaded, now: now) }
        } else {
            for request in waiting.parked { command(request, now: now) }
        }
    }

    /// There was no such room when the reading began. Whoever came later has it read again.
    private mutating func absent(_ id: RoomID, _ waiting: LoadingRoom, now: Now) {
        var early = waiting
        let late = early.takeLate()
        missing(early, now: now)
        for reply in late.touches { touch(id, reply) }
        for request in late.parked { command(request, now: now) }
        // All of these came before this reading begins.
        loading[id]?.lateParked = 0
        loading[id]?.lateTouches = 0
    }

    private mutating func missing(_ waiting: LoadingRoom, now: Now) {
        directives.append(.touched(waiting.touches, nil))
        for request in waiting.parked {
            if live[request.room] != nil {
                command(request, now: now)
            } else if case .openRoom(let open) = request.command {
                self.open(open, request, keys: [], now: now)
            } else {
                let answer = encoder.refused(.roomNotFound, of: request, in: nil, at: now.wall)
                released.append(AddressedAnswer(reply: request.reply, answer: answer))
            }
        }
    }

    mutating func tick(now: Now) {
        readDeferred(now: now)
        // A countdown that ran out during the outage is about to be moved; until then no hammer falls.
        guard recovery == nil else { return }
        endDueGraces(now: now)
        while let room = countdowns.popDue(at: now.wall) {
            guard let loaded = live[room] else {
                readAgain(room)
                continue
            }
            endDueCountdowns(in: loaded, now: now)
            // A bid on its way may have moved the end: look again then. An end that has passed and ended nothing (only a log that
            // somebody has written to by hand holds one) is not looked at again: it would keep everybody else waiting for ever.
            if let end = loaded.head.room.dueAt, end > now.wall { countdowns.arm(room, at: end) }
        }
    }

    /// A round must end although its room could not be read when it should have been.
    private mutating func readLater(_ id: RoomID, now: Now) {
        guard failure == nil else { return }
        unread.insert(id)
        let pause = isShared ? Self.readSharedAgainAfter : Self.readAgainAfter
        countdowns.arm(id, at: now.wall.advanced(byMilliseconds: pause))
    }

    private static var readAgainAfter: Int64 { 5000 }
    /// Its nodes are only a moment without it, and a round is to end within a second.
    private static var readSharedAgainAfter: Int64 { 500 }

    private mutating func readAgain(_ id: RoomID) {
        guard unread.contains(id), loading[id] == nil, lost[id] == nil else { return }
        loading[id] = LoadingRoom()
        directives.append(.load(id))
    }
}
