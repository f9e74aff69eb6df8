import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

/// Programs of the operator act as a host and as an auctioneer, and are no persons.
struct OperatorTests {
    private static let shop = Person(id: UserID.ofOperator(0xC0FFEE), nickname: "Shop")

    private func byOperator(_ command: Command) -> Command { .byOperator(command, reason: "The host asked us to.") }

    @Test func `an operator's command is that of the host, behind a message that says who acts and why`() throws {
        var scenario = try Scenario.auctioning()
        let events = try scenario.perform(byOperator(.pause(AuctionTransition(reason: "Later."))), by: Self.shop)
        guard case .systemMessage(let note) = events.first else {
            Issue.record("no message: \(events)")
            return
        }
        #expect(note.key == "operator.acted" && note.text.english.contains("Shop") && note.text.english.contains("asked us"))
        let change = events.compactMap { event -> StateChange? in
            if case .stateChanged(let change) = event { change } else { nil }
        }
        #expect(change.map(\.by) == [Self.shop] && change.first?.reason == "Later." && scenario.room.state == .paused)
        #expect(scenario.room.members[Self.shop.id] == nil)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `an operator manages members, lots, rules, results and the sale in any room, private ones too`() throws {
        var scenario = try Scenario(visibility: .private)
        let (host, bidder) = (scenario.host, scenario.bidder)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: "letmein")), by: bidder)
        let item = Scenario.item(scenario.rules())
        for command: Command in [
            .changeMember(bidder.id, MemberChanges(isMuted: true)),
            .configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)),
            .uploadItem(item), .queueLot(QueueLot(item: item, reference: "A1")), .startAuction(AuctionTransition()),
            .startAuction(AuctionTransition()),
        ] {
            #expect(try !scenario.perform(byOperator(command), by: Self.shop).isEmpty, "\(command)")
        }
        #expect(scenario.room.item?.owner == host, "what an operator adds is the host's")
        let lot = try #require(scenario.room.lots[reference: "A1"])
        #expect(scenario.room.lots.owner(of: lot) == host)
        try scenario.bid(10000, by: bidder)
        try scenario.perform(byOperator(.endAuction(AuctionTransition())), by: Self.shop)
        try scenario.perform(
            byOperator(.result(.void(round: scenario.room.round, reason: "Not paid.", offersNext: false))), by: Self.shop)
        try scenario.perform(byOperator(.changeMember(bidder.id, MemberChanges(isBanned: true))), by: Self.shop)
        #expect(scenario.room.members[bidder.id]?.isBanned == true)
        try scenario.perform(byOperator(.archiveRoom), by: Self.shop)
        #expect(try scenario.room.isArchived && scenario.replayed() == scenario.room)
    }

    @Test func `rules of state and amount hold for operators, and so does what only the owner may`() throws {
        var scenario = try Scenario.withItem()
        let item = try #require(scenario.room.item)
        var patch = RulesPatch()
        patch.startingPrice = Money(minorUnits: 1)
        #expect(scenario.refusal(of: byOperator(.adjustRules(item.id, patch)), by: Self.shop)?.code == "rules.owner_only")
        #expect(scenario.refusal(of: byOperator(.endAuction(AuctionTransition())), by: Self.shop)?.code == "end.not_auctioning")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.bid(10000, by: scenario.bidder)
        #expect(scenario.refusal(of: byOperator(.cancel(AuctionTransition())), by: Self.shop)?.code == "cancel.has_bids")
        let low = Command.auction(.ask(.nextMinimum(Money(minorUnits: 9000))), AuctionTransition())
        #expect(scenario.refusal(of: byOperator(low), by: Self.shop)?.code == "ask.below_price")
        #expect(scenario.refusal(of: byOperator(.archiveRoom), by: Self.shop)?.code == "room.round_running")
        let before = scenario.room
        _ = scenario.refusal(of: byOperator(.archiveRoom), by: Self.shop)
        #expect(scenario.room == before)
    }

    @Test func `an operator does not remove, ban or mute the host of a room`() throws {
        let scenario = try Scenario.withMembers()
        let host = scenario.host.id
        #expect(scenario.refusal(of: byOperator(.kick(host)), by: Self.shop)?.code == "kick.themself")
        for changes in [MemberChanges(role: .viewer), MemberChanges(isMuted: true), MemberChanges(isBanned: true)] {
            let refusal = scenario.refusal(of: byOperator(.changeMember(host, changes)), by: Self.shop)
            #expect(refusal?.code.hasSuffix(".themself") == true)
        }
        #expect(scenario.refusal(of: byOperator(.kick(scenario.viewer.id)), by: Self.shop) == nil)
    }

    @Test func `an operator never bids, joins, writes, or takes a step that two persons take`() throws {
        let scenario = try Scenario.auctioning()
        let bid = PlaceBid(amount: Money(minorUnits: 10000))
        for command: Command in [
            .placeBid(bid), .placeFloorBid(bid, paddle: nil), .join(JoinRoom(role: nil, inviteCode: nil)), .leave,
            .sendMessage("hi"), .stage(.request(.bidder)), .stage(.invite(scenario.viewer.id, .bidder)),
            .linkGuest(scenario.viewer),
            .absentee(.withdraw(LotID(bits: 1))), .reportMessage(MessageID(bits: 1), reason: nil),
            .result(.answer(OfferID(bits: 1), accepts: true)), byOperator(.archiveRoom),
        ] {
            #expect(scenario.refusal(of: byOperator(command), by: Self.shop)?.code == "token.not_a_person", "\(command)")
        }
        // Not even if the server took one for a person, …
        for command: Command in [.placeBid(bid), .placeFloorBid(bid, paddle: nil), .sendMessage("hi")] {
            #expect(scenario.refusal(of: command, by: Self.shop) != nil, "\(command)")
        }
        // … or a person for one.
        #expect(scenario.refusal(of: byOperator(.archiveRoom), by: scenario.host)?.code == "token.not_a_person")
        #expect(scenario.refusal(of: byOperator(.kick(scenario.viewer.id)), by: scenario.bidder)?.code == "token.not_a_person")
    }

    @Test func `a command of an operator that changes nothing leaves no message`() throws {
        var scenario = try Scenario.withMembers()
        let changes = MemberChanges(isMuted: false)
        #expect(try scenario.perform(byOperator(.changeMember(scenario.viewer.id, changes)), by: Self.shop).isEmpty)
    }

    @Test func `the id of a service token is kept in the one that stands for it, and is no user's`() {
        for token in ["file", "token_00000000000000000000000c0ffe", "token_ffffffffffffffffffffffffffff"] {
            let id = UserID.ofServiceToken(token)
            #expect(id?.isOperator == true && id?.serviceToken == token)
        }
        for text in [
            "", "token_", "token_00000000000000000000000C0FFE", "token_0", "files",
            "token_" + String(repeating: "0", count: 28),
        ] {
            #expect(UserID.ofServiceToken(text) == nil, "\(text)")
        }
        #expect(!UserID.floor.isOperator && UserID.floor.serviceToken == nil && !UserID(bits: .max).isOperator)
        var identifiers = IdentifierSource(instant: Timestamp(milliseconds: 1_795_251_406_572), seed: 7)
        #expect(!identifiers.next(UserKind.self).isOperator)
    }
}
