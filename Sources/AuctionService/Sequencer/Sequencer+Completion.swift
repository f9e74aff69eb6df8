import AuctionDomain
import DequeModule
import EventLog

// Handles the verdicts of a batch: each room's decided state becomes its committed state, or is discarded.
extension Sequencer {
    /// Delay before a room is read again whose append without commands has failed, in milliseconds. Shorter on a shared log: a round has to end
    /// within a second, and such a log is unreachable only briefly.
    static func failedAppendRetryMilliseconds(isShared: Bool) -> Int64 { isShared ? 500 : 1000 }

    mutating func completed(_ batch: Batch, _ verdicts: [RoomVerdict], now: Now) {
        guard turn.returned(batch.id) else { return }
        for (part, verdict) in zip(batch.rooms, verdicts) {
            switch verdict {
            case .appended(let positions): committed(part, positions, now: now)
            case .conflict: discardHead(part, entries: part.entries.map(\.request), isSerial: false, now: now)
            case .deferred(let why):
                let instant = now.wall.advanced(byMilliseconds: jitter.delay(after: why))
                discardHead(part, entries: part.entries.map(\.request), isSerial: false, until: instant, now: now)
            case .failed(let error): failed(part, error, now: now)
            }
        }
        if recovery?.batch == batch.id { recoveryCommitted(batch, verdicts, now: now) }
    }

    private mutating func committed(_ part: RoomBatch, _ positions: [Int64], now: Now) {
        let id = part.append.room
        guard let loaded = rooms.loaded(id) else { return batchReturned(id, entries: [], now: now) }
        let isFirst = loaded.base == nil
        loaded.inFlight -= 1
        loaded.base = part.after
        timers.countdowns.arm(id, at: part.after.room.dueAt)
        // The host may have changed, to a user who has disconnected before.
        updateHostPresence(of: loaded, read: nil, now: now)
        var position = positions.makeIterator()
        for entry in part.entries {
            guard let record = entry.record, let key = entry.request.idempotency, let stored = position.next() else { continue }
            var evicted: [Int64] = []
            let waiters = loaded.keys.finish(
                key, of: entry.request.caller.id, at: record.at, position: stored, evicted: &evicted)
            turn.discard(evicted)
            for waiter in waiters {
                turn.release(settings.encoder.replayed(record), to: waiter.reply)
            }
        }
        if loaded.isSettled { loaded.pendingExtension = nil }
        if loaded.inFlight == 0 {
            finishFlight(loaded)
        } else if isFirst, !settings.isShared {
            finishRefresh(loaded, nil)
        }
        if loaded.inFlight == 0 { recoveryLoaded(id) }
        loaded.snapshots.add(part.append.events)
        snapshotIfDue(loaded, part.after.room)
        continueSerially(loaded, now: now)
    }

    private mutating func snapshotIfDue(_ loaded: LoadedRoom, _ room: Room) {
        guard loaded.snapshots.isDue(atLeast: settings.limits.bytesPerSnapshot) else { return }
        loaded.snapshots.begin()
        turn.direct(.snapshot(room))
    }

    /// A snapshot was written or has failed; `size` is nil for a failure.
    func snapshotFinished(_ id: RoomID, size: Int?) { rooms.loaded(id)?.snapshots.finish(size: size) }

    /// Decides the next serial command, once nothing of the room is in flight.
    mutating func continueSerially(_ loaded: LoadedRoom, now: Now) {
        while loaded.isSettled, !isRecovering(loaded.head.room.id), let next = loaded.serial.popFirst() {
            decide(next, in: loaded, now: now)
        }
    }

    private mutating func failed(_ part: RoomBatch, _ error: EventLogError, now: Now) {
        // What the service decides without a command is decided again at once, which must not keep a log busy that takes no appends.
        let pause = Self.failedAppendRetryMilliseconds(isShared: settings.isShared)
        let retry = part.entries.isEmpty ? now.wall.advanced(byMilliseconds: pause) : nil
        switch error.code {
        case .statement:
            let accepted = part.entries.filter(\.isAccepted)
            if accepted.count > 1 {
                // One of several commands makes the append fail: each is retried in its own batch to find it without failing the
                // others.
                discardHead(part, entries: part.entries.map(\.request), isSerial: true, now: now)
            } else {
                for entry in accepted { fail(entry.request, .poisoned, now) }
                let others = part.entries.filter { !$0.isAccepted }.map(\.request)
                discardHead(part, entries: others, isSerial: false, until: retry, now: now)
            }
        case .full:
            for entry in part.entries { fail(entry.request, .logUnavailable, now) }
            // On a shared log the nodes find outages by their heartbeats.
            if !settings.isShared { extendWhenRead(part.append.room) }
            discardHead(part, entries: [], isSerial: false, until: retry, now: now)
        case .unavailable where settings.isShared, .outcomeUnknown where settings.isShared:
            // Whether the append was committed is read from the log once it is reachable again.
            let isUnknown = error.code == .outcomeUnknown
            for entry in part.entries {
                fail(entry.request, isUnknown && entry.isAccepted ? .outcomeUnknown : .logUnavailable, now)
            }
            discardHead(part, entries: [], isSerial: false, until: retry, now: now)
        default:
            for entry in part.entries { fail(entry.request, entry.isAccepted ? .outcomeUnknown : .logUnavailable, now) }
            failLog(error, now: now)
        }
    }

    /// Clients could not bid while the log took no appends, so the room's deadline is extended as after any outage before anything else is
    /// decided in it; else the round would end with the first append that succeeds.
    private func extendWhenRead(_ id: RoomID) {
        switch rooms[id] {
        case .loaded(let room): room.pendingExtension = room.pendingExtension ?? .outage
        case .conflicted(let room): room.pendingExtension = room.pendingExtension ?? .outage
        case .loading, .deferred, .unreadable, nil: return
        }
    }

    /// Discards the room's uncommitted state after a failed append, and reads the room again once none of its batches is in flight.
    /// - Parameter instant: Earliest time of that read; nil: immediately.
    private mutating func discardHead(
        _ part: RoomBatch, entries: [CommandRequest], isSerial: Bool, until instant: Timestamp? = nil, now: Now
    ) {
        let id = part.append.room
        if let room = rooms.loaded(id) {
            unmark(room)
            rooms[id] = .conflicted(ConflictedRoom(room))
        }
        if case .conflicted(let room) = rooms[id] {
            if isSerial { room.isSerial = true }
            if let instant { room.deferredUntil = max(room.deferredUntil ?? instant, instant) }
        }
        batchReturned(id, entries: entries, now: now)
    }

    /// Handles the return of one batch of a conflicted room, or of its catch-up; reads the room again after the last one.
    mutating func batchReturned(_ id: RoomID, entries: [CommandRequest], now: Now) {
        guard case .conflicted(let room) = rooms[id] else {
            // The log has failed permanently meanwhile.
            for request in entries { fail(request, .logUnavailable, now) }
            return
        }
        room.inFlight -= 1
        for request in entries {
            guard request.conflictRetries < settings.limits.conflictRetries else {
                fail(request, .overloaded, now)
                continue
            }
            room.returned.append(request.afterConflict())
        }
        guard room.inFlight <= 0 else { return }
        let waiting = room.loading(isShared: settings.isShared)
        if isStopping { return abandon(id, waiting, now: now) }
        if let instant = room.deferredUntil {
            rooms[id] = .deferred(waiting)
            timers.retries.arm(id, at: instant)
        } else {
            read(id, waiting)
        }
    }

    /// Answers the commands that wait for a recovery, which another sequencer may not finish any more, or for another try of an append.
    mutating func stop(now: Now) {
        isStopping = true
        for request in recovery?.takeHeld() ?? [] { fail(request, .stopping, now) }
        for id in rooms.ids {
            if case .deferred(let room) = rooms[id] { abandon(id, room, now: now) }
        }
    }

    private mutating func abandon(_ id: RoomID, _ room: LoadingRoom, now: Now) {
        rooms[id] = nil
        turn.direct(.loadFinished(room.allReaders, EventLogError(.unavailable, "the service stops")))
        for request in room.allCommands { fail(request, .stopping, now) }
    }

    /// Fails all waiting commands after a permanent failure of the log. Batches in flight will come back as failed.
    mutating func failLog(_ error: EventLogError, now: Now) {
        guard failure == nil else { return }
        failure = error
        turn.direct(.logFailed(error))
        var waiting = recovery?.takeHeld() ?? []
        for id in rooms.ids {
            switch rooms[id] {
            case .loading(let room):
                // Readers may still get the room.
                waiting += room.takeCommands()
                rooms.waitingChanged(id)
                continue
            case .deferred(let room):
                waiting += room.allCommands
                turn.direct(.loadFinished(room.allReaders, error))
            case .conflicted(let room):
                waiting += room.commands
                turn.direct(.loadFinished(room.waitingReaders, error))
            case .loaded(let room):
                waiting += room.takeUndecided()
                if !room.waitingReaders.isEmpty { turn.direct(.loadFinished(room.takeReaders(), error)) }
            case .unreadable, nil: break
            }
            rooms[id] = nil
        }
        for request in waiting { fail(request, .logUnavailable, now) }
        turn.removeAllChanges()
        timers = RoomTimers()
        hosts.stopTimers()
    }
}
