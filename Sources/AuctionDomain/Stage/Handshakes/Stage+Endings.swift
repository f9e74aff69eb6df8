extension Stage {
    /// When the next handshake times out; nil if none is in progress.
    package var dueAt: Timestamp? { handshakes.compactMap(\.dueAt).min() }

    /// The timeouts due at `instant`, the earliest first; a handshake whose deadline equals `instant` has timed out.
    package func timedOut(at instant: Timestamp) -> [StageEvent] {
        handshakes
            .compactMap { handshake in handshake.dueAt.map { (handshake: handshake, dueAt: $0) } }
            .filter { $0.dueAt <= instant }
            .sorted { ($0.dueAt, $0.handshake.id) < ($1.dueAt, $1.handshake.id) }
            .map { .timedOut($0.handshake.id, guest: $0.handshake.guest) }
    }

    /// The user's last stream is closed: their handshakes end. They keep a seat until they leave the room.
    package func disconnected(_ user: UserID) -> [StageEvent] { endings(of: user, .disconnected) }

    /// The user left the room: their handshakes end and their seat becomes free.
    package func departed(_ user: UserID) -> [StageEvent] {
        endings(of: user, .leftRoom) + vacating(user, .leftRoom, restoring: nil)
    }

    /// The host changed: the handshakes of the old host end, and those in which the new host is the guest. The new host's seat
    /// becomes free, because a host has none. Queued requests of other guests stay.
    package func hostChanged(from old: UserID, to new: UserID) -> [StageEvent] {
        let concerned = handshakes.filter { $0.host?.id == old || $0.guest.id == new }
        return concerned.map { .ended($0.id, guest: $0.guest, reason: .hostChanged, by: nil) }
            + vacating(new, .becameHost, restoring: .host)
    }

    private func endings(of user: UserID, _ reason: StageEndReason) -> [StageEvent] {
        handshakes
            .filter { $0.guest.id == user || $0.host?.id == user }
            .map { .ended($0.id, guest: $0.guest, reason: reason, by: $0.guest.id == user ? $0.guest : $0.host) }
    }

    private func vacating(
        _ user: UserID, _ cause: StageEvent.Departure.Cause, restoring role: Role?
    ) -> [StageEvent] {
        guard let seat = seat(of: user), let occupant = seat.occupant else { return [] }
        return [occupant.leaving(seat.number, cause, restoring: role)]
    }
}
