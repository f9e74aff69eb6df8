import Permissions
import StateMachines

extension RoomState {
    /// 拍卖中: bids are taken while the countdown runs.
    package static let auctioning = RoomState(rawValue: "auctioning")
}

struct AuctioningState: RoomStateObject {
    let name = RoomState.auctioning

    let description = LocalizedText(
        "Auction running: bids are taken until the countdown ends.",
        "拍卖中:倒计时结束前均可出价。")

    let allowedActions: [RoomAction] = [
        .placeBid, .retractBid, .endAuction, .cancel, .extend, .warn, .changeAsk, .placeFloorBid,
    ]

    let transitions = [
        Transition(from: RoomState.auctioning, to: .closed, on: TransitionCause.end, by: "host"),
        Transition(from: RoomState.auctioning, to: .closed, on: TransitionCause.countdown, by: "the clock"),
        Transition(from: RoomState.auctioning, to: .closed, on: TransitionCause.bid, by: "the bidder"),
        Transition(from: RoomState.auctioning, to: .preparing, on: TransitionCause.cancel, by: "host"),
    ]

    func entered(_ context: inout DecisionContext) -> [EventBody] {
        context.rulebook.format(of: context.room)?.opened(in: &context) ?? []
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        switch step {
        case .end: return closeRound(.end, by: person, reason: requested.reason, in: &context)
        case .cancel: return cancelRound(requested, by: person, in: &context)
        case .extend(let seconds): return try extendRound(by: seconds, in: context.room)
        case .warn(let level): return level == context.room.warning ? [] : [.warningGiven(.init(level: level, by: person))]
        case .ask(let change): return try changeAsk(change, by: person, in: context)
        default: throw .unavailable(step.action, in: name)
        }
    }

    private func extendRound(by seconds: Seconds, in room: Room) throws(Refusal) -> [EventBody] {
        guard let endsAt = room.endsAt else { throw .unavailable(.extend, in: name) }
        if let latest = room.latestDeadline, let longest = room.rules?.maxDuration, latest < endsAt + seconds {
            let left = max(0, latest.milliseconds(since: endsAt) / 1000)
            throw Refusal(
                .conflict, code: "extend.too_long",
                LocalizedText(
                    "The round lasts at most \(longest.count) seconds; only \(left) seconds are left to add.",
                    "本轮最长 \(longest.count) 秒,只能再延长 \(left) 秒。"),
                required: String(left), actual: String(seconds.count))
        }
        return [.countdownMoved(CountdownMoved(from: endsAt, to: endsAt + seconds, cause: .host))]
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard let format = context.rulebook.format(of: context.room) else { throw .unavailable(.placeBid, in: name) }
        var decision = try format.placeBid(bid, from: minimum, by: person, in: &context)
        if let outcome = decision.outcome {
            decision.events += closeRound(.bid, by: person, outcome: outcome, in: &context)
        }
        return decision
    }

    func placeFloorBid(
        _ bid: PlaceBid, paddle: String?, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard let format = context.rulebook.format(of: context.room) else { throw .unavailable(.placeFloorBid, in: name) }
        var decision = try format.placeBid(bid, from: minimum, by: .floor, in: &context).entered(by: person, paddle: paddle)
        if let outcome = decision.outcome {
            decision.events += closeRound(.bid, by: person, outcome: outcome, in: &context)
        }
        return decision
    }

    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        if let drop = context.room.nextDropAt, drop <= context.instant {
            return context.rulebook.format(of: context.room)?.priceDropDue(in: &context) ?? []
        }
        return closeRound(.countdown, by: nil, in: &context)
    }

    /// Leaves the extension of deadlines to the format, so that no bidder loses an item because of an outage.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        context.rulebook.format(of: context.room)?.serviceReturned(ready: ready, cause: cause, in: &context) ?? []
    }
}
