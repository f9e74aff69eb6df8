import Permissions
import StateMachines

extension RoomState {
    /// 定拍: the round is over and its result stands.
    package static let closed = RoomState(rawValue: "closed")
}

struct ClosedState: RoomStateObject {
    let name = RoomState.closed

    let description = LocalizedText(
        "Closed: the round is over; the host may begin the next one.",
        "已定拍:本轮结束,房主可以开启下一轮。")

    let isRound = false

    let allowedActions: [RoomAction] = [.startAuction, .archiveRoom]

    let transitions = [Transition(from: RoomState.closed, to: .preparing, on: TransitionCause.start, by: "host")]

    func advance(
        _ action: RoomAction, _ advance: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard action == .startAuction else { throw .unavailable(action, in: name) }
        let round = context.room.round + 1
        return transition(
            to: .preparing, cause: .start, by: person, beginsRound: true,
            message: SystemMessage(
                key: "round.next", text: LocalizedText("Round \(round) is being prepared.", "第 \(round) 轮准备中。")),
            in: &context)
    }
}
