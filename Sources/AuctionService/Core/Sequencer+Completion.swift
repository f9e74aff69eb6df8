import AuctionDomain
import DequeModule
import EventLog

// What the log said of a batch: heads become base, or are dropped.
extension Sequencer {
    mutating func completed(_ id: Int, _ verdicts: [RoomVerdict], now: Now) {
        guard let batch = batches.first, batch.id == id else { return }
        batches.removeFirst()
        for (part, verdict) in zip(batch.rooms, verdicts) {
            switch verdict {
            case .appended(let positions): committed(part, positions, now: now)
            case .conflict: lose(part, entries: part.entries.map(\.request), isSerial: false, now: now)
            case .deferred(let why):
                let instant = now.wall.advanced(byMilliseconds: jitter.delay(after: why))
                lose(part, entries: part.entries.map(\.request), isSerial: false, until: instant, now: now)
            case .failed(let error): failed(part, error, now: now)
            }
        }
        if recovery?.batch == id { finishRecovery(verdicts) }
    }

    private mutating func committed(_ part: RoomBatch, _ positions: [Int64], now: Now) {
        let id = part.append.room
        guard let loaded = live[id] else { return backInLost(id, entries: [], now: now) }
        loaded.inFlight -= 1
        loaded.base = part.after
        countdowns.arm(id, at: part.after.room.dueAt)
        // The room may have another host now, one who left before.
        if !presences.isEmpty { lookAfterHost(of: loaded, isAnew: false, now: now) }
        var position = positions.makeIterator()
        for entry in part.entries {
            guard let record = entry.record, let key = entry.request.idempotency, let stored = position.next() else { continue }
            loaded.lastAnswer = max(loaded.lastAnswer, stored)
            let waiters = loaded.keys.finish(key, of: entry.request.caller.id, at: record.at, position: stored)
            for waiter in waiters {
                released.append(AddressedAnswer(reply: waiter.reply, answer: encoder.replayed(record)))
            }
        }
        if loaded.isSettled { loaded.disturbance = nil }
        // The log compared: nobody else appended.
        if loaded.inFlight == 0 {
            sawLatest(loaded, nil)
            recoveryLoaded(id, now: now)
        }
        loaded.snapshots.add(part.append.events)
        snapshotIfDue(loaded, part.after.room)
        continueSerially(loaded, now: now)
    }

    private mutating func snapshotIfDue(_ loaded: LoadedRoom, _ room: Room) {
        guard loaded.snapshots.isDue(atLeast: limits.bytesPerSnapshot) else { return }
        loaded.snapshots.begin()
        directives.append(.snapshot(room))
    }

    /// A snapshot of a room has been written, or could not be.
    func snapshotFinished(_ id: RoomID, size: Int?) { live[id]?.snapshots.finish(size: size) }

    /// Decides the next of the commands that are decided one by one, once nothing of the room is on its way.
    mutating func continueSerially(_ loaded: LoadedRoom, now: Now) {
        while loaded.isSettled, !isRecovering(loaded.head.room.id), let next = loaded.serial.popFirst() {
            decide(next, in: loaded, now: now)
        }
    }

    private mutating func failed(_ part: RoomBatch, _ error: EventLogError, now: Now) {
        switch error.code {
        case .statement:
            let accepted = part.entries.filter(\.isAccepted)
            if accepted.count > 1 {
                // One of them is poisoned: find out which, at the cost of nobody else.
                lose(part, entries: part.entries.map(\.request), isSerial: true, now: now)
            } else {
                for entry in accepted { fail(entry.request, .poisoned, now) }
                lose(part, entries: part.entries.filter { !$0.isAccepted }.map(\.request), isSerial: false, now: now)
            }
        case .full:
            for entry in part.entries { fail(entry.request, .logUnavailable, now) }
            lose(part, entries: [], isSerial: false, now: now)
        case .unavailable where isShared, .outcomeUnknown where isShared:
            // Whatever became of it is read when the log is back.
            let isUnknown = error.code == .outcomeUnknown
            for entry in part.entries {
                fail(entry.request, isUnknown && entry.isAccepted ? .outcomeUnknown : .logUnavailable, now)
            }
            lose(part, entries: [], isSerial: false, now: now)
        default:
            for entry in part.entries { fail(entry.request, entry.isAccepted ? .outcomeUnknown : .logUnavailable, now) }
            loseLog(error, now: now)
        }
    }

    /// The head of a room was wrong: drop it, and once nothing of it is on its way any more read the room anew.
    private mutating func lose(
        _ part: RoomBatch, entries: [CommandRequest], isSerial: Bool, until instant: Timestamp? = nil, now: Now
    ) {
        let id = part.append.room
        if let room = live.removeValue(forKey: id) {
            changed.removeAll { $0 === room }
            var lost = LostRoom(known: room, inFlight: room.inFlight)
            lost.later = Deque(room.pending?.entries.map(\.request) ?? []) + room.serial + room.keys.abandonAll()
            lost.disturbance = room.disturbance
            lost.touches = room.touches
            room.touches = []
            self.lost[id] = lost
        }
        if isSerial { lost[id]?.isSerial = true }
        if let instant {
            let latest = max(lost[id]?.heldUntil ?? instant, instant)
            lost[id]?.heldUntil = latest
        }
        backInLost(id, entries: entries, now: now)
    }

    /// One more batch of a lost room is back.
    private mutating func backInLost(_ id: RoomID, entries: [CommandRequest], now: Now) {
        guard var room = lost[id] else { return }
        room.inFlight -= 1
        for request in entries {
            guard request.lostRaces < limits.lostRaces else {
                fail(request, .overloaded, now)
                continue
            }
            room.returned.append(request.afterLostRace())
        }
        guard room.inFlight <= 0 else {
            lost[id] = room
            return
        }
        lost[id] = nil
        // Somebody may have looked for it while its first event was on its way.
        let before = loading[id]
        loading[id] = LoadingRoom(
            parked: (before?.parked ?? []) + room.returned + room.later, touches: (before?.touches ?? []) + room.touches,
            isSerial: room.isSerial, isOutdated: before != nil, isNeeded: true,
            known: isShared && before == nil && room.known.base != nil ? room.known : nil, disturbance: room.disturbance)
        guard before == nil else { return }
        if let instant = room.heldUntil {
            loading[id]?.isHeld = true
            retries.arm(id, at: instant)
        } else {
            read(id)
        }
    }

    /// Nothing will be acknowledged any more. What is on its way comes back failed; everything else is told now.
    mutating func loseLog(_ error: EventLogError, now: Now) {
        guard failure == nil else { return }
        failure = error
        directives.append(.logFailed(error))
        var waiting = takeHeld()
        for room in loading.keys.sorted() {
            // Whoever only wants to read may still get the room.
            waiting += loading[room]?.parked ?? []
            loading[room]?.parked = []
        }
        for id in lost.keys.sorted() {
            guard let room = lost.removeValue(forKey: id) else { continue }
            waiting += room.returned + room.later
            directives.append(.touched(room.touches, error))
        }
        for id in live.keys.sorted() {
            guard let room = live.removeValue(forKey: id) else { continue }
            waiting += (room.pending?.entries.map(\.request) ?? []) + room.serial + room.keys.abandonAll()
        }
        for request in waiting { fail(request, .logUnavailable, now) }
        changed = []
        countdowns = CountdownQueue()
        graces = CountdownQueue()
        retries = CountdownQueue()
    }
}
