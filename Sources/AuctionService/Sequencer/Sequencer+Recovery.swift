import AuctionDomain
import EventLog

// After an outage the open rooms whose deadline may have to be extended are read, then it is extended for all of them together; see
// `Recovery`. The others stay out of memory until shortly before their deadline, or until a request needs them.
extension Sequencer {
    /// Open rooms with a later deadline need not be in memory: twice as far away as deadlines are extended, so that a start reads no others while it
    /// lasts.
    static func latestNearDeadline(_ now: Now) -> Timestamp {
        now.wall + AuctionRules.longestExtension + AuctionRules.longestExtension
    }

    mutating func recover(_ pending: [PendingRoom], now: Now) {
        let latest = Self.latestNearDeadline(now)
        // After an outage of all nodes this node may still have rooms in memory, in a state that may be outdated: they are read
        // again. A room with an append in flight learns from its verdict whether it is current.
        var awaited: [RoomID] = []
        for (id, endsAt) in pending.lazy.map({ ($0.room, $0.endsAt) }).sorted(by: { $0.0 < $1.0 }) {
            switch rooms[id] {
            case .loaded(let loaded):
                guard settings.isShared else { continue }
                if loaded.inFlight == 0 { reload(loaded) }
            case .unreadable(let cause): read(id, LoadingRoom(isNeeded: true, wasUnreadable: true, pendingExtension: cause))
            case nil:
                if let endsAt, endsAt > latest {
                    timers.dormant.arm(id, at: endsAt)
                    continue
                }
                read(id, LoadingRoom(isNeeded: true))
            case .loading, .conflicted, .deferred: break
            }
            awaited.append(id)
        }
        let held = recovery?.takeHeld() ?? []
        recovery = Recovery(rooms: pending.map(\.room), awaited: awaited)
        for request in held { command(request, now: now) }
        if awaited.isEmpty { turn.direct(.recoveryRead) }
    }

    /// Reads the rooms out of memory whose deadline is not later than `instant`.
    /// - Parameter cause: Why their deadlines have to be extended before anything is decided in them; nil if they have not.
    mutating func wakeDormant(dueAt instant: Timestamp, extending cause: CountdownMoved.Cause? = nil) {
        while let id = timers.dormant.popDue(at: instant) {
            let room = LoadingRoom(isNeeded: true, pendingExtension: cause)
            room.wasDormant = true
            read(id, room)
        }
    }

    /// Whether a recovery has not extended the room's deadline durably, so that no command may be decided in it yet.
    func isRecovering(_ room: RoomID) -> Bool { recovery?.contains(room) ?? false }

    /// The room is in memory and up to date with the log, or does not exist, or could not be read.
    mutating func recoveryLoaded(_ room: RoomID) {
        if recovery?.loaded(room) == true { turn.direct(.recoveryRead) }
    }

    /// All sequencers do this at the same time: clients reach the service only after all of them have, and until then a deadline that was
    /// extended before would run down.
    mutating func extendDeadlines(now: Now) {
        guard recovery?.isRead == true else { return }
        let ready = Timestamp(milliseconds: now.wall.milliseconds + Recovery.allowanceMilliseconds)
        // Deadlines that have come near while other rooms were read.
        wakeDormant(dueAt: ready + AuctionRules.longestExtension, extending: .outage)
        let recovered = recovery?.rooms ?? []
        for id in recovered {
            guard let loaded = rooms.loaded(id) else {
                // Its append conflicted meanwhile; its deadline still has to be extended, by another recovery. A corrupt room, which stays unreadable
                // if it was that before, has to wait for its repair: the outage is settled without it.
                if case .unreadable = rooms[id], rooms.corrupt.isPaused(id, at: now.wall) { continue }
                if rooms[id] != nil { recovery?.unfinished.insert(id) }
                continue
            }
            let isExtended = extendDeadline(of: loaded, ready: ready, cause: .outage, now: now)
            guard settings.isShared, !isExtended, !loaded.isSettled else { continue }
            // In memory the round has ended or continued, which is not durable yet: if that append fails, the deadline has to be
            // extended.
            loaded.pendingExtension = .outage
            recovery?.unfinished.insert(id)
        }
        if turn.hasChanges { recovery?.batch = turn.batch } else { finishRecovery(now: now) }
    }

    /// The batch that extended the deadlines has returned. Another node may have appended to some of its rooms since these were read.
    mutating func recoveryCommitted(_ batch: Batch, _ verdicts: [RoomVerdict], now: Now) {
        for (part, verdict) in zip(batch.rooms, verdicts) where isRecovering(part.append.room) {
            switch verdict {
            case .appended: continue
            case .conflict, .deferred: recovery?.unfinished.insert(part.append.room)
            case .failed: recovery?.hasFailed = true
            }
        }
        finishRecovery(now: now)
    }

    mutating func finishRecovery(now: Now) {
        turn.direct(.recovered(recovery?.result ?? .complete))
        let (recovered, held) = (recovery?.rooms ?? [], recovery?.takeHeld() ?? [])
        recovery = nil
        for id in recovered {
            if let loaded = rooms.loaded(id) { continueSerially(loaded, now: now) }
        }
        for request in held { command(request, now: now) }
    }
}

// Wall clocks are set by hand, by NTP, and on machines that were suspended. When the wall clock is set back, `ServiceTime` keeps
// advancing; when it jumps ahead, `ServiceTime` jumps too and records it, and no countdown may expire because of the jump.
extension Sequencer {
    mutating func handleClockJump(_ now: Now) {
        defer { lastNow = now }
        if let last = lastNow, now.wall < last.wall { retryDeferred(now) }
        guard let last = lastNow, now.jumps.total > last.jumps.total else { return }
        hosts.extendTimers(by: now.jumps.total - last.jumps.total, now: now.wall)
        // A recovery that has not submitted its batch will extend the deadlines of its rooms anyway, from an instant read after this jump. On a
        // shared log, where it may be repeated for some rooms alone, others may be open.
        let extending = recovery?.batch == nil ? recovery : nil
        if extending == nil || settings.isShared {
            wakeDormant(dueAt: now.wall + AuctionRules.longestExtension, extending: .clock)
        }
        for id in rooms.ids where extending?.contains(id) != true {
            switch rooms[id] {
            // Rooms that are being read handle the jump after the read.
            case .loading(let room), .deferred(let room): room.pendingExtension = .clock
            case .conflicted(let room): room.pendingExtension = .clock
            case .loaded(let room):
                // If the append in flight fails, the room returns to its committed state, whose deadline the jump may have skipped.
                if !room.isSettled, room.base?.room.dueAt != nil { room.pendingExtension = .clock }
                guard room.head.room.dueAt != nil else { continue }
                extendDeadline(of: room, ready: now.wall, cause: .clock, now: now)
            case .unreadable: rooms[id] = .unreadable(pendingExtension: .clock)
            case nil: continue
            }
        }
    }

    /// A shared log's clock was set back, which must not make commands wait for as long.
    private mutating func retryDeferred(_ now: Now) {
        for id in rooms.ids {
            if case .deferred = rooms[id] { timers.retries.arm(id, at: now.wall) }
        }
    }

    /// Extends the room's deadline after time that no client could use; most rooms have no deadline or one that is far enough away.
    /// - Parameter ready: When clients can reach the service again.
    /// - Returns: Whether the deadline was extended.
    @discardableResult
    mutating func extendDeadline(of loaded: LoadedRoom, ready: Timestamp, cause: CountdownMoved.Cause, now: Now) -> Bool {
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: UInt64(truncatingIfNeeded: room.id.bits)))
        let events = manager.serviceReturned(ready: ready, cause: cause, in: &context)
        guard !events.isEmpty else { return false }
        loaded.pendingExtension = cause
        turn.willChange(loaded)
        loaded.record(events, at: context.instant)
        return true
    }
}
