import Permissions
import StateMachines

extension RoomState {
    /// 上拍: the item is shown for a few seconds before bids are taken.
    public static let listing = RoomState(rawValue: "listing")
}

struct ListingState: RoomStateObject {
    let name = RoomState.listing

    let description = LocalizedText(
        "Listing: the item is being shown; bidding opens when the countdown ends.",
        "上拍中:正在展示物品,倒计时结束后开始竞拍。")

    let allowedActions: [RoomAction] = [.startAuction]

    let transitions = [
        Transition(from: RoomState.listing, to: .auctioning, on: TransitionCause.countdown, by: "the clock"),
        Transition(from: RoomState.listing, to: .auctioning, on: TransitionCause.start, by: "host"),
    ]

    func entered(_ context: inout DecisionContext) -> [EventBody] {
        let listing = context.room.rules?.listing ?? AuctionRules.defaultListing
        // Nothing to wait for: whoever is told of the start can bid at once.
        guard listing.count > 0 else { return openBidding(.countdown, by: nil, in: &context) }
        return [.countdownStarted(endsAt: context.instant + listing)]
    }

    func startAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        openBidding(.start, by: person, in: &context)
    }

    func countdownEnded(in context: inout DecisionContext) -> [EventBody] {
        openBidding(.countdown, by: nil, in: &context)
    }

    private func openBidding(
        _ cause: TransitionCause, by person: Person?, in context: inout DecisionContext
    ) -> [EventBody] {
        transition(
            to: .auctioning, cause: cause, by: person,
            message: SystemMessage(
                key: "state.auctioning", text: LocalizedText("Bidding is open.", "竞拍开始,请出价。")),
            in: &context)
    }
}
