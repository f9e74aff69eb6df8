import AuctionDomain
import AuctionTestKit
import Testing

struct ProxyBiddingTests {
    private func scenario(_ rules: AuctionRules = FormatFixture.rules()) throws -> Scenario { try .auctioning(rules) }

    @Test func `a proxy bid opens at its amount and hides its maximum`() throws {
        var scenario = try scenario()
        #expect(bids(in: try scenario.bid(120, upTo: 500, by: scenario.bidder)) == ["Xu 120"])
        #expect(scenario.room.leaderMaximum == FormatFixture.money(500))
        #expect(scenario.room.currentPrice == FormatFixture.money(120))
    }

    @Test func `a maximum alone opens at the next minimum`() throws {
        var scenario = try scenario()
        #expect(bids(in: try scenario.bid(upTo: 500, by: scenario.bidder)) == ["Xu 100"])
        #expect(scenario.code(bid: nil, upTo: 109, by: scenario.rival) == "bid.below_minimum")
        #expect(bids(in: try scenario.bid(upTo: 115, by: scenario.rival)) == ["(Yves 115)", "Xu 125*"])
    }

    @Test func `the price is the second maximum and one increment, no more than the top maximum`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(110, upTo: 300, by: scenario.rival)) == ["Yves 210"])
        #expect(bids(in: try scenario.bid(220, upTo: 305, by: scenario.bidder)) == ["Xu 305"])
    }

    @Test func `the increment is that of the second maximum`() throws {
        var rules = FormatFixture.rules()
        rules.increment = .tiers([
            .init(from: .init(minorUnits: 0), step: .init(minorUnits: 10)),
            .init(from: .init(minorUnits: 200), step: .init(minorUnits: 50)),
        ])
        var scenario = try scenario(rules)
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(110, upTo: 900, by: scenario.rival)) == ["Yves 250"])
    }

    @Test func `the price is never below the leader's own amount`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(400, upTo: 500, by: scenario.rival)) == ["Yves 400"])
    }

    @Test func `a beaten challenger's bid is logged at their maximum and followed by the leader's automatic bid`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        let events = try scenario.bid(110, upTo: 300, by: scenario.rival)
        #expect(bids(in: events) == ["(Yves 300)", "Xu 310*"])
        #expect(scenario.standing == "Xu at 310")
        #expect(scenario.room.nextMinimum(scenario) == 320)
    }

    @Test func `a plain bid is a proxy whose maximum is its amount`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 500, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(200, by: scenario.rival)) == ["(Yves 200)", "Xu 210*"])
        #expect(bids(in: try scenario.bid(495, by: scenario.rival)) == ["(Yves 495)", "Xu 500*"])
        #expect(bids(in: try scenario.bid(510, by: scenario.rival)) == ["Yves 510"])
        #expect(scenario.room.bids.last?.maximum == nil)
    }

    @Test func `with equal maxima the earlier bidder leads at that amount`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 300, by: scenario.bidder)
        #expect(bids(in: try scenario.bid(110, upTo: 300, by: scenario.rival)) == ["(Yves 300)", "Xu 300*"])
        #expect(scenario.standing == "Xu at 300")
        #expect(scenario.room.nextMinimum(scenario) == 310)
    }

    @Test func `raising one's own maximum moves neither price nor countdown`() throws {
        var scenario = try scenario()
        let first = try scenario.bid(100, upTo: 200, by: scenario.bidder)
        guard case .bidPlaced(let leading) = first[0] else { throw ScenarioError() }
        scenario.wait(milliseconds: 5000)
        let end = scenario.room.endsAt
        let raised = MaximumRaised(bid: leading.bid, bidder: scenario.bidder, maximum: FormatFixture.money(205))
        #expect(try scenario.bid(upTo: 205, by: scenario.bidder) == [.maximumRaised(raised)])
        #expect(try scenario.bid(110, upTo: 400, by: scenario.bidder).count == 1)
        #expect(scenario.standing == "Xu at 100")
        #expect(scenario.room.endsAt == end)
        #expect(bids(in: try scenario.bid(390, by: scenario.rival)) == ["(Yves 390)", "Xu 400*"])
    }

    @Test func `the leader does not outbid themself, nor lower their maximum`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        #expect(scenario.code(bid: 150, by: scenario.bidder) == "bid.already_leading")
        #expect(scenario.code(bid: nil, upTo: 200, by: scenario.bidder) == "bid.already_leading")
        #expect(scenario.code(bid: 110, upTo: 150, by: scenario.bidder) == "bid.already_leading")
        #expect(scenario.code(bid: nil, upTo: 201, by: scenario.bidder) == nil)
    }

    @Test func `a maximum below its amount is malformed`() throws {
        var scenario = try scenario()
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200), maximum: .init(minorUnits: 150)))
        #expect(scenario.refusal(of: command, by: scenario.bidder)?.kind == .malformed(field: "maximum"))
        try scenario.bid(100, by: scenario.bidder)
        #expect(scenario.refusal(of: command, by: scenario.bidder)?.kind == .malformed(field: "maximum"))
        #expect(
            scenario.refusal(of: .placeBid(PlaceBid(amount: nil)), by: scenario.rival)?.kind == .malformed(field: "amount"))
    }

    @Test func `a rejected bid changes nothing`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: 200, by: scenario.bidder)
        scenario.wait(milliseconds: 5000)
        let before = scenario.room
        #expect(throws: Refusal.self) { try scenario.bid(105, upTo: 900, by: scenario.rival) }
        #expect(throws: Refusal.self) { try scenario.bid(300, by: scenario.bidder) }
        #expect(scenario.room == before)
    }

    @Test func `the highest amount cannot overflow`() throws {
        var scenario = try scenario()
        try scenario.bid(100, upTo: Money.maximum.minorUnits, by: scenario.bidder)
        #expect(
            bids(in: try scenario.bid(upTo: Money.maximum.minorUnits, by: scenario.rival)).last
                == "Xu \(Money.maximum.minorUnits)*")
    }
}

extension Room {
    /// The next minimum bid, in minor units.
    func nextMinimum(_ scenario: Scenario) -> Int64? { scenario.rulebook.nextMinimum(in: self)?.minorUnits }
}
