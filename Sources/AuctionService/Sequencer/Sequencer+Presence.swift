import AuctionDomain
import EventLog

// A host whose last stream has been closed for longer than the timeout is disconnected; see `HostPresence`.
extension Sequencer {
    mutating func presence(_ changes: [PresenceChange], now: Now) {
        for change in changes {
            let loaded = rooms.loaded(change.room)
            // It left memory while the stream began, or a stop has closed the stream.
            if timers.dormant.contains(change.room) { read(change.room, LoadingRoom(isNeeded: true)) }
            if change.isPresent {
                hosts.streamOpened(by: change.user, on: change.room)
                if let loaded, loaded.head.room.hostGoneSince != nil {
                    runServiceCommand(.hostReconnected(change.user), in: loaded, now: now)
                }
            } else if hosts.streamClosed(
                by: change.user, on: change.room, loaded?.head.room, isBeingRead: isBeingRead(change.room),
                at: now.instant(atMonotonic: change.at)), let loaded,
                !loaded.head.room.stage.handshakes.isEmpty
            {
                runServiceCommand(.disconnected(change.user), in: loaded, now: now)
            }
        }
    }

    /// Handles changed presence on other nodes. A node may have crashed; handshakes on the stage are not failed here, since they have
    /// their own timeout.
    mutating func remotePresence(_ reports: [RoomPresenceReport], now: Now) {
        for report in reports {
            hosts.reported(
                report, rooms.loaded(report.room)?.head.room, isBeingRead: isBeingRead(report.room), at: now.wall)
        }
    }

    /// Whether the room is in memory but not usable, until it has been read.
    private func isBeingRead(_ room: RoomID) -> Bool { rooms[room] != nil && rooms.loaded(room) == nil }

    /// Updates the host's presence after the room has changed.
    /// - Parameter events: If the room was read again, the events that were read: uncommitted decisions about its host are void. Nil if
    ///   not.
    mutating func updateHostPresence(of loaded: LoadedRoom, read events: [StoredEvent]?, now: Now) {
        guard !hosts.isEmpty else { return }
        let room = loaded.head.room
        for event in events ?? [] where event.isHostReturn {
            guard case .hostReturned(let host)? = try? EventCodec.decode(event, after: room).body else { continue }
            hosts.hostReturned(host.id, to: room.id, at: event.at, now: now.wall)
        }
        guard hosts.roomChanged(room, base: loaded.base?.room, isReloaded: events != nil) else { return }
        runServiceCommand(.hostReconnected(room.host.id), in: loaded, now: now)
    }

    mutating func expireDisconnectTimers(now: Now) {
        while let expired = hosts.popExpired(at: now.wall, { [rooms] in rooms.loaded($0)?.head.room }) {
            guard let loaded = rooms.loaded(expired.room) else { continue }
            runServiceCommand(.hostDisconnected(expired.host), in: loaded, now: now)
        }
    }

    /// Runs a command of the service itself; it has no response.
    private mutating func runServiceCommand(_ command: Command, in loaded: LoadedRoom, now: Now) {
        expireDueCountdowns(in: loaded, now: now)
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: UInt64(truncatingIfNeeded: room.id.bits)))
        // A refusal, for example because the room was archived, changes nothing.
        guard let decision = try? manager.decide(command, by: room.host, in: &context), !decision.events.isEmpty else { return }
        turn.willChange(loaded)
        record(decision.events, in: loaded, at: context.instant)
    }
}
