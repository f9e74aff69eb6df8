import AuctionTestKit
import Permissions
import Testing

@testable import AuctionDomain
@testable import EventLog

/// Absentee bids on lots with sealed bids: each is the sealed bid of its bidder, and no event shows it unless it decides.
struct SealedAbsenteeTests {
    private func room(
        _ format: AuctionFormatName = .sealedFirstPrice, _ change: (inout AuctionRules) -> Void = { _ in }
    ) throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        var rules = scenario.rules()
        rules.format = format
        change(&rules)
        let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
        try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
        return scenario
    }

    /// Closes the round: the bids that it shows, and the outcome.
    private func close(_ scenario: inout Scenario) throws -> (shown: [String], outcome: RoundResult.Outcome?) {
        try scenario.perform(.auction(.end, AuctionTransition()), by: scenario.host)
        #expect(try scenario.replayed() == scenario.room)
        let shown = scenario.room.bids.all.filter { $0.origin == .absentee }.map {
            "\($0.bidder.nickname) \($0.amount.minorUnits)"
        }
        return (shown, scenario.room.results.last?.outcome)
    }

    @Test func `nothing shows a bid before the close, and only the winner's is shown then`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.leave(20_000, on: "A1", by: scenario.rival)
        try scenario.openBidding()
        #expect(scenario.room.bids.isEmpty && scenario.room.currentBid == nil)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .sealed)
        #expect(scenario.room.sealedAmount(of: scenario.bidder.id) == Money(minorUnits: 30_000))
        let end = try close(&scenario)
        #expect(end.shown == ["Xu 30000"] && end.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 30_000)))
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .won)
        #expect(try scenario.standing(scenario.rival, on: "A1") == .lost)
        #expect(scenario.room.currentBid?.amount == Money(minorUnits: 30_000))
    }

    @Test func `a round with a sealed absentee bid is not cancelled, unless the bid may not act`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        let cancel = Command.auction(.cancel, AuctionTransition(reason: "A mistake."))
        #expect(scenario.refusal(of: cancel, by: scenario.host)?.code == "cancel.has_bids")
        var other = try room()
        try other.leave(30_000, on: "A1", by: other.bidder)
        try other.perform(.changeMember(other.bidder.id, MemberChanges(role: .viewer)), by: other.host)
        try other.openBidding()
        try other.perform(cancel, by: other.host)
        #expect(try other.standing(other.bidder, on: "A1") == .unused)
        try other.perform(.changeMember(other.bidder.id, MemberChanges(role: .bidder)), by: other.host)
        try other.openBidding()
        #expect(other.room.sealedAmount(of: other.bidder.id) == nil, "an opening uses it up")
    }

    @Test func `the bidder replaces what they left by a higher bid`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        let refused = scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 30_000))), by: scenario.bidder)
        #expect(refused?.code == "bid.below_minimum" && refused?.required == "300.01")
        #expect(scenario.rulebook.nextMinimum(in: scenario.room, for: scenario.rival.id) == Money(minorUnits: 10_000))
        try scenario.bid(31_000, by: scenario.bidder)
        #expect(scenario.room.sealedAmount(of: scenario.bidder.id) == Money(minorUnits: 31_000))
        let end = try close(&scenario)
        #expect(end.shown == [] && end.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 31_000)))
    }

    @Test func `of equal bids the one that was left is earlier, and a draw shows all of them`() throws {
        for tie in TiePolicy.allCases {
            var scenario = try room { $0.tie = tie }
            try scenario.leave(30_000, on: "A1", by: scenario.rival)
            try scenario.leave(30_000, on: "A1", by: scenario.bidder)
            try scenario.leave(20_000, on: "A1", by: scenario.stranger)
            try scenario.openBidding()
            let end = try close(&scenario)
            guard case .sold(let winner, _)? = end.outcome else { throw ScenarioError() }
            if tie == .earliest {
                #expect(winner == scenario.rival && end.shown == ["Yves 30000"])
            } else {
                #expect([scenario.rival, scenario.bidder].contains(winner))
                #expect(Set(end.shown) == ["Yves 30000", "Xu 30000"])
            }
        }
    }

    @Test func `a Vickrey lot shows the second, which is the price, and not the third`() throws {
        var scenario = try room(.vickrey)
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.leave(15_000, on: "A1", by: scenario.stranger)
        var live = scenario
        try scenario.openBidding()
        let end = try close(&scenario)
        #expect(end.shown == ["Yves 30000", "Xu 20000"])
        #expect(end.outcome == .sold(to: scenario.rival, price: Money(minorUnits: 20_000)))
        try live.openBidding()
        try live.bid(25_000, by: live.bidder)
        let other = try close(&live)
        #expect(other.shown == ["Yves 30000"] && other.outcome == .sold(to: live.rival, price: Money(minorUnits: 25_000)))
    }

    @Test func `a second below the reserve price does not make the price, and is not shown`() throws {
        var scenario = try room(.vickrey) { $0.reservePrice = Money(minorUnits: 28_000) }
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        let end = try close(&scenario)
        #expect(end.shown == ["Yves 30000"] && end.outcome == .sold(to: scenario.rival, price: Money(minorUnits: 28_000)))
    }

    private func runnerUp(_ scenario: Scenario) -> String? {
        scenario.room.results.last?.afterwards.runnerUp.map { "\($0.person.nickname) \($0.amount.minorUnits)" }
    }

    @Test func `the next bidder is the same in both formats, also one whose bid no event shows, and the earlier of two`() throws
    {
        for format in [AuctionFormatName.sealedFirstPrice, .vickrey] {
            var scenario = try room(format)
            try scenario.leave(20_000, on: "A1", by: scenario.bidder)
            try scenario.openBidding()
            try scenario.bid(20_000, by: scenario.rival)
            try scenario.bid(30_000, by: scenario.stranger)
            var placed = scenario
            _ = try close(&scenario)
            #expect(runnerUp(scenario) == "Xu 20000", "\(format): it was given before the other was placed")
            let read = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)))
            #expect(read == scenario.room)
            try placed.bid(25_000, by: placed.bidder)
            _ = try close(&placed)
            #expect(runnerUp(placed) == "Xu 25000")
            // The buyer's own bid is no second one.
            var alone = try room(format)
            try alone.leave(30_000, on: "A1", by: alone.bidder)
            try alone.openBidding()
            _ = try close(&alone)
            #expect(runnerUp(alone) == nil)
        }
    }

    @Test func `a bidder below the reserve price is not the next one`() throws {
        let cases: [(AuctionFormatName, [(Int64, String?)])] = [
            (.english, [(27_999, nil)]), (.sealedFirstPrice, [(27_999, nil), (28_000, "Xu 28000")]),
            (.vickrey, [(27_999, nil), (28_000, "Xu 28000")]),
        ]
        for (format, seconds) in cases {
            for (second, expected) in seconds {
                var scenario = try room(format) { $0.reservePrice = Money(minorUnits: 28_000) }
                try scenario.leave(second, on: "A1", by: scenario.bidder)
                try scenario.leave(30_000, on: "A1", by: scenario.rival)
                try scenario.openBidding()
                _ = try close(&scenario)
                #expect(scenario.room.results.last?.winner == scenario.rival)
                #expect(runnerUp(scenario) == expected, "\(format): \(second)")
            }
        }
    }

    @Test func `an item is offered to the bidder whose sealed bid no event showed, and is sold for it`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        try scenario.bid(15_000, by: scenario.stranger)
        _ = try close(&scenario)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.", offersNext: true)), by: scenario.host)
        let offer = try #require(scenario.room.offers.first)
        #expect(offer.to == scenario.bidder && offer.price == Money(minorUnits: 20_000))
        try scenario.perform(.result(.answer(offer.id, accepts: true)), by: scenario.bidder)
        var audit = MoneyAudit(scenario.room.id)
        for event in scenario.history { audit.take(event) }
        #expect(audit.findings.isEmpty && audit.allFindings(scenario.room.results).isEmpty)
    }

    @Test func `a round that passes shows the highest`() throws {
        var scenario = try room { $0.reservePrice = Money(minorUnits: 90_000) }
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        let end = try close(&scenario)
        #expect(end.shown == ["Yves 30000"] && end.outcome == .passed(.reserveNotMet))
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .passed)
    }

    /// Everything that may become of a bidder after the opening.
    private static let fates: [(String, @Sendable (Scenario, Person) -> (Command, Person))] = [
        ("leaves", { (.leave, $1) }), ("is removed", { (.kick($1.id), $0.host) }),
        ("is banned", { (.changeMember($1.id, MemberChanges(isBanned: true)), $0.host) }),
        ("becomes a viewer", { (.changeMember($1.id, MemberChanges(role: .viewer)), $0.host) }),
        ("has no credit", { (.changeMember($1.id, MemberChanges(creditLimit: Money(minorUnits: 1))), $0.host) }),
    ]

    @Test func `after the opening an absentee bid stands like one that was placed, whatever becomes of its bidder`() throws {
        for (fate, command) in Self.fates {
            for isPlaced in [false, true] {
                var scenario = try room()
                if !isPlaced { try scenario.leave(50_000, on: "A1", by: scenario.bidder) }
                try scenario.openBidding()
                if isPlaced { try scenario.bid(50_000, by: scenario.bidder) }
                let (next, by) = command(scenario, scenario.bidder)
                try scenario.perform(next, by: by)
                #expect(scenario.room.sealedAmount(of: scenario.bidder.id) == Money(minorUnits: 50_000), "\(fate)")
                if !isPlaced { #expect(try scenario.standing(scenario.bidder, on: "A1") == .sealed, "\(fate)") }
                let end = try close(&scenario)
                #expect(end.outcome == .sold(to: scenario.bidder, price: Money(minorUnits: 50_000)), "\(fate)")
                if !isPlaced { #expect(try scenario.standing(scenario.bidder, on: "A1") == .won, "\(fate)") }
            }
        }
    }

    @Test func `what a bid offers is decided at the opening, and not again when its bidder may bid more`() throws {
        var scenario = try room()
        for person in [scenario.bidder, scenario.rival, scenario.stranger] {
            try scenario.leave(50_000, on: "A1", by: person)
        }
        func change(_ person: Person, _ changes: MemberChanges) throws {
            try scenario.perform(.changeMember(person.id, changes), by: scenario.host)
        }
        try change(scenario.bidder, MemberChanges(role: .viewer))
        try change(scenario.rival, MemberChanges(creditLimit: Money(minorUnits: 20_000)))
        try change(scenario.stranger, MemberChanges(creditLimit: Money(minorUnits: 9999)))
        try scenario.openBidding()
        let cuts = scenario.history.lazy.compactMap { event -> [AbsenteeCut]? in
            if case .countdownStarted(_, _, let cuts) = event.body { cuts } else { nil }
        }
        #expect(cuts.last?.map(\.bidder) == [scenario.bidder, scenario.rival, scenario.stranger].map(\.id))
        #expect(cuts.last?.map { $0.amount?.minorUnits } == [nil, 20_000, nil])
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .unused)
        #expect(try scenario.standing(scenario.stranger, on: "A1") == .unused)
        try change(scenario.bidder, MemberChanges(role: .bidder))
        for person in [scenario.rival, scenario.stranger] { try change(person, MemberChanges(creditLimit: .some(nil))) }
        #expect(scenario.room.sealedAmount(of: scenario.rival.id) == Money(minorUnits: 20_000))
        #expect(scenario.room.sealedAmount(of: scenario.bidder.id) == nil && !scenario.room.takesPart(scenario.bidder.id))
        let end = try close(&scenario)
        #expect(end.shown == ["Yves 20000"])
        #expect(end.outcome == .sold(to: scenario.rival, price: Money(minorUnits: 20_000)))
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .unused)
        #expect(try scenario.standing(scenario.stranger, on: "A1") == .unused)
    }

    @Test func `the opening does not tell whose bids may not act, or how many`() throws {
        var seen: [String] = []
        for isCut in [false, true] {
            var scenario = try room()
            for person in [scenario.bidder, scenario.rival] { try scenario.leave(50_000, on: "A1", by: person) }
            let limit = Money(minorUnits: isCut ? 20_000 : 60_000)
            try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(creditLimit: limit)), by: scenario.host)
            try scenario.openBidding()
            seen.append("\(scenario.room.storage.bytes) \(scenario.history.last { $0.body.isOpening }?.body.storedBytes ?? 0)")
        }
        #expect(seen[0] == seen[1])
    }

    @Test func `a host whose left bid is among the sealed ones may neither end nor pause the round`() throws {
        var scenario = try room()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.host", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.leave(30_000, on: "A1", by: scenario.host)
        try scenario.openBidding()
        #expect(scenario.refusal(of: .auction(.end, AuctionTransition()), by: scenario.host)?.code == "end.has_bid")
        scenario.wait(milliseconds: 100_000)
        #expect(scenario.room.results.last?.winner == scenario.host)
    }

    @Test func `a round that closes before it opens sells nothing to a bid of an earlier opening`() throws {
        var scenario = try room(.english)
        try scenario.leave(50_000, on: "A1", by: scenario.bidder)
        let noCredit = MemberChanges(creditLimit: .some(Money(minorUnits: 1)))
        try scenario.perform(.changeMember(scenario.bidder.id, noCredit), by: scenario.host)
        try scenario.openBidding()
        try #require(scenario.room.bids.isEmpty)
        try scenario.perform(.auction(.cancel, AuctionTransition(reason: "Rain.")), by: scenario.host)
        var patch = RulesPatch()
        patch.format = .sealedFirstPrice
        let item = try #require(scenario.room.item)
        try scenario.perform(.adjustRules(item.id, patch), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        scenario.wait(milliseconds: 700_000)
        try #require(scenario.room.state == .closed)
        #expect(scenario.room.results.last?.outcome == .passed(.noBids) && scenario.room.bids.isEmpty)
    }

    @Test func `a round that is closed for want of a host shows what decides it`() throws {
        var scenario = try room()
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.openBidding()
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        scenario.wait(milliseconds: 700_000)
        try #require(scenario.room.state == .closed)
        #expect(scenario.room.bids.all.map(\.origin) == [.absentee])
        #expect(try scenario.replayed() == scenario.room)
    }
}

extension EventBody {
    fileprivate var isOpening: Bool { if case .countdownStarted = self { true } else { false } }
}
