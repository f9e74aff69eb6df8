/// A command about the stage, by the host or a guest.
package enum StageCommand: Hashable, Sendable {
    /// A guest asks for a seat.
    case request(StageRole)
    /// The host asks a member to take a seat.
    case invite(UserID, StageRole)
    /// The host seats a member who has asked for a seat with this role: the guest need not confirm.
    case seatMember(UserID, StageRole)
    /// The host accepts a request, or the guest an invitation.
    case accept(StageID)
    /// The last step, by the guest if the host accepted a request, by the host if the guest accepted an invitation. Seats the guest.
    case confirm(StageID)
    /// Refuses a request or an invitation.
    case decline(StageID)
    /// Withdraws from a handshake.
    case cancel(StageID)
    /// Reports that the client cannot continue, for instance because it has no microphone or received an invalid response.
    case fail(StageID)
    /// The caller leaves their seat.
    case leave
    /// Evicts the occupant and closes the seat until the host clears it.
    case closeSeat(Int)
    case muteSeat(Int, muted: Bool = true)
    /// Evicts the occupant, reopens a closed seat and unmutes it.
    case clearSeat(Int)
    /// The occupant of a seat, or the host, moves the occupant to another seat.
    case moveSeat(Int, to: Int)

    /// The action whose permission rules decide who may send it; nil: the stage itself decides.
    var action: RoomAction? {
        switch self {
        case .request: .requestStage
        case .invite, .seatMember, .closeSeat, .muteSeat, .clearSeat: .manageStage
        case .accept, .confirm, .decline, .cancel, .fail, .leave, .moveSeat: nil
        }
    }

    /// Whether it ends a handshake, or takes a guest or their sound off the stage until another step.
    package var endsSomething: Bool {
        switch self {
        case .decline, .cancel, .fail, .leave, .closeSeat: true
        case .muteSeat(_, let isMuted): isMuted
        case .request, .invite, .seatMember, .accept, .confirm, .clearSeat, .moveSeat: false
        }
    }

    /// The handshake that the command names; nil if it begins one or changes seats.
    var handshake: StageID? {
        switch self {
        case .accept(let id), .confirm(let id), .decline(let id), .cancel(let id), .fail(let id): id
        case .request, .invite, .seatMember, .leave, .closeSeat, .muteSeat, .clearSeat, .moveSeat: nil
        }
    }
}

extension Stage {
    /// The effects of a command; without events if the command repeats an earlier step, so clients may retry.
    ///
    /// The events begin with the timeouts of handshakes that are due at the context's instant.
    /// - Throws: the refusal of the command; the timeouts are then not returned either.
    package func decide(
        _ command: StageCommand, by caller: Person, in context: StageContext
    ) throws(Refusal) -> StageDecision {
        var draft = StageDraft(self, at: context.instant)
        draft.record(timedOut(at: context.instant))
        var begun: StageID?
        switch command {
        case .request(let role): begun = try draft.request(role, by: caller, in: context)
        case .invite(let guest, let role): begun = try draft.invite(guest, role, by: caller, in: context)
        case .seatMember(let guest, let role): try draft.seatMember(guest, role, by: caller, in: context)
        case .accept(let id): try draft.accept(id, by: caller, in: context)
        case .confirm(let id): try draft.confirm(id, by: caller, in: context)
        case .decline(let id): try draft.end(id, .decline, by: caller, in: context)
        case .cancel(let id): try draft.end(id, .cancel, by: caller, in: context)
        case .fail(let id): try draft.end(id, .fail, by: caller, in: context)
        case .leave: try draft.leave(by: caller, in: context)
        case .closeSeat(let number): try draft.close(number, by: caller, in: context)
        case .muteSeat(let number, let muted): try draft.mute(number, muted, by: caller, in: context)
        case .clearSeat(let number): try draft.clear(number, by: caller, in: context)
        case .moveSeat(let number, let target): try draft.move(number, to: target, by: caller, in: context)
        }
        return StageDecision(events: draft.events, handshake: begun ?? command.handshake)
    }
}

/// The effects of a stage command.
package struct StageDecision: Sendable {
    /// What the command makes happen, in order; empty if it repeats an earlier step.
    package let events: [StageEvent]
    /// The handshake that the command began, repeated or named; nil if it changed seats.
    package let handshake: StageID?
}

/// The input of a decision about the stage, besides the command and the stage.
package struct StageContext: Sendable {
    /// The room's host.
    package let host: Person
    /// All members of the room, with their present roles.
    package let members: Members
    /// When the command was accepted; handshakes that are due by then time out first.
    package let instant: Timestamp
    /// Identifier for the handshake that the command may begin; fresh for every command.
    package let id: StageID

    package init(host: Person, members: Members, instant: Timestamp, id: StageID) {
        self.host = host
        self.members = members
        self.instant = instant
        self.id = id
    }
}
