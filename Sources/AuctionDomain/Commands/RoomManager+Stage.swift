import Permissions

// Decides stage handshakes: the permission rules decide who may begin or manage one, the handshake's state machine decides the
// rest.
extension RoomManager {
    func decideStage(
        _ step: StageCommand, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        if let action = step.action {
            try check(action, by: caller, in: context)
        } else if step != .leave, caller.id == context.room.host.id, context.room.members[caller.id] == nil {
            // A room without a successor keeps the host who has left, to whom it belongs again once they join.
            throw .stageNotYours(.host)
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
