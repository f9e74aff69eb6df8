import AuctionDomain
import EventLog

// Wall clocks are set by hand, by NTP and by machines that slept. `ServiceTime` runs on when one is set back; when one jumps
// ahead it jumps along and says so, and that sells nothing.
extension Sequencer {
    mutating func noticeJump(_ now: Now) {
        defer { lastNow = now }
        guard let last = lastNow, now.jumps.total > last.jumps.total else { return }
        extendGraces(by: now.jumps.total - last.jumps.total, now: now)
        // Until a recovery has moved every end it is about to, with an instant that is read after this.
        if let recovery, recovery.batch == nil { return }
        // Rooms that are being read are told when they are here.
        for id in loading.keys.sorted() { loading[id]?.disturbance = .clock }
        for id in lost.keys.sorted() { lost[id]?.disturbance = .clock }
        for id in live.keys.sorted() {
            guard let loaded = live[id] else { continue }
            // Should what is on its way be lost, the room is as the log has it, with an end that the jump may have eaten.
            if !loaded.isSettled, loaded.base?.room.dueAt != nil { loaded.disturbance = .clock }
            guard loaded.head.room.dueAt != nil else { continue }
            moveEnd(of: loaded, ready: now.wall, cause: .clock, now: now)
        }
    }

    /// Moves the end of a round that nobody could watch; most rooms have none, or one that is far enough away.
    /// - Returns: Whether there was one to move.
    @discardableResult
    mutating func moveEnd(of loaded: LoadedRoom, ready: Timestamp, cause: CountdownMoved.Cause, now: Now) -> Bool {
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: UInt64(truncatingIfNeeded: room.id.bits)))
        let events = manager.serviceReturned(ready: ready, cause: cause, in: &context)
        guard !events.isEmpty else { return false }
        loaded.disturbance = cause
        mark(loaded)
        loaded.record(events, at: context.instant)
        return true
    }
}
