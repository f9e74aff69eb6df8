import AuctionDomain
import DequeModule
import EventLog

// Handles a command: finds its room, checks idempotency, applies expired deadlines, permissions and state rules, and adds the
// result to this turn's batch.
extension Sequencer {
    mutating func command(_ request: CommandRequest, now: Now) {
        if failure != nil { return fail(request, .logUnavailable, now) }
        if isRecovering(request.room) {
            if recovery?.hold(request, limitPerRoom: settings.limits.parkedCommandsPerRoom) == false {
                fail(request, .overloaded, now)
            }
            return
        }
        switch rooms[request.room] {
        case .loaded(let loaded):
            guard loaded.serial.isEmpty else { return loaded.serial.append(request) }
            decide(request, in: loaded, now: now)
        case .loading(let room): park(request, in: room, isLate: settings.isShared, now)
        case .deferred(let room): park(request, in: room, isLate: false, now)
        case .conflicted(let room): room.later.append(request)
        case .unreadable(let cause):
            let waiting = WaitingRequests(commands: [request])
            read(request.room, LoadingRoom(waiting: waiting, wasUnreadable: true, pendingExtension: cause))
        case nil:
            // A newly generated room id without an idempotency key cannot be in the log: no read is needed.
            if case .openRoom(let open) = request.command, request.idempotency == nil {
                self.open(open, request, now: now)
            } else {
                read(request.room, LoadingRoom(waiting: WaitingRequests(commands: [request])))
            }
        }
    }

    /// Queues a command until its room has been read.
    private mutating func park(_ request: CommandRequest, in room: LoadingRoom, isLate: Bool, _ now: Now) {
        guard room.commandCount < settings.limits.parkedCommandsPerRoom else { return fail(request, .overloaded, now) }
        room.add(request, isLate: isLate)
        rooms.waitingChanged(request.room)
    }

    mutating func decide(_ request: CommandRequest, in loaded: LoadedRoom, now: Now) {
        loaded.lastUsed = now.monotonic
        if let key = request.idempotency, !admit(key, of: request, in: loaded, now) { return }
        expireDueCountdowns(in: loaded, now: now)
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: request.seed, drawSeed: request.drawSeed))
        context.storesResponse = request.idempotency != nil
        do {
            let decision = try manager.decide(request.command, by: request.caller, in: &context)
            accept(decision, of: request, in: loaded, instant: context.instant, now)
        } catch {
            let refused = settings.encoder.refused(error, of: request, in: visible(room, to: request), at: now.wall)
            if loaded.isSettled && !settings.isShared {
                turn.release(refused, to: request.reply)
            } else {
                // The refusal depends on events that are not durable yet, or on a room that another node may have advanced: it is
                // sent only once the log has confirmed that state.
                turn.willChange(loaded)
                loaded.add(BatchEntry(request: request, response: refused, effect: .refusal))
            }
        }
    }

    private mutating func accept(
        _ decision: RoomManager.Decision, of request: CommandRequest, in loaded: LoadedRoom,
        instant: Timestamp, _ now: Now
    ) {
        let isEmpty = decision.events.isEmpty
        if !isEmpty {
            turn.willChange(loaded)
            record(decision.events, in: loaded, at: instant)
            // The new host is present: an absence of theirs as an auctioneer does not disconnect them as host.
            if case .guestLinked(let link?, _) = decision.outcome, link.role == .host {
                hosts.hostReturned(link.to.id, to: loaded.head.room.id, at: instant, now: instant)
            }
        }
        let response = settings.encoder.accepted(decision.outcome, of: request, in: loaded.head.room, at: now.wall)
        if isEmpty && loaded.isSettled && !settings.isShared {
            turn.release(response, to: request.reply)
            return
        }
        // A command without effect is decided again on every repeat, so its key is not registered.
        if !isEmpty, let key = request.idempotency { loaded.keys.begin(key, of: request.caller.id) }
        turn.willChange(loaded)
        loaded.add(BatchEntry(request: request, response: response, effect: isEmpty ? .none : .change))
    }

    /// Whether the keyed command has to be decided; false if it was answered or queued here.
    private mutating func admit(_ key: IdempotencyKey, of request: CommandRequest, in loaded: LoadedRoom, _ now: Now) -> Bool {
        // Failures are sent at once, so they show the durable state.
        switch loaded.keys.find(key, of: request.caller.id, at: now) {
        case .fresh: return true
        case .answered(let position): turn.direct(.replay(position: position, request))
        case .running: loaded.keys.wait(request, for: key)
        case .reused: fail(request, .keyReused, in: loaded.base?.room, now)
        case .full: fail(request, .tooManyKeys, in: loaded.base?.room, now)
        }
        return false
    }

    /// Creates the first event of a new room.
    mutating func open(_ open: OpenRoom, _ request: CommandRequest, now: Now) {
        var identifiers = IdentifierSource(instant: now.wall, seed: request.seed)
        let body = manager.open(open, by: request.caller, identifiers: &identifiers)
        let event = Event(seq: 1, at: now.wall, round: 1, body: body)
        guard let room = Room(id: request.room, opening: event) else { return fail(request, .poisoned, now) }
        let stored = EventCodec.encode(event, currency: open.currency, after: .zero)
        let loaded = LoadedRoom(
            ReplayedRoom(room: room, hash: stored.hash), isCommitted: false, keys: IdempotencyKeys(settings.limits), at: now)
        var pending = PendingAppend(expected: .none, finishedRounds: 0)
        pending.affectedUsers = [request.caller.id]
        pending.decided = [event]
        pending.events = [stored]
        let response = settings.encoder.accepted(.roomOpened, of: request, in: room, at: now.wall)
        pending.entries = [BatchEntry(request: request, response: response, effect: .change)]
        loaded.pending = pending
        if let key = request.idempotency { loaded.keys.begin(key, of: request.caller.id) }
        rooms[request.room] = .loaded(loaded)
        remember(loaded)
        turn.opened(loaded)
    }

    /// Applies every transition whose deadline has expired, before anything that comes later; none while the room recovers.
    mutating func expireDueCountdowns(in loaded: LoadedRoom, now: Now) {
        guard !isRecovering(loaded.head.room.id) else { return }
        // Any number of deadlines may have expired, each later than the one before: a Dutch price drops once for every tick, also if
        // the process did not run for a while. The bound only guards against states whose transitions lead to no later deadline.
        var (latest, repeats) = (Timestamp?.none, 0)
        while repeats < Self.mostRepeatedDeadlines {
            let room = loaded.head.room
            let instant = max(now.wall, room.lastEventAt)
            guard let due = room.dueAt, instant >= due else { return }
            repeats = latest.map { due > $0 } ?? true ? 0 : repeats + 1
            latest = max(latest ?? due, due)
            var context = DecisionContext(
                room: room, rulebook: manager.rulebook, instant: instant,
                identifiers: IdentifierSource(
                    instant: instant, seed: UInt64(truncatingIfNeeded: room.id.bits),
                    drawSeed: settings.drawSecret.seed(for: room)))
            let events = manager.timerFired(in: &context)
            guard !events.isEmpty else { return }
            turn.willChange(loaded)
            loaded.record(events, at: context.instant)
            loaded.noteExpiry(due)
        }
    }

    /// Most transitions in a row that lead to no later deadline, such as of handshakes that time out when the countdown ends.
    private static var mostRepeatedDeadlines: Int { 8 }

    /// Records decided events. A host who returns by them is not disconnected for the absence before, while they are in flight either.
    mutating func record(_ events: [EventBody], in loaded: LoadedRoom, at instant: Timestamp) {
        guard loaded.head.room.hostGoneSince != nil else { return loaded.record(events, at: instant) }
        loaded.record(events, at: instant)
        guard loaded.head.room.hostGoneSince == nil else { return }
        hosts.hostReturned(loaded.head.room.host.id, to: loaded.head.room.id, at: instant, now: instant)
    }

    /// Takes the room out of this turn's batch, because what was decided in it is void.
    mutating func unmark(_ loaded: LoadedRoom) {
        turn.remove(loaded)
        // Its extended deadline may have been part of the batch.
        let id = loaded.head.room.id
        if recovery?.batch == turn.batch, isRecovering(id) { recovery?.unfinished.insert(id) }
    }

    mutating func fail(_ request: CommandRequest, _ failure: ServiceFailure, in room: Room? = nil, _ now: Now) {
        let seen = room.flatMap { visible($0, to: request) }
        let response = settings.encoder.failed(failure, of: request, in: seen, at: now.wall)
        turn.release(response, to: request.reply)
    }

    private func visible(_ room: Room, to request: CommandRequest) -> Room? {
        room.isVisible(to: request.caller.id) && !room.isArchived ? room : nil
    }
}
