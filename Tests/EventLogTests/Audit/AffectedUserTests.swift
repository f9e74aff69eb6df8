import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Which events change the index by user: the bids of a round are many, and only the first one of each bidder does.
struct AffectedUserTests {
    @Test func `only the first bid of a user in a round changes the index`() throws {
        var scenario = try Scenario.auctioning()
        func affected(_ amount: Int64, by bidder: Person) throws -> [UserID] {
            let (before, count) = (scenario.room, scenario.history.count)
            try scenario.bid(amount, by: bidder)
            return scenario.history[count...].compactMap { $0.body.affectedUser(in: before) }
        }
        #expect(try affected(10000, by: scenario.bidder) == [scenario.bidder.id])
        #expect(try affected(12000, by: scenario.rival) == [scenario.rival.id])
        #expect(try affected(14000, by: scenario.bidder) == [])
        #expect(try affected(16000, by: scenario.rival) == [])
    }

    @Test func `an absentee bid counts in its round, which may begin in the same decision`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10_000, by: scenario.bidder)
        let bid = BidPlaced(
            bid: BidID(bits: 7), amount: Money(minorUnits: 10_000), bidder: scenario.bidder, leading: true, origin: .absentee,
            maximum: nil, nextMinimum: nil, reserveMet: nil, endsAt: nil)
        #expect(EventBody.bidPlaced(bid).affectedUser(in: scenario.room) == scenario.bidder.id)
    }

    @Test func `a user who has left after their application was declined has a row, which a link finds`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: OptionalRule.notApproved, isEnabled: true, priority: nil)), by: scenario.host)
        let guest = scenario.stranger
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: guest)
        try scenario.perform(.application(.decline(guest.id, reason: nil)), by: scenario.host)
        let (before, count) = (scenario.room, scenario.history.count)
        try scenario.perform(.leave, by: guest)
        #expect(scenario.history[count...].compactMap { $0.body.affectedUser(in: before) } == [guest.id])
        let row = Participation(user: guest.id, role: nil, bidRound: 0)
        #expect(UserChanges(of: [guest.id], in: scenario.room, finishedRounds: 0).participations == [row])
        #expect(UserChanges(of: scenario.room).participations.contains(row))
        try scenario.perform(.linkGuest(guest), by: Person(id: UserID(bits: 77), nickname: "Ulla"))
        #expect(UserChanges(of: [guest.id], in: scenario.room, finishedRounds: 0).participations.map(\.isEmpty) == [true])
    }

    @Test func `the floor has no row in the index, neither for bids nor for what it buys`() throws {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.openBidding()
        let (before, count) = (scenario.room, scenario.history.count)
        try scenario.perform(.placeFloorBid(PlaceBid(amount: Money(minorUnits: 10_000)), paddle: "217"), by: scenario.host)
        #expect(scenario.history[count...].compactMap { $0.body.affectedUser(in: before) } == [])
        #expect(!UserChanges(of: scenario.room).participations.contains { $0.user == .floor })
        // One of two bids of the floor is retracted: the other one stays in the room.
        try scenario.perform(.placeFloorBid(PlaceBid(amount: Money(minorUnits: 20_000)), paddle: "217"), by: scenario.host)
        let last = try #require(scenario.room.currentBid?.id)
        let retracted = scenario.history.count
        try scenario.perform(.retractBid(last, reason: "Misheard."), by: scenario.host)
        #expect(scenario.room.hasBid(.floor))
        #expect(scenario.history[retracted...].compactMap { $0.body.affectedUser(in: scenario.room) } == [])
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(scenario.room.results.last?.winner == .floor)
        #expect(UserChanges(of: scenario.room).wins.isEmpty)
        #expect(UserChanges(of: [], in: scenario.room, finishedRounds: 0).wins.isEmpty)
    }

    @Test func `an index updated for the affected users only equals that of the whole room`() throws {
        let scenario = try Scenario.twoRounds()
        var room = try #require(Room(id: scenario.room.id, opening: scenario.history[0]))
        var index = UserChanges(of: [scenario.host.id], in: room, finishedRounds: 0)
        for event in scenario.history.dropFirst() {
            let before = room
            try room.apply(event)
            let users = event.body.affectedUser(in: before).map { [$0] } ?? []
            index.merge(UserChanges(of: users, in: room, finishedRounds: before.results.count))
            #expect(index.difference(from: room) == nil, "after \(event.seq)")
        }
        #expect(index.wins.count == 1)
    }

    @Test func `a void removes the sale from the index, also in one batch with the sale`() throws {
        var scenario = try Scenario.twoRounds()
        let (before, index) = (scenario.room, UserChanges(of: scenario.room))
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        #expect(scenario.history[before.seq...].compactMap(\.body.changedRound) == [1])
        for (finished, rewritten) in [(before.results.count, Set([1])), (0, [])] {
            let changes = UserChanges(of: [], in: scenario.room, finishedRounds: finished, changedRounds: [1])
            #expect(changes.rewritten == rewritten && changes.wins.isEmpty)
            var merged = finished == 0 ? UserChanges(of: before) : index
            merged.wins = finished == 0 ? [] : merged.wins
            merged.merge(changes)
            #expect(merged.difference(from: scenario.room) == nil)
        }
    }

    @Test func `a link moves the rows of both users and the wins, also in one batch with the sale`() throws {
        var scenario = try Scenario.twoRounds()
        let whole = UserChanges(of: scenario.room)
        let (seq, finished) = (scenario.room.seq, scenario.room.results.count)
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        let link = try #require(scenario.history[seq...].first?.body)
        let transfer = try #require(link.winTransfer)
        #expect(link.affectedUser(in: scenario.room) == scenario.rival.id)
        #expect(transfer == WinTransfer(from: scenario.rival.id, to: scenario.stranger.id))
        var index = whole
        index.merge(
            UserChanges(
                of: [scenario.rival.id, scenario.stranger.id], in: scenario.room, finishedRounds: finished, links: [transfer]))
        #expect(index.difference(from: scenario.room) == nil)
        #expect(index.wins.map(\.winner) == [scenario.stranger.id])
        // The first buyer's sales of before go where the last link leads; those in between, where the second link leads.
        index.add(WinTransfer(from: scenario.stranger.id, to: scenario.host.id))
        index.add(WinTransfer(from: scenario.rival.id, to: scenario.viewer.id))
        let (first, second) = (scenario.rival.id, scenario.stranger.id)
        #expect(
            index.transfers == [
                WinTransfer(from: first, to: scenario.host.id), WinTransfer(from: second, to: scenario.host.id),
            ])
    }
}
