import AuctionDomain
import EventLog

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
        if extending == nil || isShared { wakeDormant(dueAt: now.wall + AuctionRules.longestExtension, extending: .clock) }
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
            if case .deferred = rooms[id] { retries.arm(id, at: now.wall) }
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
        mark(loaded)
        loaded.record(events, at: context.instant)
        return true
    }
}
