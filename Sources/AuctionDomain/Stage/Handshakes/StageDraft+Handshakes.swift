internal import StateMachines

// The steps of a handshake.
extension StageDraft {
    mutating func request(
        _ role: StageRole, by caller: Person, in context: StageContext
    ) throws(Refusal) -> StageID {
        guard caller.id != context.host.id else { throw .stageHost }
        try requireGuest(caller.id, in: context)
        if let own = stage.handshake(of: caller.id) {
            if own.state == .requested && own.role == role { return own.id }
            record(startingAnew(own, by: caller))
        }
        _ = try edge(.request, from: .idle, [.guest])
        guard stage.queue.count < StageLimits.queuedRequests else { throw .stageQueueFull }
        record(.requested(context.id, guest: caller, role: role))
        return context.id
    }

    mutating func invite(
        _ guest: UserID, _ role: StageRole, by caller: Person, in context: StageContext
    ) throws(Refusal) -> StageID {
        // The caller is checked before the guest, so that only the host learns who is a member.
        guard caller.id == context.host.id else { throw .stageNotYours(.host) }
        guard guest != context.host.id else { throw .stageHost }
        let member = try requireGuest(guest, in: context)
        if let own = stage.handshake(of: guest) {
            if own.state == .invited && own.role == role && own.host?.id == caller.id { return own.id }
            record(startingAnew(own, by: caller))
        }
        if let busy = stage.hostsHandshake { record(startingAnew(busy, by: caller)) }
        _ = try edge(.invite, from: .idle, [.host])
        record(.invited(context.id, guest: member.person, role: role, by: caller))
        return context.id
    }

    mutating func accept(_ id: StageID, by caller: Person, in context: StageContext) throws(Refusal) {
        guard let handshake = stage.handshake(id) else { return try requireSeated(id, by: caller, in: context) }
        let sides = handshake.sides(of: caller, host: context.host)
        // The side that accepted may send the step again.
        if handshake.state == .accepted && sides.contains(.host) { return }
        if handshake.state == .agreed && sides.contains(.guest) { return }
        let isOfHost = handshake.state == .requested
        _ = try edge(.accept, from: handshake.state, sides)
        if isOfHost, let busy = stage.hostsHandshake { record(startingAnew(busy, by: caller)) }
        record(.accepted(id, guest: handshake.guest, role: handshake.role, by: caller))
    }

    mutating func confirm(_ id: StageID, by caller: Person, in context: StageContext) throws(Refusal) {
        guard let handshake = stage.handshake(id) else { return try requireSeated(id, by: caller, in: context) }
        _ = try edge(.confirm, from: handshake.state, handshake.sides(of: caller, host: context.host))
        try seat(handshake, as: context.members[handshake.guest.id]?.role ?? .viewer, by: caller)
    }

    /// A guest who has asked is taken to agree still, to a seat with that role.
    mutating func seatMember(
        _ guest: UserID, _ role: StageRole, by caller: Person, in context: StageContext
    ) throws(Refusal) {
        // The caller is checked before the guest, so that only the host and operators learn who is a member.
        guard context.isHost(caller) else { throw .stageNotYours(.host) }
        guard guest != context.host.id else { throw .stageHost }
        let member = try requireGuest(guest, in: context)
        guard let own = stage.handshake(of: guest), own.origin == .request, own.role == role else { throw .stageNoRequest }
        _ = try edge(.seat, from: own.state, [.host])
        try seat(own, as: member.role, by: caller)
    }

    private mutating func seat(_ handshake: Handshake, as previousRole: Role, by caller: Person) throws(Refusal) {
        guard let seat = stage.freeSeat else { throw .stageNoSeat }
        record(
            .seated(
                StageEvent.Seating(
                    id: handshake.id, guest: handshake.guest, role: handshake.role, seat: seat.number,
                    previousRole: previousRole, by: caller)))
    }

    enum Ending {
        case decline
        case cancel
        case fail

        var event: HandshakeDefinition.Event { self == .decline ? .decline : .cancel }

        var outcome: EndedHandshake.Outcome {
            switch self {
            case .decline: .declined
            case .cancel: .cancelled
            case .fail: .failed
            }
        }
    }

    mutating func end(
        _ id: StageID, _ ending: Ending, by caller: Person, in context: StageContext
    ) throws(Refusal) {
        guard let handshake = stage.handshake(id) else {
            guard stage.ended.contains(where: { $0.handshake.id == id && $0.outcome == ending.outcome && $0.by == caller.id })
            else { throw .stageNotFound }
            return
        }
        _ = try edge(ending.event, from: handshake.state, handshake.sides(of: caller, host: context.host))
        switch ending {
        case .decline: record(.declined(id, guest: handshake.guest, by: caller))
        case .cancel: record(.cancelled(id, guest: handshake.guest, by: caller))
        case .fail: record(.ended(id, guest: handshake.guest, reason: .error, by: caller))
        }
    }

    /// The edge that the machine would take; throws its refusal, translated to a refusal of the stage.
    private func edge(
        _ event: HandshakeDefinition.Event, from state: HandshakeState, _ sides: Set<HandshakeSide>
    ) throws(Refusal) -> Edge<HandshakeDefinition> {
        let given = HandshakeDefinition.Context(sides: sides, hasFreeSeat: stage.freeSeat != nil)
        do {
            return try HandshakeState.machine.edge(on: event, from: state, given: given)
        } catch {
            throw Refusal(error)
        }
    }

    private func startingAnew(_ handshake: Handshake, by caller: Person) -> StageEvent {
        .ended(handshake.id, guest: handshake.guest, reason: .startedAnew, by: caller)
    }

    @discardableResult
    private func requireGuest(_ user: UserID, in context: StageContext) throws(Refusal) -> Member {
        guard let member = context.members[user] else { throw .stageNotMember }
        guard !member.isBanned else { throw .stageGuestBanned }
        guard stage.seat(of: user) == nil else { throw .stageAlreadySeated }
        return member
    }

    /// Accepts a repeated step of a handshake that led to a seat; throws if there is no such handshake or the caller had no part.
    private func requireSeated(_ id: StageID, by caller: Person, in context: StageContext) throws(Refusal) {
        guard let last = stage.ended.first(where: { $0.handshake.id == id && $0.outcome == .seated }) else {
            throw .stageNotFound
        }
        guard !last.handshake.sides(of: caller, host: context.host).isEmpty else { throw .stageNotYours(nil) }
    }
}
