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
        case .accept, .confirm, .decline, .cancel, .fail, .moveSeat:
            // A room without a successor keeps the host who has left, to whom it belongs again once they join.
            guard caller.id != context.room.host.id || context.room.members[caller.id] != nil else {
                throw .stageNotYours(.host)
            }
        case .leave: break
        }
        let room = context.room
        let decision = try room.stage.decide(
            step, by: caller,
            in: StageContext(
                host: room.host, members: room.members, instant: context.instant, id: context.identifiers.next()))
        return Decision(
            events: decision.events.map(EventBody.stage),
            outcome: decision.handshake.map(CommandOutcome.handshake) ?? .stageChanged)
    }
}
