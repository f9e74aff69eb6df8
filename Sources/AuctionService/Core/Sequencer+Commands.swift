import AuctionDomain
import DequeModule
import EventLog

// The way of a command: to its room, through idempotency, time, permission and state, into this turn's batch.
extension Sequencer {
    mutating func command(_ request: CommandRequest, now: Now) {
        if failure != nil { return fail(request, .logUnavailable, now) }
        if isRecovering(request.room) { return hold(request, now: now) }
        if let loaded = live[request.room] {
            guard loaded.serial.isEmpty else { return loaded.serial.append(request) }
            return decide(request, in: loaded, now: now)
        }
        if loading[request.room] != nil { return park(request, now) }
        if lost[request.room] != nil { return lost[request.room]?.later.append(request) ?? () }
        // A fresh id without a key cannot exist yet: no need to ask the disk.
        if case .openRoom(let open) = request.command, request.idempotency == nil {
            return self.open(open, request, keys: [], now: now)
        }
        loading[request.room] = LoadingRoom(parked: [request])
        directives.append(.load(request.room))
    }

    private mutating func park(_ request: CommandRequest, _ now: Now) {
        guard let count = loading[request.room]?.parked.count, count < limits.parkedCommandsPerRoom else {
            return fail(request, .overloaded, now)
        }
        loading[request.room]?.parked.append(request)
        if isShared, loading[request.room]?.isHeld == false { loading[request.room]?.lateParked += 1 }
    }

    mutating func decide(_ request: CommandRequest, in loaded: LoadedRoom, now: Now) {
        loaded.lastUsed = now.monotonic
        if let key = request.idempotency, !admit(key, of: request, in: loaded, now) { return }
        endDueCountdowns(in: loaded, now: now)
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: request.seed, drawSeed: request.drawSeed))
        do {
            let decision = try manager.decide(request.command, by: request.caller, in: &context)
            accept(decision, of: request, in: loaded, instant: context.instant, now)
        } catch {
            let refused = encoder.refused(error, of: request, in: visible(room, to: request), at: now.wall)
            if loaded.isSettled && !isShared {
                released.append(AddressedAnswer(reply: request.reply, answer: refused))
            } else {
                // It was decided on events that are not durable yet, or on a room that another node may have advanced: whoever
                // hears of it must be able to rely on it.
                mark(loaded)
                loaded.add(BatchEntry(request: request, answer: refused, effect: .refusal))
            }
        }
    }

    private mutating func accept(
        _ decision: RoomManager.Decision, of request: CommandRequest, in loaded: LoadedRoom,
        instant: Timestamp, _ now: Now
    ) {
        let isEmpty = decision.events.isEmpty
        if !isEmpty {
            mark(loaded)
            loaded.record(decision.events, at: instant)
        }
        let answer = encoder.accepted(decision.outcome, of: request, in: loaded.head.room, at: now.wall)
        if isEmpty && loaded.isSettled && !isShared {
            released.append(AddressedAnswer(reply: request.reply, answer: answer))
            return
        }
        // What changes nothing may be decided as often as it is repeated.
        if !isEmpty, let key = request.idempotency { loaded.keys.begin(key, of: request.caller.id) }
        mark(loaded)
        loaded.add(BatchEntry(request: request, answer: answer, effect: isEmpty ? .none : .change))
    }

    /// Whether the keyed command is to be decided; otherwise it has been seen to.
    private mutating func admit(
        _ key: IdempotencyKey, of request: CommandRequest, in loaded: LoadedRoom, _ now: Now
    ) -> Bool {
        switch loaded.keys.find(key, of: request.caller.id, at: now) {
        case .fresh: return true
        case .answered(let position): directives.append(.replay(position: position, request))
        case .running: loaded.keys.wait(request, for: key)
        case .reused: fail(request, .keyReused, now)
        case .full: fail(request, .tooManyKeys, now)
        }
        return false
    }

    /// The first event of a room that does not exist.
    mutating func open(_ open: OpenRoom, _ request: CommandRequest, keys: [StoredKey], now: Now) {
        var identifiers = IdentifierSource(instant: now.wall, seed: request.seed)
        let body = manager.open(open, by: request.caller, identifiers: &identifiers)
        let event = Event(seq: 1, at: now.wall, round: 1, body: body)
        guard let room = Room(id: request.room, opening: event) else { return fail(request, .poisoned, now) }
        let stored = EventCodec.encode(event, currency: open.currency, after: .zero)
        let loaded = LoadedRoom(
            ReplayedRoom(room: room, hash: stored.hash), isCommitted: false,
            keys: IdempotencyKeys(limits, stored: keys), at: now)
        var pending = PendingAppend(expected: .none)
        pending.events = [stored]
        let answer = encoder.accepted(.roomOpened, of: request, in: room, at: now.wall)
        pending.entries = [BatchEntry(request: request, answer: answer, effect: .change)]
        loaded.pending = pending
        if let key = request.idempotency { loaded.keys.begin(key, of: request.caller.id) }
        live[request.room] = loaded
        remember(loaded)
        changed.append(loaded)
    }

    /// Lets the hammer fall before anything that comes after it.
    mutating func endDueCountdowns(in loaded: LoadedRoom, now: Now) {
        // Each end leads to a state with a later end or none; the bound only guards against states that break that.
        for _ in 0..<8 {
            let room = loaded.head.room
            let instant = max(now.wall, room.lastEventAt)
            guard let due = room.dueAt, instant >= due else { return }
            var context = DecisionContext(
                room: room, rulebook: manager.rulebook, instant: instant,
                identifiers: IdentifierSource(instant: instant, seed: UInt64(truncatingIfNeeded: room.id.bits)))
            let events = manager.timerFired(in: &context)
            guard !events.isEmpty else { return }
            mark(loaded)
            loaded.record(events, at: context.instant)
            loaded.ended(due)
        }
    }

    /// Notes that the room has a part in this turn's batch. Call it before the first change.
    mutating func mark(_ loaded: LoadedRoom) {
        if loaded.pending == nil { changed.append(loaded) }
    }

    mutating func fail(_ request: CommandRequest, _ failure: ServiceFailure, _ now: Now) {
        let answer = encoder.failed(failure, of: request, at: now.wall)
        released.append(AddressedAnswer(reply: request.reply, answer: answer))
    }

    private func visible(_ room: Room, to request: CommandRequest) -> Room? {
        room.isVisible(to: request.caller.id) && !room.isArchived ? room : nil
    }
}
