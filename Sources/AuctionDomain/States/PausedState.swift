import Permissions
import StateMachines

extension RoomState {
    /// 暂停: the countdown is stopped; the remaining time is kept.
    package static let paused = RoomState(rawValue: "paused")
}

struct PausedState: RoomStateObject {
    let name = RoomState.paused

    let description = LocalizedText(
        "Paused: nothing runs; the host may resume, and the remaining time runs on.",
        "已暂停:倒计时停止,房主恢复后继续计时。")

    let allowedActions: [RoomAction] = [.resume, .cancel, .retractBid, .changeAsk]

    /// The least time until the next deadline after a pause, so that bidders can react.
    private static let leastRemaining = Seconds(5)

    let incomingTransitions = [
        IncomingTransition(from: [.listing, .auctioning], action: .pause, cause: .pause, by: "host"),
        IncomingTransition(from: [.listing, .auctioning], action: nil, cause: .hostGone, by: "the clock"),
    ]

    let transitions = [
        Transition(from: RoomState.paused, to: .listing, on: TransitionCause.resume, by: "host", when: "paused there"),
        Transition(from: RoomState.paused, to: .auctioning, on: TransitionCause.resume, by: "host", when: "paused there"),
        Transition(from: RoomState.paused, to: .preparing, on: TransitionCause.cancel, by: "host"),
        Transition(from: RoomState.paused, to: .closed, on: TransitionCause.hostGone, by: "the clock"),
    ]

    func enter(
        by incomingTransition: IncomingTransition, _ person: Person?, _ requested: AuctionTransition,
        in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let text =
            incomingTransition.cause == .hostGone
            ? LocalizedText("The host is gone; the auction is paused.", "房主已离开,拍卖暂停。")
            : LocalizedText("The auction is paused.", "拍卖已暂停。")
        return transition(
            to: name, cause: incomingTransition.cause, by: person, reason: requested.reason,
            message: SystemMessage(key: "state.paused", text: text), in: &context)
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        switch step {
        case .resume: return try resume(requested, by: person, in: context)
        case .cancel: return cancelRound(requested, by: person, in: &context)
        case .ask(let change): return try changeAsk(change, by: person, in: context)
        default: throw .unavailable(step.action, in: name)
        }
    }

    /// Closes the round with its present outcome once the room has been without a host for ten minutes.
    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        guard let due = context.room.closesWithoutHostAt, due <= context.instant else { return [] }
        return closeRound(.hostGone, by: nil, in: &context)
    }

    /// Restarts the wait for the host, who could not return during the outage.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        guard let due = context.room.closesWithoutHostAt, due < ready + Pause.limitWithoutHost else { return [] }
        return [.hostGone(context.room.host)]
    }

    private func resume(
        _ requested: AuctionTransition, by person: Person, in context: DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard let pause = context.room.pause else { throw .unavailable(.resume, in: name) }
        let message = SystemMessage(key: "auction.resumed", text: LocalizedText("The auction goes on.", "拍卖继续。"))
        // Not by `transition`, which would run `entered` of the resumed state again.
        let change = StateChange(
            from: name, to: pause.from, cause: .resume, by: person, reason: requested.reason, lot: context.room.item?.lot)
        guard let remaining = pause.remaining else { return [.stateChanged(change), .systemMessage(message)] }
        let bidding = context.room.rules?.bidding ?? AuctionRules.defaultBidding
        let least = Int64(min(bidding, Self.leastRemaining).count) * 1000
        // Drop and deadline of a Dutch price move by the same amount, so the steps keep their length.
        let added = max(0, least - (pause.untilDrop ?? remaining))
        let end = context.instant.advanced(byMilliseconds: remaining + added)
        let drop = pause.untilDrop.map { context.instant.advanced(byMilliseconds: $0 + added) }
        let moved = CountdownMoved(
            from: pause.at.advanced(byMilliseconds: remaining), to: end, nextDropAt: drop, cause: .resume)
        return [.stateChanged(change), .systemMessage(message), .countdownMoved(moved)]
    }
}
