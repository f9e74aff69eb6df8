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

    let transitions = [
        Transition(from: RoomState.closed, to: .preparing, on: TransitionCause.start, by: "host"),
        Transition(from: RoomState.closed, to: .preparing, on: TransitionCause.sale, by: "the clock"),
    ]

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard step == .start else { throw .unavailable(step.action, in: name) }
        let next = nextRound(.start, by: person, reason: requested.reason, in: &context)
        // In the pause of a running sale the host may go on at once.
        guard context.room.sale.isRunning else { return next }
        guard context.room.lots.queuedCount > 0 else { return next + [.sale(.finished)] }
        return next + deciding(after: next, in: &context) { list(by: person, cause: .sale, in: &$0) }
    }

    /// The pause between two lots is over. In an attended sale no lot begins without a host, who would have to pause or cancel the round.
    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        let room = context.room
        if room.sale.isAttended, room.hostGoneSince != nil { return [.sale(.stopped(.hostGone, by: nil))] }
        return nextLot(by: nil, in: &context)
    }

    /// Gives bidders time to return before the next lot.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        context.room.countdownMoved(after: ready, by: context.room.sale.pause, cause)
    }
}
