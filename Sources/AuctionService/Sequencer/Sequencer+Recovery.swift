import AuctionDomain
import EventLog

// After an outage all open rooms are read, then their expired deadlines are extended together; see `Recovery`.
extension Sequencer {
    mutating func recover(_ ids: [RoomID], now: Now) {
        // After an outage of all nodes this node may still have rooms in memory, in a state that may be outdated: they are read
        // again. A room with an append in flight learns from its verdict whether it is current.
        var awaited: [RoomID] = []
        for id in ids.sorted() {
            switch rooms[id] {
            case .loaded(let loaded):
                guard isShared else { continue }
                if loaded.inFlight == 0 { reload(loaded) }
            case .unreadable: read(id, LoadingRoom(isNeeded: true, wasUnreadable: true))
            case nil: read(id, LoadingRoom(isNeeded: true))
            case .loading, .conflicted, .deferred: break
            }
            awaited.append(id)
        }
        let held = recovery?.takeHeld() ?? []
        recovery = Recovery(rooms: ids, awaited: awaited)
        for request in held { command(request, now: now) }
        if awaited.isEmpty { serviceReturned(now: now) }
    }

    /// Whether a recovery has not extended the room's deadline durably, so that no command may be decided in it yet.
    func isRecovering(_ room: RoomID) -> Bool { recovery?.contains(room) ?? false }

    /// The room is in memory and up to date with the log, or does not exist, or could not be read.
    mutating func recoveryLoaded(_ room: RoomID, now: Now) {
        if recovery?.loaded(room) == true { serviceReturned(now: now) }
    }

    private mutating func serviceReturned(now: Now) {
        let ready = Timestamp(milliseconds: now.wall.milliseconds + Recovery.allowanceMilliseconds)
        let recovered = recovery?.rooms ?? []
        for id in recovered {
            guard let loaded = rooms.loaded(id) else {
                // Its append conflicted meanwhile; its deadline still has to be extended, by another recovery.
                if rooms[id] != nil { recovery?.isComplete = false }
                continue
            }
            let isExtended = extendDeadline(of: loaded, ready: ready, cause: .outage, now: now)
            guard isShared, !isExtended, !loaded.isSettled else { continue }
            // In memory the round has ended or continued, which is not durable yet: if that append fails, the deadline has to be
            // extended.
            loaded.pendingExtension = .outage
            recovery?.isComplete = false
        }
        if changed.isEmpty { finishRecovery([], now: now) } else { recovery?.batch = nextBatch }
    }

    /// - Parameter verdicts: Verdicts of the batch that extended the deadlines.
    mutating func finishRecovery(_ verdicts: [RoomVerdict], now: Now) {
        let isDurable = verdicts.allSatisfy { if case .appended = $0 { true } else { false } }
        directives.append(.recovered(isComplete: isDurable && recovery?.isComplete != false))
        let (recovered, held) = (recovery?.rooms ?? [], recovery?.takeHeld() ?? [])
        recovery = nil
        for id in recovered {
            if let loaded = rooms.loaded(id) { continueSerially(loaded, now: now) }
        }
        for request in held { command(request, now: now) }
    }
}
