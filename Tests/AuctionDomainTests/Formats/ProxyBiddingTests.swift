import AuctionDomain
import AuctionTestKit
import Testing

struct ProxyBiddingTests {
    private func scene(_ rules: AuctionRules = FormatFixture.rules()) throws -> Scenario { try .auctioning(rules) }

    @Test func `a proxy bid opens at its amount and hides its maximum`() throws {
        var scene = try scene()
        #expect(bids(in: try scene.bid(120, upTo: 500, by: scene.bidder)) == ["Xu 120"])
        #expect(scene.room.leaderMaximum == FormatFixture.money(500))
        #expect(scene.room.currentPrice == FormatFixture.money(120))
    }

    @Test func `a maximum alone opens at the next minimum`() throws {
        var scene = try scene()
        #expect(bids(in: try scene.bid(upTo: 500, by: scene.bidder)) == ["Xu 100"])
        #expect(scene.code(bid: nil, upTo: 109, by: scene.rival) == "bid.below_minimum")
        #expect(bids(in: try scene.bid(upTo: 115, by: scene.rival)) == ["(Yves 115)", "Xu 125*"])
    }

    @Test func `the price is the second maximum and one increment, no more than the top maximum`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        #expect(bids(in: try scene.bid(110, upTo: 300, by: scene.rival)) == ["Yves 210"])
        #expect(bids(in: try scene.bid(220, upTo: 305, by: scene.bidder)) == ["Xu 305"])
    }

    @Test func `the increment is that of the second maximum`() throws {
        var rules = FormatFixture.rules()
        rules.increment = .tiers([
            .init(from: .init(minorUnits: 0), step: .init(minorUnits: 10)),
            .init(from: .init(minorUnits: 200), step: .init(minorUnits: 50)),
        ])
        var scene = try scene(rules)
        try scene.bid(100, upTo: 200, by: scene.bidder)
        #expect(bids(in: try scene.bid(110, upTo: 900, by: scene.rival)) == ["Yves 250"])
    }

    @Test func `the price is never below the leader's own amount`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        #expect(bids(in: try scene.bid(400, upTo: 500, by: scene.rival)) == ["Yves 400"])
    }

    @Test func `a beaten challenger's bid is logged at their maximum and followed by the leader's automatic bid`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        let events = try scene.bid(110, upTo: 300, by: scene.rival)
        #expect(bids(in: events) == ["(Yves 300)", "Xu 310*"])
        #expect(scene.standing == "Xu at 310")
        #expect(scene.room.nextMinimum(scene) == 320)
    }

    @Test func `a plain bid is a proxy whose maximum is its amount`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 500, by: scene.bidder)
        #expect(bids(in: try scene.bid(200, by: scene.rival)) == ["(Yves 200)", "Xu 210*"])
        #expect(bids(in: try scene.bid(495, by: scene.rival)) == ["(Yves 495)", "Xu 500*"])
        #expect(bids(in: try scene.bid(510, by: scene.rival)) == ["Yves 510"])
        #expect(scene.room.bids.last?.maximum == nil)
    }

    @Test func `with equal maxima the earlier bidder leads at that amount`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 300, by: scene.bidder)
        #expect(bids(in: try scene.bid(110, upTo: 300, by: scene.rival)) == ["(Yves 300)", "Xu 300*"])
        #expect(scene.standing == "Xu at 300")
        #expect(scene.room.nextMinimum(scene) == 310)
    }

    @Test func `raising one's own maximum moves neither price nor countdown`() throws {
        var scene = try scene()
        let first = try scene.bid(100, upTo: 200, by: scene.bidder)
        guard case .bidPlaced(let leading) = first[0] else { throw ScenarioError() }
        scene.wait(milliseconds: 5000)
        let end = scene.room.endsAt
        let raised = MaximumRaised(bid: leading.bid, bidder: scene.bidder, maximum: FormatFixture.money(205))
        #expect(try scene.bid(upTo: 205, by: scene.bidder) == [.maximumRaised(raised)])
        #expect(try scene.bid(110, upTo: 400, by: scene.bidder).count == 1)
        #expect(scene.standing == "Xu at 100")
        #expect(scene.room.endsAt == end)
        #expect(bids(in: try scene.bid(390, by: scene.rival)) == ["(Yves 390)", "Xu 400*"])
    }

    @Test func `the leader does not outbid themself, nor lower their maximum`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        #expect(scene.code(bid: 150, by: scene.bidder) == "bid.already_leading")
        #expect(scene.code(bid: nil, upTo: 200, by: scene.bidder) == "bid.already_leading")
        #expect(scene.code(bid: 110, upTo: 150, by: scene.bidder) == "bid.already_leading")
        #expect(scene.code(bid: nil, upTo: 201, by: scene.bidder) == nil)
    }

    @Test func `a maximum below its amount is malformed`() throws {
        var scene = try scene()
        let command = Command.placeBid(PlaceBid(amount: .init(minorUnits: 200), maximum: .init(minorUnits: 150)))
        #expect(scene.refusal(of: command, by: scene.bidder)?.kind == .malformed(field: "maximum"))
        try scene.bid(100, by: scene.bidder)
        #expect(scene.refusal(of: command, by: scene.bidder)?.kind == .malformed(field: "maximum"))
        #expect(
            scene.refusal(of: .placeBid(PlaceBid(amount: nil)), by: scene.rival)?.kind == .malformed(field: "amount"))
    }

    @Test func `a rejected bid changes nothing`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: 200, by: scene.bidder)
        scene.wait(milliseconds: 5000)
        let before = scene.room
        #expect(throws: Refusal.self) { try scene.bid(105, upTo: 900, by: scene.rival) }
        #expect(throws: Refusal.self) { try scene.bid(300, by: scene.bidder) }
        #expect(scene.room == before)
    }

    @Test func `the highest amount cannot overflow`() throws {
        var scene = try scene()
        try scene.bid(100, upTo: Money.maximum.minorUnits, by: scene.bidder)
        #expect(
            bids(in: try scene.bid(upTo: Money.maximum.minorUnits, by: scene.rival)).last
                == "Xu \(Money.maximum.minorUnits)*")
    }
}

extension Room {
    /// The next minimum bid, in minor units.
    func nextMinimum(_ scene: Scenario) -> Int64? { scene.rulebook.nextMinimum(in: self)?.minorUnits }
}
