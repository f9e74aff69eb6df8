import AuctionDomain
import EventLog

// After an outage the open rooms whose deadline may have to be extended are read, then it is extended for all of them together; see
// `Recovery`. The others stay out of memory until shortly before their deadline, or until a request needs them.
extension Sequencer {
    /// How long before its deadline a room is read, in milliseconds, so that it closes in time.
    static var wakeLead: Int64 { 10_000 }

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
                guard isShared else { continue }
                if loaded.inFlight == 0 { reload(loaded) }
            case .unreadable(let cause): read(id, LoadingRoom(isNeeded: true, wasUnreadable: true, pendingExtension: cause))
            case nil:
                if let endsAt, endsAt > latest {
                    dormant.arm(id, at: endsAt)
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
        if awaited.isEmpty { directives.append(.recoveryRead) }
    }

    /// Reads the rooms out of memory whose deadline is not later than `instant`.
    /// - Parameter cause: Why their deadlines have to be extended before anything is decided in them; nil if they have not.
    mutating func wakeDormant(dueAt instant: Timestamp, extending cause: CountdownMoved.Cause? = nil) {
        while let id = dormant.popDue(at: instant) {
            let room = LoadingRoom(isNeeded: true, pendingExtension: cause)
            room.wasDormant = true
            read(id, room)
        }
    }

    /// Whether a recovery has not extended the room's deadline durably, so that no command may be decided in it yet.
    func isRecovering(_ room: RoomID) -> Bool { recovery?.contains(room) ?? false }

    /// The room is in memory and up to date with the log, or does not exist, or could not be read.
    mutating func recoveryLoaded(_ room: RoomID) {
        if recovery?.loaded(room) == true { directives.append(.recoveryRead) }
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
                if case .unreadable = rooms[id], corrupt.isPaused(id, at: now.wall) { continue }
                if rooms[id] != nil { recovery?.unfinished.insert(id) }
                continue
            }
            let isExtended = extendDeadline(of: loaded, ready: ready, cause: .outage, now: now)
            guard isShared, !isExtended, !loaded.isSettled else { continue }
            // In memory the round has ended or continued, which is not durable yet: if that append fails, the deadline has to be
            // extended.
            loaded.pendingExtension = .outage
            recovery?.unfinished.insert(id)
        }
        if changed.isEmpty { finishRecovery(now: now) } else { recovery?.batch = nextBatch }
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
        directives.append(.recovered(recovery?.result ?? .complete))
        let (recovered, held) = (recovery?.rooms ?? [], recovery?.takeHeld() ?? [])
        recovery = nil
        for id in recovered {
            if let loaded = rooms.loaded(id) { continueSerially(loaded, now: now) }
        }
        for request in held { command(request, now: now) }
    }
}
