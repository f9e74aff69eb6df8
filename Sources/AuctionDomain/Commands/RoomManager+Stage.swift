import Permissions

// Decides stage handshakes: the permission rules decide who may begin or manage one, the handshake's state machine decides the
// rest.
extension RoomManager {
    func decideStage(
        _ step: StageCommand, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch step {
        case .request: try check(.requestStage, by: caller, in: context)
        case .invite, .closeSeat, .muteSeat, .clearSeat: try check(.manageStage, by: caller, in: context)
        case .accept, .confirm, .decline, .cancel, .fail, .leave: break
        }
        let room = context.room
        let events = try room.stage.decide(
            step, by: caller,
            in: StageContext(
                host: room.host, members: room.members, instant: context.instant, id: context.identifiers.next()))
        return Decision(events: events.map(EventBody.stage), outcome: outcome(of: step, events, by: caller, in: room))
    }

    private func outcome(_ events: [StageEvent], _ guest: UserID, _ room: Room) -> CommandOutcome {
        for case .requested(let id, let person, _) in events where person.id == guest { return .handshake(id) }
        for case .invited(let id, let person, _, _) in events where person.id == guest { return .handshake(id) }
        // A repeated request: the existing handshake.
        return room.stage.handshake(of: guest).map { .handshake($0.id) } ?? .stageChanged
    }

    private func outcome(of step: StageCommand, _ events: [StageEvent], by caller: Person, in room: Room) -> CommandOutcome {
        switch step {
        case .request: outcome(events, caller.id, room)
        case .invite(let guest, _): outcome(events, guest, room)
        case .accept(let id), .confirm(let id), .decline(let id), .cancel(let id), .fail(let id): .handshake(id)
        case .leave, .closeSeat, .muteSeat, .clearSeat: .stageChanged
        }
    }
}
