internal import Permissions

extension StageDraft {
    mutating func leave(by caller: Person, in context: StageContext) throws(Refusal) {
        guard let seat = stage.seat(of: caller.id) else { throw .stageNotSeated }
        vacate(seat, .steppedDown, in: context)
    }

    mutating func close(_ number: Int, by caller: Person, in context: StageContext) throws(Refusal) {
        let seat = try seat(number, by: caller, in: context)
        guard !seat.isClosed else { return }
        vacate(seat, .evicted, in: context)
        record(.seatClosed(number, by: caller))
    }

    mutating func mute(_ number: Int, _ muted: Bool, by caller: Person, in context: StageContext) throws(Refusal) {
        guard try seat(number, by: caller, in: context).isMuted != muted else { return }
        record(.seatMuted(number, muted: muted, by: caller))
    }

    mutating func clear(_ number: Int, by caller: Person, in context: StageContext) throws(Refusal) {
        let seat = try seat(number, by: caller, in: context)
        guard seat.occupant != nil || seat.isClosed || seat.isMuted else { return }
        vacate(seat, .evicted, in: context)
        record(.seatCleared(number, by: caller))
    }

    mutating func move(_ number: Int, to target: Int, by caller: Person, in context: StageContext) throws(Refusal) {
        let seat = try seat(number)
        guard context.isHost(caller) || caller.id == seat.occupant?.person.id else { throw .stageNotYours(nil) }
        guard let occupant = seat.occupant else { throw .stageSeatEmpty(number) }
        guard target != number else { return }
        guard try self.seat(target).isFree else { throw .stageSeatTaken(target) }
        record(.moved(occupant.person, from: number, to: target, by: caller))
    }

    private func seat(_ number: Int, by caller: Person, in context: StageContext) throws(Refusal) -> Seat {
        guard context.isHost(caller) else { throw .stageNotYours(.host) }
        return try seat(number)
    }

    private func seat(_ number: Int) throws(Refusal) -> Seat {
        guard let seat = stage.seats.first(where: { $0.number == number }) else { throw .stageSeatUnknown(number) }
        return seat
    }

    private mutating func vacate(_ seat: Seat, _ cause: StageEvent.Departure.Cause, in context: StageContext) {
        guard let occupant = seat.occupant else { return }
        let role = context.members[occupant.person.id].map(occupant.roleAfterLeaving)
        record(occupant.leaving(seat.number, cause, restoring: role))
    }
}

extension StageContext {
    /// Whether the caller manages the seats: the host, or an operator.
    func isHost(_ caller: Person) -> Bool { caller.id == host.id || caller.id.isOperator }
}

extension Seat {
    /// Whether the member on this seat has their role only as long as they are seated.
    func takesRole(from member: Member) -> Bool {
        occupant.map { $0.roleAfterLeaving(member) != member.role } ?? false
    }
}

extension Seat.Occupant {
    /// The role of a member who leaves the seat: the one from before, unless they got another while they were seated. That may be the
    /// role of the seat too: a member who was demoted and joined again with it has lost the one from before.
    func roleAfterLeaving(_ member: Member) -> Role {
        member.role == role.role && member.roleSince <= since ? previousRole : member.role
    }

    func leaving(_ seat: Int, _ cause: StageEvent.Departure.Cause, restoring role: Role?) -> StageEvent {
        .left(StageEvent.Departure(person: person, seat: seat, restoredRole: role ?? previousRole, cause: cause))
    }
}

extension Refusal {
    static func stageSeatUnknown(_ number: Int) -> Refusal {
        Refusal(
            .notFound, code: "stage.seat_unknown",
            LocalizedText("There is no seat \(number).", "没有 \(number) 号座位。"),
            required: "1…\(StageLimits.seats)", actual: "\(number)")
    }

    static func stageSeatEmpty(_ number: Int) -> Refusal {
        Refusal(
            .conflict, code: "stage.seat_empty",
            LocalizedText("Seat \(number) is empty.", "\(number) 号座位上没有人。"), required: "occupied", actual: "empty")
    }

    static func stageSeatTaken(_ number: Int) -> Refusal {
        Refusal(
            .conflict, code: "stage.seat_taken",
            LocalizedText("Seat \(number) is taken or closed.", "\(number) 号座位已被占用或关闭。"), required: "free")
    }

    static let stageNotSeated = Refusal(
        .conflict, code: "stage.not_seated", LocalizedText("You are not on stage.", "你不在台上。"))
}
