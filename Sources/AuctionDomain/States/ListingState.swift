import Permissions
import StateMachines

extension RoomState {
    /// 上拍: the item is shown for a few seconds before bids are taken.
    package static let listing = RoomState(rawValue: "listing")
}

struct ListingState: RoomStateObject {
    let name = RoomState.listing

    let description = LocalizedText(
        "Listing: the item is being shown; bidding opens when the countdown ends.",
        "上拍中:正在展示物品,倒计时结束后开始竞拍。")

    let allowedActions: [RoomAction] = [.startAuction, .cancel]

    let transitions = [
        Transition(from: RoomState.listing, to: .auctioning, on: TransitionCause.countdown, by: "the clock"),
        Transition(from: RoomState.listing, to: .auctioning, on: TransitionCause.start, by: "host"),
        Transition(from: RoomState.listing, to: .preparing, on: TransitionCause.cancel, by: "host"),
    ]

    func entered(_ context: inout DecisionContext) -> [EventBody] {
        let listing = context.room.rules?.listing ?? AuctionRules.defaultListing
        let shown = context.rulebook.format(of: context.room)?.listed(in: &context) ?? []
        // Without a listing countdown, bidding opens at once.
        guard listing.count > 0 else { return shown + openBidding(.countdown, by: nil, in: &context) }
        return shown + [.countdownStarted(endsAt: context.instant + listing, nextDropAt: nil)]
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        switch step {
        case .start: return openBidding(.start, by: person, reason: requested.reason, in: &context)
        case .cancel: return cancelRound(requested, by: person, in: &context)
        default: throw .unavailable(step.action, in: name)
        }
    }

    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        openBidding(.countdown, by: nil, in: &context)
    }

    private func openBidding(
        _ cause: TransitionCause, by person: Person?, reason: String? = nil, in context: inout DecisionContext
    ) -> [EventBody] {
        let opened = transition(
            from: name, to: .auctioning, cause: cause, by: person, reason: reason,
            message: SystemMessage(
                key: "state.auctioning", text: LocalizedText("Bidding is open.", "竞拍开始,请出价。")),
            in: &context)
        guard context.room.absentees != nil else { return opened }
        // An absentee bid may have bought the lot.
        return opened
            + deciding(after: opened, in: &context) { later in
                guard let sale = later.rulebook.format(of: later.room)?.openingSale(in: later.room) else { return [] }
                return closeRound(.bid, by: nil, outcome: sale, in: &later)
            }
    }
}
