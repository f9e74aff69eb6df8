extension Stage {
    /// Applies an event. The same events at the same instants always produce the same stage.
    package mutating func apply(_ event: StageEvent, at instant: Timestamp) {
        switch event {
        case .requested(let id, let guest, let role):
            handshakes.append(Handshake(id: id, guest: guest, role: role, invitedBy: nil, at: instant))
        case .invited(let id, let guest, let role, let host):
            handshakes.append(Handshake(id: id, guest: guest, role: role, invitedBy: host, at: instant))
        case .accepted(let id, _, _, let person): accept(id, by: person, at: instant)
        case .seated(let seating): seat(seating, at: instant)
        case .declined(let id, _, let person): end(id, .declined, by: person)
        case .cancelled(let id, _, let person): end(id, .cancelled, by: person)
        case .timedOut(let id, _): end(id, .other, by: nil)
        case .ended(let id, _, let reason, let person): end(id, reason == .error ? .failed : .other, by: person)
        case .seatClosed(let number, _): change(seat: number) { $0.isClosed = true }
        case .seatMuted(let number, let muted, _): change(seat: number) { $0.isMuted = muted }
        case .seatCleared(let number, _): change(seat: number) { $0 = Seat(number: number) }
        case .moved(_, let number, let target, _): move(from: number, to: target)
        case .left(let departure): change(seat: departure.seat) { $0.occupant = nil }
        }
    }

    /// The member on this seat keeps the role that it gives when they leave.
    mutating func keepRole(of seat: Int) {
        change(seat: seat) { seat in
            if let occupant = seat.occupant { seat.occupant?.previousRole = occupant.role.role }
        }
    }

    /// Whether a seat or a handshake shows the user.
    func names(_ user: UserID) -> Bool {
        seat(of: user) != nil || (handshakes + ended.map(\.handshake)).contains { $0.guest.id == user || $0.host?.id == user }
    }

    /// Updates the nickname of a user.
    mutating func rename(_ person: Person) {
        for index in seats.indices where seats[index].occupant?.person.id == person.id {
            seats[index].occupant?.person = person
        }
        for index in handshakes.indices { handshakes[index].rename(person) }
        for index in ended.indices { ended[index].handshake.rename(person) }
    }

    private mutating func accept(_ id: StageID, by person: Person, at instant: Timestamp) {
        guard let index = handshakes.firstIndex(where: { $0.id == id }) else { return }
        if handshakes[index].origin == .request { handshakes[index].host = person }
        handshakes[index].follow(.accept, at: instant)
    }

    private mutating func seat(_ seating: StageEvent.Seating, at instant: Timestamp) {
        end(seating.id, .seated, by: seating.by)
        change(seat: seating.seat) {
            $0.occupant = Seat.Occupant(
                person: seating.guest, role: seating.role, previousRole: seating.previousRole, since: instant)
        }
    }

    /// The mute of the seat goes along with its occupant, so that a muted guest is not heard again after a move. The number of muted seats
    /// stays the same: moving to and fro mutes no seats for those who come later.
    private mutating func move(from number: Int, to target: Int) {
        guard let old = seats.first(where: { $0.number == number }), let new = seats.first(where: { $0.number == target }),
            number != target
        else { return }
        change(seat: target) {
            $0.occupant = old.occupant
            $0.isMuted = old.isMuted || new.isMuted
        }
        change(seat: number) {
            $0.occupant = nil
            $0.isMuted = old.isMuted && new.isMuted
        }
    }

    private mutating func end(_ id: StageID, _ outcome: EndedHandshake.Outcome, by person: Person?) {
        guard let index = handshakes.firstIndex(where: { $0.id == id }) else { return }
        ended.append(EndedHandshake(handshake: handshakes.remove(at: index), outcome: outcome, by: person?.id))
        if ended.count > StageLimits.rememberedHandshakes { ended.removeFirst() }
    }

    private mutating func change(seat number: Int, _ change: (inout Seat) -> Void) {
        guard seats.indices.contains(number - 1) else { return }
        change(&seats[number - 1])
    }
}

/// A decision under construction: its events so far, and the stage with these events applied.
struct StageDraft {
    private(set) var stage: Stage
    private(set) var events: [StageEvent] = []
    let instant: Timestamp

    init(_ stage: Stage, at instant: Timestamp) {
        self.stage = stage
        self.instant = instant
    }

    mutating func record(_ event: StageEvent) {
        stage.apply(event, at: instant)
        events.append(event)
    }

    mutating func record(_ events: [StageEvent]) {
        for event in events { record(event) }
    }
}
