import AuctionTestKit
import Permissions
import Testing

@testable import AuctionDomain

extension Scenario {
    /// Leaves a bid of at most `maximum` minor units on the lot with a reference.
    @discardableResult
    mutating func leave(_ maximum: Int64, on reference: String, by person: Person) throws -> [EventBody] {
        try perform(.absentee(.place(try lot(reference).id, maximum: Money(minorUnits: maximum))), by: person)
    }

    @discardableResult
    mutating func takeBack(from reference: String, by person: Person) throws -> [EventBody] {
        try perform(.absentee(.withdraw(try lot(reference).id)), by: person)
    }

    func count(on reference: String) throws -> Int { room.absenteeCount(on: try lot(reference).id) }
    func standing(_ person: Person, on reference: String) throws -> AbsenteeStanding? {
        room.absenteeStanding(of: person.id, on: try lot(reference).id)
    }

    /// Bids on the lot in their order: the bidder and the maximum.
    func absentees(on reference: String) throws -> [String] {
        (room.absentees?[try lot(reference).id]?.inOrder ?? []).map { "\($0.bidder.nickname) \($0.maximum.minorUnits)" }
    }
}

struct AbsenteeBidTests {
    private func refusal(_ scenario: Scenario, _ command: AbsenteeCommand, by person: Person) -> String? {
        scenario.refusal(of: .absentee(command), by: person)?.code
    }

    @Test func `bids are left in an order, and a changed maximum takes a new place in it`() throws {
        var scenario = try Scenario.withLots(2)
        let events = try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        guard case .lotBidsChanged(let changed)? = events.first else { throw ScenarioError() }
        #expect(events.count == 1 && changed.absenteeBids == 1 && changed.maximum == Money(minorUnits: 20_000))
        #expect(scenario.lastOutcome == .absenteeBid(try scenario.lot("A1").id, isNew: true))
        try scenario.leave(30_000, on: "A1", by: scenario.rival)
        #expect(try scenario.absentees(on: "A1") == ["Xu 20000", "Yves 30000"])
        #expect(try scenario.leave(20_000, on: "A1", by: scenario.bidder) == [], "the same again keeps its place")
        #expect(scenario.lastOutcome == .absenteeBid(try scenario.lot("A1").id, isNew: false))
        try scenario.leave(25_000, on: "A1", by: scenario.bidder)
        #expect(scenario.lastOutcome == .absenteeBid(try scenario.lot("A1").id, isNew: false))
        #expect(try scenario.absentees(on: "A1") == ["Yves 30000", "Xu 25000"])
        #expect(try scenario.count(on: "A1") == 2 && scenario.count(on: "A2") == 0)
        try scenario.takeBack(from: "A1", by: scenario.rival)
        #expect(try scenario.count(on: "A1") == 1 && scenario.standing(scenario.rival, on: "A1") == nil)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
        #expect(try scenario.replayed() == scenario.room)
        try scenario.takeBack(from: "A1", by: scenario.bidder)
        #expect(scenario.room.absentees == nil)
    }

    @Test func `nothing is taken back that was not left, and there is a lot for each bid`() throws {
        let scenario = try Scenario.withLots(1)
        let (lot, unknown) = (try scenario.lot("A1").id, LotID(bits: 99))
        #expect(refusal(scenario, .withdraw(lot), by: scenario.bidder) == "absentee.not_found")
        #expect(refusal(scenario, .withdraw(unknown), by: scenario.bidder) == "lot.not_found")
        #expect(refusal(scenario, .place(unknown, maximum: .maximum), by: scenario.bidder) == "lot.not_found")
    }

    @Test func `the opening uses a bid up, and one that is left after a cancelled round is another`() throws {
        var scenario = try Scenario.withLots(2)
        let lot = try scenario.lot("A1").id
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.perform(.auction(.start, AuctionTransition()), by: scenario.host)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing, "while the lot is listed")
        try scenario.perform(.auction(.cancel, AuctionTransition(reason: "Rain.")), by: scenario.host)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
        var opened = scenario
        try opened.openBidding()
        #expect(refusal(opened, .withdraw(lot), by: opened.bidder) == "absentee.used")
        #expect(refusal(opened, .place(lot, maximum: .maximum), by: opened.bidder) == "absentee.not_queued")
        #expect(try opened.standing(opened.bidder, on: "A1") != .standing)
        #expect(try opened.count(on: "A1") == 1, "the number stays")
        try opened.perform(.auction(.pause, AuctionTransition()), by: opened.host)
        try opened.perform(.auction(.resume, AuctionTransition()), by: opened.host)
        #expect(opened.room.absentees?[lot]?.cancelledSeq == nil, "a resume is no opening")
        #expect(try opened.replayed() == opened.room)
    }

    @Test func `a bid that waits no more is not taken back, and why is true whatever became of its lot`() throws {
        for (fate, reserve) in [("current", nil), ("sold", nil), ("passed", 90_000), ("cancelled", nil)] as [(String, Int64?)] {
            var scenario = try Scenario.withMembers()
            var rules = scenario.rules()
            (rules.format, rules.reservePrice) = (.vickrey, reserve.map { Money(minorUnits: $0) })
            let item = UploadItem(name: "A1", description: "", media: [], rules: rules)
            try scenario.perform(.queueLot(QueueLot(item: item, reference: "A1")), by: scenario.auctioneer)
            try scenario.leave(20_000, on: "A1", by: scenario.bidder)
            // A round in which the bid acts is not cancelled.
            let role = MemberChanges(role: fate == "cancelled" ? .viewer : .bidder)
            try scenario.perform(.changeMember(scenario.bidder.id, role), by: scenario.host)
            try scenario.openBidding()
            switch fate {
            case "sold", "passed": try scenario.perform(.auction(.end, AuctionTransition()), by: scenario.host)
            case "cancelled": try scenario.perform(.auction(.cancel, AuctionTransition(reason: "Rain.")), by: scenario.host)
            default: break
            }
            let refused = scenario.refusal(of: .absentee(.withdraw(try scenario.lot("A1").id)), by: scenario.bidder)
            #expect(refused?.code == "absentee.used" && refused?.required == "waiting" && refused?.actual == "used", "\(fate)")
            #expect(refused?.text.english == "A bid is taken back only while it waits for the opening of its lot.", "\(fate)")
            #expect(try scenario.room.absenteeStands(of: scenario.bidder.id, on: scenario.lot("A1").id) == false, "\(fate)")
        }
    }

    @Test func `a bid on a prepared lot is left and taken back like on a queued one`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.given(.itemUploaded(scenario.room.lots.item(of: scenario.lot("A1"))))
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.takeBack(from: "A1", by: scenario.bidder)
        #expect(scenario.lastOutcome == .silent)
    }

    @Test func `bids of those who leave, are removed or banned are void for good, and the number does not tell`() throws {
        let causes: [(AbsenteeBid.VoidCause, (Scenario) -> (Command, Person))] = [
            (.left, { (.leave, $0.bidder) }), (.kicked, { (.kick($0.bidder.id), $0.host) }),
            (.banned, { (.changeMember($0.bidder.id, MemberChanges(isBanned: true)), $0.host) }),
        ]
        for (cause, command) in causes {
            var scenario = try Scenario.withLots(2)
            try scenario.leave(20_000, on: "A1", by: scenario.bidder)
            try scenario.leave(20_000, on: "A1", by: scenario.rival)
            let (next, by) = command(scenario)
            try scenario.perform(next, by: by)
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(cause))
            #expect(try scenario.standing(scenario.rival, on: "A1") == .standing)
            #expect(try scenario.count(on: "A1") == 2)
            if cause == .banned {
                try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: false)), by: scenario.host)
            } else {
                try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.bidder)
            }
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(cause), "\(cause)")
            try scenario.leave(20_000, on: "A1", by: scenario.bidder)
            #expect(scenario.lastOutcome == .absenteeBid(try scenario.lot("A1").id, isNew: true))
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
            #expect(try scenario.count(on: "A1") == 2)
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a void bid can be taken back, and the bids on a withdrawn lot are void`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.leave(20_000, on: "A2", by: scenario.bidder)
        try scenario.perform(.withdrawLot(try scenario.lot("A1").id, reason: nil), by: scenario.host)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.lotWithdrawn))
        #expect(try scenario.count(on: "A1") == 1)
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        for reference in ["A1", "A2"] {
            try scenario.takeBack(from: reference, by: scenario.bidder)
            #expect(try scenario.count(on: reference) == 0)
        }
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `waiting bids count against the credit limit, for further ones and for bids`() throws {
        var scenario = try Scenario.withLots(3)
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 50_000))), by: scenario.host)
        try scenario.leave(20_000, on: "A2", by: scenario.bidder)
        try scenario.leave(20_000, on: "A3", by: scenario.bidder)
        let over = try #require(
            scenario.refusal(
                of: .absentee(.place(try scenario.lot("A3").id, maximum: Money(minorUnits: 30_001))), by: scenario.bidder))
        #expect(over.code == "absentee.over_credit" && over.required == "500.00" && over.actual == "500.01")
        try scenario.leave(30_000, on: "A3", by: scenario.bidder)
        try scenario.openBidding()
        #expect(
            scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 10_000))), by: scenario.bidder)?.code
                == "bid.over_credit")
        try scenario.takeBack(from: "A3", by: scenario.bidder)
        try scenario.bid(upTo: 30_000, by: scenario.bidder)
        // What leads the running round counts, too.
        #expect(
            refusal(scenario, .place(try scenario.lot("A3").id, maximum: Money(minorUnits: 10_000)), by: scenario.bidder)
                == "absentee.over_credit")
        scenario.wait(milliseconds: 20_000)
        // Sold for 100.00.
        try scenario.leave(20_000, on: "A3", by: scenario.bidder)
        #expect(
            refusal(scenario, .place(try scenario.lot("A3").id, maximum: Money(minorUnits: 20_001)), by: scenario.bidder)
                == "absentee.over_credit")
        try scenario.perform(.withdrawLot(try scenario.lot("A2").id, reason: nil), by: scenario.host)
        try scenario.leave(40_000, on: "A3", by: scenario.bidder)
    }

    @Test func `sums of bids beyond all bounds do not trap`() throws {
        var scenario = try Scenario.withLots(5)
        for lot in scenario.references() { try scenario.leave(Money.maximum.minorUnits, on: lot, by: scenario.bidder) }
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(creditLimit: .maximum)), by: scenario.host)
        let refused = scenario.refusal(
            of: .absentee(.place(try scenario.lot("A1").id, maximum: Money(minorUnits: 10_000))), by: scenario.bidder)
        #expect(refused?.code == "absentee.over_credit")
    }

    @Test func `another format of a lot voids the bids that wait on it, and they stay void when it changes back`() throws {
        var other = RulesPatch()
        other.format = .vickrey
        var changes = LotChanges()
        changes.rules = other
        for isPrepared in [false, true] {
            var scenario = try Scenario.withLots(2)
            try scenario.perform(
                .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 30_000))), by: scenario.host)
            let lot = try scenario.lot("A1").id
            if isPrepared { try scenario.given(.itemUploaded(scenario.room.lots.item(of: scenario.lot("A1")))) }
            try scenario.leave(20_000, on: "A1", by: scenario.bidder)
            try scenario.leave(10_000, on: "A2", by: scenario.bidder)
            var price = LotChanges()
            price.rules = RulesPatch()
            price.rules?.startingPrice = Money(minorUnits: 5000)
            if isPrepared, let item = scenario.room.item {
                try scenario.perform(.adjustRules(item.id, try #require(price.rules)), by: scenario.auctioneer)
                #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
                try scenario.perform(.adjustRules(item.id, other), by: scenario.auctioneer)
            } else {
                try scenario.perform(.changeLot(lot, price), by: scenario.auctioneer)
                #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing)
                try scenario.perform(.changeLot(lot, changes), by: scenario.auctioneer)
            }
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.formatChanged))
            #expect(try scenario.standing(scenario.bidder, on: "A2") == .standing)
            #expect(try scenario.count(on: "A1") == 1, "the number stays")
            var back = LotChanges()
            back.rules = RulesPatch()
            back.rules?.format = .english
            if !isPrepared { try scenario.perform(.changeLot(lot, back), by: scenario.auctioneer) }
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.formatChanged))
            try scenario.leave(20_000, on: "A2", by: scenario.bidder)
            try scenario.leave(10_000, on: "A1", by: scenario.bidder)
            #expect(try scenario.standing(scenario.bidder, on: "A1") == .standing, "the void one is not owed")
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `no more than 500 bids of a user wait, and only those that wait count`() throws {
        var scenario = try Scenario.withLots(501)
        let references = scenario.references()
        for reference in references.dropLast() { try scenario.leave(20_000, on: reference, by: scenario.bidder) }
        let last = try scenario.lot(references[500]).id
        let refused = scenario.refusal(of: .absentee(.place(last, maximum: Money(minorUnits: 20_000))), by: scenario.bidder)
        #expect(refused?.code == "absentee.too_many" && refused?.required == "500" && refused?.actual == "500")
        try scenario.leave(30_000, on: references[3], by: scenario.bidder)
        try scenario.leave(20_000, on: references[500], by: scenario.rival)
        for free in ["taken back", "withdrawn", "opened"] {
            var other = scenario
            switch free {
            case "taken back": try other.takeBack(from: references[3], by: other.bidder)
            case "withdrawn": try other.perform(.withdrawLot(try other.lot(references[3]).id, reason: nil), by: other.host)
            default: try other.openBidding()
            }
            try other.leave(20_000, on: references[500], by: other.bidder)
            #expect(try other.replayed() == other.room)
        }
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.bidder)
        try scenario.leave(20_000, on: references[500], by: scenario.bidder)
        #expect(scenario.room.lotsWithAbsenteeBid(of: scenario.bidder.id).count == 501)
        #expect(Array(scenario.room.lotsWithWaitingBid(of: scenario.bidder.id)) == [last])
    }

    @Test func `a lot that closes before it is opened uses its bids up`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 20_000))), by: scenario.host)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.perform(.auction(.start, AuctionTransition()), by: scenario.host)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        scenario.wait(milliseconds: 700_000)
        try #require(scenario.room.results.last?.outcome == .passed(.noBids))
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .passed)
        try scenario.leave(20_000, on: "A2", by: scenario.bidder)
        #expect(refusal(scenario, .withdraw(try scenario.lot("A1").id), by: scenario.bidder) == "absentee.used")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a void bid stays void after its lot was opened and sold`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        try scenario.leave(15_000, on: "A1", by: scenario.rival)
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.bidder)
        try scenario.openBidding()
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.left))
        try scenario.perform(.leave, by: scenario.rival)
        #expect(try scenario.standing(scenario.rival, on: "A1") == .leading, "it has acted")
        scenario.wait(milliseconds: 100_000)
        #expect(try scenario.standing(scenario.bidder, on: "A1") == .void(.left))
        #expect(try scenario.standing(scenario.rival, on: "A1") == .won)
        #expect(refusal(scenario, .withdraw(try scenario.lot("A1").id), by: scenario.bidder) == "absentee.used")
    }

    @Test func `a buy-now price bounds what a waiting bid may cost`() throws {
        var scenario = try Scenario.withLots(1)
        var rules = scenario.rules()
        rules.buyNowPrice = Money(minorUnits: 30_000)
        let item = UploadItem(name: "B1", description: "", media: [], rules: rules)
        try scenario.perform(.queueLot(QueueLot(item: item, reference: "B1")), by: scenario.auctioneer)
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(creditLimit: Money(minorUnits: 50_000))), by: scenario.host)
        try scenario.leave(90_000, on: "B1", by: scenario.bidder)
        try scenario.leave(20_000, on: "A1", by: scenario.bidder)
        #expect(
            refusal(scenario, .place(try scenario.lot("A1").id, maximum: Money(minorUnits: 20_001)), by: scenario.bidder)
                == "absentee.over_credit")
    }

    @Test func `a link gives the user what the guest has left; of two bids on a lot the higher stays at its place`() throws {
        var scenario = try Scenario.withLots(3)
        let user = scenario.stranger
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: user)
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.leave(20_000, on: "A2", by: user)
        try scenario.leave(20_000, on: "A1", by: scenario.rival)
        try scenario.leave(20_000, on: "A1", by: user)
        try scenario.leave(20_000, on: "A2", by: scenario.bidder)
        try scenario.leave(25_000, on: "A3", by: scenario.bidder)
        try scenario.perform(.linkGuest(scenario.bidder), by: user)
        #expect(try scenario.absentees(on: "A1") == ["Stan 30000", "Yves 20000"])
        #expect(try scenario.absentees(on: "A2") == ["Stan 20000"])
        #expect(
            scenario.room.absenteeBid(of: user.id, on: try scenario.lot("A2").id)?.seq ?? 0 < scenario.room.absenteeBid(
                of: user.id, on: try scenario.lot("A3").id)?.seq ?? 0)
        #expect(try scenario.count(on: "A1") == 3 && scenario.count(on: "A2") == 2, "the link does not tell who had bid")
        #expect(try scenario.standing(scenario.bidder, on: "A3") == nil && scenario.standing(user, on: "A3") == .standing)
        #expect(try scenario.replayed() == scenario.room)
        try scenario.takeBack(from: "A2", by: user)
        #expect(try scenario.count(on: "A2") == 1)
        #expect(scenario.room.lotsWithAbsenteeBid(of: user.id).count == 2)
        #expect(scenario.room.lotsWithAbsenteeBid(of: scenario.bidder.id).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a guest's bids are void once they link to a user who is banned, and a user's once their guest was`() throws {
        for isGuestBanned in [true, false] {
            var scenario = try Scenario.withLots(2)
            let user = scenario.stranger
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: user)
            let (banned, other) = isGuestBanned ? (scenario.bidder, user) : (user, scenario.bidder)
            try scenario.leave(30_000, on: "A1", by: other)
            try scenario.perform(.changeMember(banned.id, MemberChanges(isBanned: true)), by: scenario.host)
            try scenario.perform(.linkGuest(scenario.bidder), by: user)
            #expect(try scenario.standing(user, on: "A1") == .void(.banned))
            try scenario.perform(.changeMember(user.id, MemberChanges(isBanned: false)), by: scenario.host)
            #expect(try scenario.standing(user, on: "A1") == .void(.banned))
            #expect(try scenario.replayed() == scenario.room)
        }
    }

    @Test func `a bid that can act stays by a link, though another that cannot is higher`() throws {
        var scenario = try Scenario.withLots(1)
        let user = scenario.stranger
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: user)
        try scenario.leave(30_000, on: "A1", by: scenario.bidder)
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.leave(20_000, on: "A1", by: user)
        try scenario.perform(.linkGuest(scenario.bidder), by: user)
        #expect(try scenario.absentees(on: "A1") == ["Stan 20000"])
        #expect(try scenario.standing(user, on: "A1") == .standing)
    }

    @Test func `a room in which another user bids, under a new nickname, differs in nothing that others see`() throws {
        var rooms: [Room] = []
        var sizes: [Int] = []
        for person in [4, 3] as [UInt128] {
            var scenario = try Scenario.withLots(1)
            try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
            let long = Person(id: UserID(bits: person), nickname: String(repeating: "王", count: person == 3 ? 40 : 1))
            let events = try scenario.leave(person == 3 ? 10_000 : 99_999_999, on: "A1", by: long)
            #expect(events.count == 1)
            sizes.append(events.reduce(0) { $0 + $1.storedBytes })
            rooms.append(scenario.room)
        }
        #expect(rooms[0].members == rooms[1].members && rooms[0].lots == rooms[1].lots)
        #expect(rooms[0].storage.bytes == rooms[1].storage.bytes && sizes[0] == sizes[1])
        #expect(rooms[0].host == rooms[1].host && rooms[0].hostGoneSince == rooms[1].hostGoneSince)
        #expect(rooms[0].storage != rooms[1].storage, "each counts for its own author")
    }

    @Test func `a bid left by an absent host does not show that they are back`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.host", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .bidder)), by: scenario.host)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        try #require(scenario.room.hostGoneSince != nil)
        let events = try scenario.leave(20_000, on: "A1", by: scenario.host)
        #expect(events.count == 1 && scenario.room.hostGoneSince != nil)
    }

    @Test func `ten thousand bids on a lot are counted, and stay in the order in which they were left`() throws {
        var scenario = try Scenario.withLots(1)
        let lot = try scenario.lot("A1").id
        for number in 0..<10_000 {
            let person = Person(id: UserID(bits: UInt128(1000 + number)), nickname: "P")
            scenario.given(
                .lotBidsChanged(
                    LotBidsChanged(
                        lot: lot, absenteeBids: number + 1, bidder: person, bid: BidID(bits: UInt128(number)),
                        maximum: Money(minorUnits: Int64(number)))))
        }
        #expect(scenario.room.absenteeCount(on: lot) == 10_000)
        let bits = scenario.room.absentees?[lot]?.inOrder.map(\.id.bits)
        #expect(bits == (0..<10_000).map { UInt128($0) })
    }
}
