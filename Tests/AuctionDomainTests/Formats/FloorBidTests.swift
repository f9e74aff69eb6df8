import AuctionDomain
import AuctionTestKit
import Testing

/// Bids that the host and auctioneers enter for people in the hall or at the telephone. The auctioneer of a scenario owns the item.
struct FloorBidTests {
    private func floor(_ units: Int64, _ paddle: String? = nil, round: Int? = nil, item: ItemID? = nil) -> Command {
        .placeFloorBid(PlaceBid(amount: Money(minorUnits: units), round: round, item: item), paddle: paddle)
    }

    /// A running round in a room that takes floor bids, with another auctioneer.
    private func open(_ rules: AuctionRules? = nil) throws -> Scenario {
        var scenario = try Scenario.withItem(rules)
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        try scenario.openBidding()
        return scenario
    }

    @Test func `a floor bid is one event, whose bidder is the floor, and says who entered it`() throws {
        var scenario = try open()
        let events = try scenario.perform(floor(10_000, "217"), by: scenario.host)
        guard case .floorBidPlaced(let entered)? = events.first, events.count == 1 else { throw ScenarioError() }
        #expect(entered.by == scenario.host && entered.paddle == "217")
        #expect(entered.placed.bidder == .floor && entered.placed.leading && !entered.placed.automatic)
        let bid = try #require(scenario.room.currentBid)
        #expect(bid.origin == .floor && bid.amount == Money(minorUnits: 10_000) && bid == scenario.room.bids.latestExplicit)
        #expect(scenario.room.paddle(of: bid) == "217")
        guard case .bidPlaced(let shown, let next)? = scenario.lastOutcome else { throw ScenarioError() }
        #expect(shown == bid && next == Money(minorUnits: 11_000))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `two paddles bid against each other, and a bidder of the room against both`() throws {
        var scenario = try open()
        try scenario.perform(floor(10_000, "1"), by: scenario.host)
        try scenario.perform(floor(11_000, "2"), by: scenario.viewer)
        try scenario.bid(upTo: 20_000, by: scenario.bidder)
        #expect(scenario.standing == "Xu at 12000")
        try scenario.perform(floor(15_000, "1"), by: scenario.host)
        #expect(scenario.standing == "Xu at 16000")
        let outbid = try #require(scenario.room.bids.latestExplicit)
        #expect(!outbid.leading && scenario.room.paddle(of: outbid) == "1")
        try scenario.perform(floor(21_000, "2"), by: scenario.host)
        #expect(scenario.standing == "Floor at 21000")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `each floor bid is retracted by itself, and what it beat leads again with its maximum`() throws {
        var scenario = try open()
        try scenario.bid(upTo: 20_000, by: scenario.bidder)
        try scenario.perform(floor(21_000), by: scenario.host)
        try scenario.perform(floor(22_000), by: scenario.host)
        try scenario.retractLatest()
        #expect(scenario.standing == "Floor at 21000" && scenario.room.leaderMaximum == Money(minorUnits: 21_000))
        try scenario.retractLatest()
        #expect(scenario.standing == "Xu at 10000")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a host who enters floor bids has none of their own, and runs the round as before`() throws {
        var scenario = try open()
        try scenario.perform(floor(10_000), by: scenario.host)
        #expect(!scenario.room.hasBid(scenario.host.id))
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        try scenario.perform(.auction(.ask(.nextMinimum(Money(minorUnits: 10_500))), AuctionTransition()), by: scenario.host)
        try scenario.perform(floor(10_500), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.outcome == "Floor for 10500")
    }

    @Test func `the result has the winner's paddle, and the next round begins without paddles`() throws {
        var scenario = try open()
        try scenario.perform(floor(10_000, "1"), by: scenario.host)
        try scenario.perform(floor(11_000, "2"), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.results.last?.paddle == "2")
        let bid = try #require(scenario.room.currentBid)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.paddle(of: bid) == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `after a retraction the result has the paddle of the bid that wins, and a user's has none`() throws {
        var scenario = try open()
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(floor(11_000, "1"), by: scenario.host)
        try scenario.perform(floor(12_000, "2"), by: scenario.host)
        try scenario.retractLatest()
        var other = scenario
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.results.last?.paddle == "1")
        try other.retractLatest()
        try other.perform(.endAuction(AuctionTransition()), by: other.host)
        #expect(other.outcome == "Xu for 10000" && other.room.results.last?.paddle == nil)
    }

    @Test func `a result has the paddle as long as the floor is its buyer`() throws {
        var scenario = try open()
        try scenario.bid(10_000, by: scenario.bidder)
        try scenario.perform(floor(11_000, "7"), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.", offersNext: true)), by: scenario.host)
        #expect(scenario.room.results.last?.winner == .floor && scenario.room.results.last?.paddle == "7")
        let offer = try #require(scenario.room.offers.first)
        try scenario.perform(.result(.answer(offer.id, accepts: true)), by: scenario.bidder)
        #expect(scenario.room.results.last?.winner == scenario.bidder && scenario.room.results.last?.paddle == nil)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        #expect(scenario.room.results.last?.paddle == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a floor bid counts for the same bytes whatever its paddle is`() throws {
        let scenario = try open()
        let sizes = try [nil, "7", String(repeating: "竞", count: PlaceBid.paddleLimit)].map { paddle in
            var other = scenario
            try other.perform(floor(10_000, paddle), by: scenario.host)
            return other.room.storage.bytes
        }
        #expect(Set(sizes).count == 1)
    }

    @Test func `the floor buys at the buy-now price and takes a Dutch price, and the user who entered it ends the round`()
        throws
    {
        let english = FormatFixture.rules(buyNow: 500)
        for rules in [english, FormatFixture.dutch()] {
            var scenario = try open(rules)
            let events = try scenario.perform(floor(500, "7"), by: scenario.viewer)
            #expect(scenario.outcome == (rules.format == .dutch ? "Floor for 100" : "Floor for 500"))
            #expect(scenario.room.results.last?.paddle == "7")
            #expect(
                events.contains {
                    if case .stateChanged(let change) = $0 {
                        change.cause == .bid && change.by == scenario.viewer
                    } else {
                        false
                    }
                })
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a floor bid extends the countdown and reaches the reserve like any other`() throws {
        var scenario = try open(FormatFixture.rules(reserve: 300))
        scenario.wait(milliseconds: 5000)
        let before = scenario.left
        try scenario.perform(floor(150), by: scenario.host)
        #expect(scenario.left != before && scenario.rulebook.reserveMet(in: scenario.room) == false)
        try scenario.perform(floor(300), by: scenario.host)
        #expect(scenario.standing == "Floor at 300" && scenario.rulebook.reserveMet(in: scenario.room) == true)
    }

    @Test func `a floor bid below the minimum is refused, also where the floor or the host leads`() throws {
        var scenario = try open()
        #expect(scenario.refusal(of: floor(9_999), by: scenario.host)?.code == "floor.below_minimum")
        try scenario.perform(floor(10_000), by: scenario.host)
        let refusal = scenario.refusal(of: floor(10_999), by: scenario.host)
        #expect(refusal?.code == "floor.below_minimum" && refusal?.required == "110.00" && refusal?.actual == "109.99")
        scenario.given(
            .bidPlaced(
                BidPlaced(
                    bid: BidID(bits: 99), amount: Money(minorUnits: 20_000), bidder: scenario.host, leading: true,
                    nextMinimum: nil, endsAt: nil)))
        #expect(scenario.refusal(of: floor(20_999), by: scenario.host)?.code == "floor.below_minimum")
        #expect(scenario.refusal(of: floor(21_000), by: scenario.host) == nil)
    }

    @Test func `it counts in the round and for the item that it names only`() throws {
        let scenario = try open()
        #expect(scenario.refusal(of: floor(10_000, round: 2), by: scenario.host)?.code == "floor.wrong_round")
        #expect(scenario.refusal(of: floor(10_000, item: ItemID(bits: 7)), by: scenario.host)?.code == "floor.wrong_item")
        #expect(scenario.refusal(of: floor(10_000, round: 1, item: scenario.room.item?.id), by: scenario.host) == nil)
    }

    @Test func `neither the owner nor a bidder enters floor bids, and none are taken in sealed rounds and where they are off`()
        throws
    {
        var scenario = try open()
        #expect(scenario.refusal(of: floor(10_000), by: scenario.auctioneer)?.code == "floor.own_item")
        #expect(scenario.refusal(of: floor(10_000), by: scenario.bidder)?.code == "floor.not_auctioneer")
        #expect(scenario.refusal(of: floor(10_000), by: scenario.stranger)?.code == "floor.not_auctioneer")
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.refusal(of: floor(10_000), by: scenario.viewer)?.code == "floor.banned")
        let sealed = try open(FormatFixture.sealed(.vickrey))
        #expect(sealed.refusal(of: floor(10_000), by: sealed.host)?.code == "floor.sealed")
        let plain = try Scenario.auctioning()
        #expect(plain.refusal(of: floor(10_000), by: plain.host)?.code == "bid.floor_off")
    }

    @Test func `the floor is no user: the host can neither ban it nor limit its credit`() throws {
        var scenario = try open()
        try scenario.perform(floor(10_000), by: scenario.host)
        for changes in [MemberChanges(isBanned: true), MemberChanges(creditLimit: Money(minorUnits: 1))] {
            #expect(scenario.refusal(of: .changeMember(.floor, changes), by: scenario.host)?.code == "member.not_found")
        }
        #expect(scenario.refusal(of: .kick(.floor), by: scenario.host)?.code == "member.not_found")
    }

    @Test func `the text of the floor's identifier is a word, and digits of zero are none`() {
        #expect(UserID.floor.description == "user_floor")
        #expect(UserID("user_floor") == .floor)
        for text in ["user_" + String(repeating: "0", count: 26), "user_floors", "user_floo", "user_Floor", "bid_floor"] {
            #expect(UserID(text) == nil && BidID(text) == nil, "\(text)")
        }
        #expect(BidID(bits: 0).description == "bid_" + String(repeating: "0", count: 26))
        #expect(UserID("user_" + String(repeating: "0", count: 25) + "1") == UserID(bits: 1))
    }
}
