import Permissions
import StateMachines

extension RoomState {
    /// 拍卖中: bids are taken while the countdown runs.
    public static let auctioning = RoomState(rawValue: "auctioning")
}

struct AuctioningState: RoomStateObject {
    let name = RoomState.auctioning

    let description = LocalizedText(
        "Auction running: bids are taken until the countdown ends.",
        "拍卖中:倒计时结束前均可出价。")

    let allowedActions: [RoomAction] = [.placeBid, .endAuction]

    let transitions = [
        Transition(from: RoomState.auctioning, to: .closed, on: TransitionCause.end, by: "host"),
        Transition(from: RoomState.auctioning, to: .closed, on: TransitionCause.countdown, by: "the clock"),
    ]

    func entered(_ context: inout DecisionContext) -> [EventBody] {
        let bidding = context.room.rules?.bidding ?? AuctionRules.defaultBidding
        return [.countdownStarted(endsAt: context.instant + bidding)]
    }

    func placeBid(
        _ bid: PlaceBid, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard let format = context.rulebook.format(of: context.room) else { throw .unavailable(.placeBid, in: name) }
        return try format.placeBid(bid, by: person, in: &context)
    }

    func endAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        close(.end, by: person, in: &context)
    }

    func countdownEnded(in context: inout DecisionContext) -> [EventBody] {
        close(.countdown, by: nil, in: &context)
    }

    /// Nobody loses a lot because the server was away: at least min(bidding countdown, 60 s) are left once it is back.
    func serviceReturned(ready: Timestamp, in context: inout DecisionContext) -> [EventBody] {
        guard let endsAt = context.room.endsAt, let bidding = context.room.rules?.bidding else { return [] }
        let earliest = ready + min(bidding, Seconds(60))
        guard endsAt < earliest else { return [] }
        let moved = (earliest.milliseconds(since: endsAt) + 999) / 1000
        return [.countdownMoved(endsAt: earliest, extendedBySeconds: Int(moved), cause: .outage)]
    }

    private func close(
        _ cause: TransitionCause, by person: Person?, in context: inout DecisionContext
    ) -> [EventBody] {
        let outcome = context.rulebook.format(of: context.room)?.outcome(in: context) ?? .passed(.noBids)
        return transition(
            to: .closed, cause: cause, by: person,
            message: SystemMessage(
                key: "state.closed", text: LocalizedText("The hammer has fallen.", "落槌,本轮拍卖结束。")),
            in: &context) + announce(outcome, in: context.room)
    }

    private func announce(_ outcome: RoundResult.Outcome, in room: Room) -> [EventBody] {
        let item = room.item?.name ?? ""
        switch outcome {
        case .sold(let winner, let price):
            let amount = "\(room.currency.text(price)) \(room.currency.code)"
            let text = LocalizedText(
                "Sold: \(item) goes to \(winner.nickname) for \(amount).",
                "成交:\(winner.nickname) 以 \(amount) 拍得“\(item)”。")
            return [.itemSold(winner: winner, price: price), .systemMessage(SystemMessage(key: "item.sold", text: text))]
        case .passed(let reason):
            let text = LocalizedText("Passed: nobody bid on \(item).", "流拍:“\(item)”无人出价。")
            return [.itemPassed(reason), .systemMessage(SystemMessage(key: "item.passed", text: text))]
        }
    }
}
