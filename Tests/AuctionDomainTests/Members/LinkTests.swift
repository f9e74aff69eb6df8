import AuctionDomain
import AuctionTestKit
import Foundation
import Testing

/// A guest turns out to be a user: what the guest had in a room becomes the user's.
struct LinkTests {
    /// A closed round that the bidder has won; the rival bid too.
    private func sold() throws -> Scenario {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.rival)
        try scenario.bid(upTo: 20000, by: scenario.bidder)
        scenario.wait(milliseconds: 15000)
        try #require(scenario.room.state == .closed)
        return scenario
    }

    @Test func `membership, bids and wins become the user's, by one event`() throws {
        var scenario = try sold()
        let (guest, user) = (scenario.bidder, scenario.stranger)
        let joinedAt = scenario.room.members[guest.id]?.joinedAt
        let events = try scenario.perform(.linkGuest(guest), by: user)
        let link = MemberLinked(from: guest, to: user, role: .bidder, standing: Standing())
        #expect(events == [.memberLinked(link)])
        #expect(scenario.lastOutcome == .guestLinked(link, wins: 1))
        let room = scenario.room
        #expect(room.members[guest.id] == nil)
        #expect(room.members[user.id]?.role == .bidder)
        #expect(room.members[user.id]?.joinedAt == joinedAt)
        #expect(room.currentBid?.bidder == user)
        #expect(!room.hasBid(guest.id))
        #expect(room.hasBid(user.id))
        #expect(room.bids.all.map(\.bidder) == [scenario.rival, user])
        #expect(room.results.map(\.winner) == [user])
        #expect(room.results.amountWon(by: user.id) == Money(minorUnits: 11000))
        #expect(room.results.amountWon(by: guest.id) == Money(minorUnits: 0))
        #expect(room.owner(ofBidBy: guest, at: room.seq - 1) == user)
        #expect(room.owner(ofBidBy: guest, at: room.seq + 1) == guest, "a bid that the guest places later is the guest's")
        #expect(try scenario.replayed() == room)
        let stored = try JSONEncoder().encode(room)
        #expect(try JSONDecoder().decode(Room.self, from: stored) == room)
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `after a sealed round the current bid stays the one that won, also if one person placed the other one too`(
        _ format: AuctionFormatName
    ) throws {
        for isWinnerGuest in [false, true] {
            var scenario = try Scenario.auctioning(FormatFixture.sealed(format))
            try scenario.bid(300, by: scenario.bidder)
            try scenario.bid(200, by: scenario.rival)
            let won = scenario.room.bids[0].id
            scenario.wait(milliseconds: 15000)
            #expect(scenario.room.currentBid?.id == won)
            let price = scenario.room.results.last?.price
            let (guest, user) = isWinnerGuest ? (scenario.bidder, scenario.rival) : (scenario.rival, scenario.bidder)
            try scenario.perform(.linkGuest(guest), by: user)
            #expect(scenario.room.currentBid?.id == won)
            #expect(scenario.room.currentBid?.bidder == user)
            #expect(scenario.room.currentBid?.amount == price)
        }
    }

    @Test func `an event that links a user to themself changes nothing`() throws {
        let scenario = try sold()
        let person = scenario.bidder
        var room = scenario.room
        let link = MemberLinked(from: person, to: person, role: .bidder, standing: Standing())
        try room.apply(Event(seq: room.seq + 1, at: room.lastEventAt, round: room.round, body: .memberLinked(link)))
        #expect(room.bids.all == scenario.room.bids.all)
        #expect(room.results == scenario.room.results)
        #expect(room.members == scenario.room.members)
    }

    @Test func `a repeat changes nothing, whatever the host decided about the guest`() throws {
        var scenario = try sold()
        let limit = MemberChanges(isMuted: true, creditLimit: .some(Money(minorUnits: 15000)))
        try scenario.perform(.changeMember(scenario.bidder.id, limit), by: scenario.host)
        #expect(try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger).count == 1)
        for guest in [scenario.bidder, scenario.stranger] {
            #expect(try scenario.perform(.linkGuest(guest), by: scenario.stranger).isEmpty)
            #expect(scenario.lastOutcome == .guestLinked(nil, wins: 0))
        }
    }

    @Test func `bids of an earlier round are linked although the room has nothing else of the guest`() throws {
        var scenario = try sold()
        let (guest, user) = (scenario.rival, scenario.stranger)
        let seq = scenario.room.bids[0].seq
        try scenario.perform(.leave, by: guest)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try #require(!scenario.room.hasBid(guest.id))
        #expect(try scenario.perform(.linkGuest(guest), by: user).count == 1)
        #expect(scenario.room.owner(ofBidBy: guest, at: seq) == user)
        #expect(scenario.room.members[user.id] == nil)
        #expect(try scenario.perform(.linkGuest(guest), by: user).isEmpty)
    }

    @Test func `during a round a link is refused, also while it is paused`() throws {
        var scenario = try Scenario.withItem()
        func code() -> String? { scenario.refusal(of: .linkGuest(scenario.rival), by: scenario.bidder)?.code }
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(code() == "link.in_round")
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(code() == "link.in_round")
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(code() == "link.in_round")
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        #expect(code() == nil)
    }

    @Test func `a win in an archived room becomes the user's, by one event`() throws {
        var scenario = try sold()
        try scenario.perform(.stage(.request(.bidder)), by: scenario.bidder)
        try scenario.perform(.archiveRoom, by: scenario.host)
        let events = try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger)
        let link = MemberLinked(from: scenario.bidder, to: scenario.stranger, role: .bidder, standing: Standing())
        #expect(events == [.memberLinked(link)])
        #expect(scenario.lastOutcome == .guestLinked(link, wins: 1))
        #expect(scenario.room.results.last?.winner == scenario.stranger)
        #expect(scenario.room.isArchived)
        #expect(try scenario.replayed() == scenario.room)
        #expect(try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger).isEmpty)
    }

    @Test func `a win of a guest who has left is linked without a membership`() throws {
        var scenario = try sold()
        try scenario.perform(.leave, by: scenario.bidder)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger)
        #expect(scenario.room.members[scenario.stranger.id] == nil)
        #expect(scenario.room.results.last?.winner == scenario.stranger)
    }

    @Test func `lots that a guest has queued since an earlier link in the round become the user's, too`() throws {
        var scenario = try Scenario.withMembers()
        let (guest, user) = (scenario.auctioneer, scenario.stranger)
        try scenario.perform(.linkGuest(guest), by: user)
        try scenario.perform(.join(JoinRoom(role: .viewer, inviteCode: nil)), by: guest)
        try scenario.perform(.changeMember(guest.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        try scenario.queue("A1", by: guest)
        try scenario.perform(.leave, by: guest)
        #expect(try scenario.perform(.linkGuest(guest), by: user).count == 1)
        #expect(scenario.room.lots.owner(of: try scenario.lot("A1")) == user)
        #expect(try scenario.perform(.linkGuest(guest), by: user).isEmpty)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `of two memberships the stronger role counts, and the longer membership`() throws {
        var scenario = try Scenario.withMembers()
        let (guest, user) = (scenario.auctioneer, scenario.viewer)
        let old = try #require(scenario.room.members[guest.id])
        try scenario.perform(.linkGuest(guest), by: user)
        let merged = try #require(scenario.room.members[user.id])
        #expect(merged.role == .auctioneer)
        #expect(merged.isInvited)
        #expect(merged.roleSince == old.roleSince)
        #expect(scenario.room.members.count(of: .viewer) == 0)
        try scenario.perform(.linkGuest(scenario.bidder), by: user)
        #expect(scenario.room.members[user.id]?.role == .auctioneer)
        #expect(scenario.room.members.count == 3)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a guest who is host makes the user host, on the stage too`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        let request = try #require(scenario.room.stage.handshake(of: scenario.viewer.id)).id
        try scenario.perform(.stage(.accept(request)), by: scenario.host)
        try scenario.perform(.stage(.confirm(request)), by: scenario.viewer)
        try scenario.perform(.linkGuest(scenario.host), by: scenario.viewer)
        #expect(scenario.room.host == scenario.viewer)
        #expect(scenario.room.members[scenario.viewer.id]?.role == .host)
        #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil, "a host has no seat")
        #expect(scenario.room.members.count(of: .host) == 1)
        #expect(scenario.refusal(of: .startAuction(AuctionTransition()), by: scenario.host)?.code == "start.not_host")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a room whose host was gone has one again, because the user is there`() throws {
        var scenario = try Scenario(rulebook: nil)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        try #require(scenario.room.hostGoneSince != nil)
        let events = try scenario.perform(.linkGuest(scenario.host), by: scenario.stranger)
        #expect(events.last == .hostReturned(scenario.stranger))
        #expect(scenario.room.host == scenario.stranger)
        #expect(scenario.room.hostGoneSince == nil)
    }

    @Test func `a guest on stage leaves it, and the seat's role with it`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.stage(.invite(scenario.viewer.id, .auctioneer)), by: scenario.host)
        let invitation = try #require(scenario.room.stage.handshake(of: scenario.viewer.id)).id
        try scenario.perform(.stage(.accept(invitation)), by: scenario.viewer)
        try scenario.perform(.stage(.confirm(invitation)), by: scenario.host)
        try #require(scenario.room.members[scenario.viewer.id]?.role == .auctioneer)
        try scenario.perform(.linkGuest(scenario.viewer), by: scenario.stranger)
        #expect(scenario.room.stage.seat(of: scenario.viewer.id) == nil)
        #expect(scenario.room.members[scenario.stranger.id]?.role == .viewer)
    }

    @Test func `the item of a guest is the user's, who may not bid on it`() throws {
        var scenario = try Scenario.withMembers()
        let item = UploadItem(
            name: "Vase", description: "", media: [],
            estimate: Estimate(low: Money(minorUnits: 10_000), high: Money(minorUnits: 20_000)), condition: "Worn",
            rules: scenario.rules())
        try scenario.perform(.uploadItem(item), by: scenario.auctioneer)
        try scenario.perform(.linkGuest(scenario.auctioneer), by: scenario.bidder)
        #expect(scenario.room.item?.owner == scenario.bidder)
        #expect(scenario.room.item?.estimate == item.estimate && scenario.room.item?.condition == "Worn")
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        #expect(
            scenario.refusal(of: .placeBid(PlaceBid(amount: Money(minorUnits: 10000))), by: scenario.bidder)?.code
                == "bid.own_item")
    }

    @Test func `the credit limit counts what the guest has won`() throws {
        var scenario = try sold()
        let limit = MemberChanges(creditLimit: .some(Money(minorUnits: 15000)))
        try scenario.perform(.changeMember(scenario.rival.id, limit), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.rival)
        #expect(scenario.room.members[scenario.rival.id]?.creditLimit == Money(minorUnits: 15000))
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        for _ in 0..<2 { try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host) }
        let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))
        #expect(scenario.refusal(of: bid, by: scenario.rival)?.code == "bid.over_credit")
    }
}

/// A link is no way around what the host decided.
struct LinkStandingTests {
    private let ban = MemberChanges(isMuted: true, isBanned: true, creditLimit: .some(Money(minorUnits: 500)))

    @Test func `a ban of the guest applies to the user, and stays with the guest`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.bidder.id, ban), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.rival)
        let member = try #require(scenario.room.members[scenario.rival.id])
        #expect(member.isBanned && member.isMuted)
        #expect(member.creditLimit == Money(minorUnits: 500))
        for person in [scenario.bidder, scenario.rival] {
            #expect(scenario.refusal(of: .join(JoinRoom(role: nil, inviteCode: nil)), by: person)?.code == "member.banned")
        }
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a ban of a guest who was kicked applies to the user`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.bidder.id, ban), by: scenario.host)
        try scenario.perform(.kick(scenario.bidder.id), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.stranger)
        #expect(scenario.room.members[scenario.stranger.id] == nil)
        let join = Command.join(JoinRoom(role: nil, inviteCode: nil))
        #expect(scenario.refusal(of: join, by: scenario.stranger)?.code == "member.banned")
    }

    @Test func `a ban of the user is not lifted by the guest's membership`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.rival.id, ban), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.rival)
        #expect(scenario.room.members[scenario.rival.id]?.isBanned == true)
        #expect(scenario.room.members[scenario.bidder.id] == nil)
    }

    @Test func `a newly banned user leaves the stage`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.stage(.invite(scenario.rival.id, .auctioneer)), by: scenario.host)
        let invitation = try #require(scenario.room.stage.handshake(of: scenario.rival.id)).id
        try scenario.perform(.stage(.accept(invitation)), by: scenario.rival)
        try scenario.perform(.stage(.confirm(invitation)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.bidder.id, ban), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.rival)
        #expect(scenario.room.stage.seat(of: scenario.rival.id) == nil)
        #expect(scenario.room.members[scenario.rival.id]?.role == .bidder)
    }

    @Test func `a guest who comes back after a link owes what was linked, against the same limit`() throws {
        var scenario = try Scenario.auctioning()
        let (guest, user) = (scenario.bidder, scenario.stranger)
        let limit = MemberChanges(creditLimit: .some(Money(minorUnits: 15000)))
        try scenario.perform(.changeMember(guest.id, limit), by: scenario.host)
        try scenario.bid(10000, by: guest)
        scenario.wait(milliseconds: 15000)
        for _ in 0..<2 {
            try scenario.perform(.linkGuest(guest), by: user)
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: guest)
        }
        #expect(scenario.room.members[user.id]?.creditLimit == Money(minorUnits: 15000))
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        let bid = Command.placeBid(PlaceBid(amount: Money(minorUnits: 10000)))
        #expect(scenario.refusal(of: bid, by: guest)?.code == "bid.over_credit")
        #expect(scenario.refusal(of: bid, by: user)?.code == "bid.over_credit")
        let replayed = try scenario.replayed()
        let stored = try JSONDecoder().decode(Room.self, from: try JSONEncoder().encode(scenario.room))
        #expect(replayed == scenario.room)
        #expect(stored == scenario.room)
    }

    @Test func `a host is neither banned nor muted by a link, on whichever side`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.bidder.id, ban), by: scenario.host)
        try scenario.perform(.changeMember(scenario.rival.id, ban), by: scenario.host)
        try scenario.perform(.linkGuest(scenario.bidder), by: scenario.host)
        #expect(scenario.room.members[scenario.host.id]?.standing == Standing())
        try scenario.perform(.linkGuest(scenario.host), by: scenario.rival)
        #expect(scenario.room.members[scenario.rival.id]?.standing == Standing())
        #expect(scenario.room.host == scenario.rival)
    }
}
