import AuctionDomain
import AuctionTestKit
import Permissions
import StateMachines
import Testing

/// Adds a state and a format that the product does not define, without any change to the product.
struct ExtensionTests {
    private func rulebook() throws -> RoomRulebook {
        RoomRulebook(
            states: try RoomStates(RoomStates.product + [AppraisalState()]),
            formats: AuctionFormats(AuctionFormats.product + [PostedPriceFormat()]),
            permissions: try RoomRulebook.product().permissions)
    }

    @Test func `a new state is inserted between two existing states without changing them`() throws {
        var scenario = try Scenario.withItem(rulebook: try rulebook())
        let events = try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.state == .appraisal)
        #expect(scenario.room.endsAt == scenario.instant + Seconds(20))
        guard case .stateChanged(let change)? = events.first else {
            Issue.record("the first event must be the change")
            return
        }
        #expect(change.from == .preparing)
        scenario.wait(milliseconds: 20_000)
        #expect(scenario.room.state == .listing)
        scenario.wait(milliseconds: 3000)
        #expect(scenario.room.state == .auctioning)
    }

    @Test func `the permission rules, the table and the diagram include the new state`() throws {
        let rulebook = try rulebook()
        var scenario = try Scenario.withItem(rulebook: rulebook)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(
            scenario.refusal(of: .uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)?.actual == "appraisal")
        #expect(rulebook.states.table.findings.isEmpty)
        #expect(rulebook.states.table.mermaid.contains("preparing --> appraisal"))
        try scenario.perform(.cancel(AuctionTransition(reason: "a fake")), by: scenario.host)
        #expect(scenario.room.state == .preparing)
    }

    @Test func `a new format decides the winner in the existing states`() throws {
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 5000), increment: .fixed(Money(minorUnits: 100)), format: .postedPrice)
        var scenario = try Scenario.withItem(rules, rulebook: try rulebook())
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 23_000)
        #expect(
            scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 4999))), by: scenario.bidder)?.code
                == "bid.below_minimum")
        try scenario.bid(9000, by: scenario.bidder)
        #expect(scenario.room.state == .closed)
        #expect(scenario.room.results.last?.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 5000)))
    }

    @Test func `rules that do not fit the new format are refused when the item is uploaded`() throws {
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 5000), increment: .fixed(Money(minorUnits: 100)),
            reservePrice: Money(minorUnits: 6000), format: .postedPrice)
        let scenario = try Scenario.withMembers(rulebook: try rulebook())
        let refusal = scenario.refusal(of: .uploadItem(Scenario.item(rules)), by: scenario.auctioneer)
        #expect(refusal?.kind == .malformed(field: "rules.reservePrice"))
    }
}

extension RoomState {
    fileprivate static let appraisal = RoomState(rawValue: "appraisal")
}

/// 估价: an expert appraises the item before it is listed.
private struct AppraisalState: RoomStateObject {
    let name = RoomState.appraisal
    let description = LocalizedText("Appraisal: an expert has the floor.", "估价中:请听专家介绍。")
    let allowedActions: [RoomAction] = [.cancel]
    let incomingTransitions = [IncomingTransition(from: [.preparing], action: .startAuction, cause: .start, by: "host")]
    let transitions = [
        Transition(from: RoomState.appraisal, to: .listing, on: TransitionCause.countdown, by: "the clock"),
        Transition(from: RoomState.appraisal, to: .preparing, on: TransitionCause.cancel, by: "host"),
    ]

    func entered(_ context: inout DecisionContext) -> [EventBody] {
        [.countdownStarted(endsAt: context.instant + Seconds(20), nextDropAt: nil)]
    }

    func enter(
        by incomingTransition: IncomingTransition, _ person: Person?, _ requested: AuctionTransition,
        in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let message = SystemMessage(key: "state.appraisal", text: LocalizedText("The expert speaks.", "专家讲解。"))
        return transition(to: name, cause: incomingTransition.cause, by: person, message: message, in: &context)
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard step == .cancel else { throw .unavailable(step.action, in: name) }
        return cancelRound(requested, by: person, in: &context)
    }

    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        let message = SystemMessage(key: "state.listing", text: LocalizedText("Up next.", "即将开拍。"))
        return transition(to: .listing, cause: .countdown, by: nil, message: message, in: &context)
    }
}

extension AuctionFormatName {
    fileprivate static let postedPrice = AuctionFormatName(rawValue: "postedPrice")
}

/// A fixed price: the first bidder at or above it buys at the starting price.
private struct PostedPriceFormat: AuctionFormat {
    let name = AuctionFormatName.postedPrice

    func problem(with rules: AuctionRules) -> RulesProblem? {
        guard rules.reservePrice != nil else { return nil }
        return RulesProblem(field: "reservePrice", LocalizedText("A posted price has no reserve.", "一口价没有保留价。"))
    }

    func nextMinimum(in room: Room, for user: UserID?) -> Money? { room.rules?.startingPrice }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard let price = context.room.rules?.startingPrice else { throw .unavailable(.placeBid, in: context.room.state) }
        let placed = BidPlaced(
            bid: context.identifiers.next(), amount: price, bidder: person, leading: true, nextMinimum: nil,
            endsAt: context.room.endsAt)
        return BidDecision(placing: placed, nextMinimum: minimum, outcome: .sold(to: person, price: price), in: context)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome { .passed(.noBids) }
}
