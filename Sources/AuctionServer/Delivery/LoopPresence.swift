internal import AuctionDomain
internal import MicroHTTP
internal import AuctionService

/// The users with streams on this loop, and the presence changes not yet reported to the service.
///
/// A long-poll ends with every response, so a user counts as absent only `lingerMilliseconds` after their last stream ended: a room
/// whose members poll steadily causes no presence changes at all.
struct LoopPresence {
    private struct Key: Hashable {
        let room: RoomID
        let user: UserID
    }

    private struct Entry {
        var streams: Int
        var closedAt: Timestamp
    }

    static let lingerMilliseconds: Int64 = 2000
    private var entries: [Key: Entry] = [:]
    private var changes: [PresenceChange] = []

    /// Number of users without a stream who are still counted as present.
    private(set) var lingering = 0

    mutating func open(_ user: UserID, _ room: RoomID, at now: Timestamp) {
        let key = Key(room: room, user: user)
        guard var entry = entries[key] else {
            entries[key] = Entry(streams: 1, closedAt: now)
            changes.append(PresenceChange(room: room, user: user, isPresent: true, at: now))
            return
        }
        if entry.streams == 0 { lingering -= 1 }
        entry.streams += 1
        entries[key] = entry
    }

    mutating func close(_ user: UserID, _ room: RoomID, at now: Timestamp) {
        let key = Key(room: room, user: user)
        guard var entry = entries[key] else { return }
        entry.streams -= 1
        entry.closedAt = now
        if entry.streams == 0 { lingering += 1 }
        entries[key] = entry
    }

    /// Removes and returns the changes to report to the service, including users whose linger time has expired.
    mutating func takeChanges(at now: Timestamp) -> [PresenceChange] {
        if lingering > 0 {
            let gone = entries.filter {
                $0.value.streams == 0 && now.milliseconds(since: $0.value.closedAt) >= Self.lingerMilliseconds
            }
            for (key, entry) in gone {
                entries[key] = nil
                lingering -= 1
                changes.append(PresenceChange(room: key.room, user: key.user, isPresent: false, at: entry.closedAt))
            }
        }
        defer { changes = [] }
        return changes
    }
}

extension LoopHandler {
    /// Registers a stream; has no effect for callers without a token.
    func trackPresence(_ held: WaitingPoll) {
        guard let user = held.user else { return }
        let now = shared.clock.now().wall
        presence.open(user, held.room.id, at: now)
        report(at: now)
    }

    /// Unregisters a stream that ended.
    func untrackPresence(_ held: WaitingPoll) {
        held.room.endWatching()
        guard let user = held.user else { return }
        presence.close(user, held.room.id, at: shared.clock.now().wall)
        armPresenceTimer()
    }

    private func report(at now: Timestamp) {
        let changes = presence.takeChanges(at: now)
        if !changes.isEmpty { shared.service.presence(changes) }
        if presence.lingering > 0 { armPresenceTimer() }
    }

    private func armPresenceTimer() {
        guard presenceTimer == nil else { return }
        presenceTimer = loop.schedule(afterMilliseconds: Int(LoopPresence.lingerMilliseconds) + 1) { [weak self] in
            guard let self else { return }
            presenceTimer = nil
            report(at: shared.clock.now().wall)
        }
    }
}
