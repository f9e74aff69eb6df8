import AuctionDomain
import AuctionTestKit
import Testing

/// A user leaves the service for good: what becomes of their part in a room.
struct ErasureTests {
    private func former(_ person: Person) -> Person { Person(id: person.id, nickname: "Former user ABCD") }

    private func code(ofErasing person: Person, in scenario: Scenario) -> String? {
        scenario.refusal(of: .erase(EraseMembers([former(person)])), by: former(person))?.code
    }

    @Test func `a member leaves, and the pseudonym stands for their nickname wherever the room shows it`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10_000, by: scenario.rival)
        try scenario.bid(upTo: 20_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        let (gone, former) = (scenario.bidder, former(scenario.bidder))
        let events = try scenario.perform(.erase(EraseMembers([former])), by: former)
        #expect(events == [.memberLeft(former), .memberErased(MemberErased(former))])
        let room = scenario.room
        #expect(room.members[gone.id] == nil && room.members.absent(gone.id) == nil)
        #expect(room.bids.all.map(\.bidder) == [scenario.rival, former])
        #expect(room.currentBid?.bidder == former)
        #expect(room.results.map(\.winner) == [former])
        #expect(room.results.amountWon(by: gone.id) == Money(minorUnits: 11_000), "the price stays, and whose it is")
        #expect(try scenario.replayed() == room)
        // A repeat says it again, and ends nothing twice.
        #expect(try scenario.perform(.erase(EraseMembers([former])), by: former) == [.memberErased(MemberErased(former))])
    }

    @Test func `a leader and a host of a round that runs cannot leave, others can`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10_000, by: scenario.rival)
        try scenario.bid(11_000, by: scenario.bidder)
        #expect(code(ofErasing: scenario.bidder, in: scenario) == "account.leads_round")
        #expect(code(ofErasing: scenario.host, in: scenario) == "account.hosts_round")
        #expect(code(ofErasing: scenario.rival, in: scenario) == nil)
        #expect(code(ofErasing: scenario.viewer, in: scenario) == nil)
        let refusal = scenario.manager.refusal(ofErasing: scenario.bidder.id, in: scenario.room)
        #expect(refusal?.actual == scenario.room.id.description)
        try scenario.perform(.pause(AuctionTransition()), by: scenario.host)
        #expect(code(ofErasing: scenario.bidder, in: scenario) == "account.leads_round", "a paused round goes on")
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 15_000)
        #expect(code(ofErasing: scenario.bidder, in: scenario) == nil)
        #expect(code(ofErasing: scenario.host, in: scenario) == nil)
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `in a sealed round each bidder may win`(_ format: AuctionFormatName) throws {
        var scenario = try Scenario.auctioning(FormatFixture.sealed(format))
        try scenario.bid(300, by: scenario.bidder)
        try scenario.bid(200, by: scenario.rival)
        #expect(code(ofErasing: scenario.rival, in: scenario) == "account.leads_round")
        #expect(code(ofErasing: scenario.viewer, in: scenario) == nil)
    }

    @Test func `an auctioneer succeeds the host, and without one the room is archived`() throws {
        var scenario = try Scenario.withMembers()
        let host = former(scenario.host)
        var events = try scenario.perform(.erase(EraseMembers([host])), by: host)
        #expect(
            events == [
                .memberLeft(host), .memberRoleChanged(scenario.auctioneer, from: .auctioneer, to: .host, by: nil),
                .memberErased(MemberErased(host)),
            ])
        let next = former(scenario.auctioneer)
        events = try scenario.perform(.erase(EraseMembers([next])), by: next)
        #expect(events == [.roomArchived(by: next), .memberErased(MemberErased(next))])
        #expect(scenario.room.isArchived && scenario.room.host == next)
        // Others leave an archived room's history as well.
        let viewer = former(scenario.viewer)
        #expect(try scenario.perform(.erase(EraseMembers([viewer])), by: viewer) == [.memberErased(MemberErased(viewer))])
        #expect(scenario.room.members[viewer.id]?.person == viewer)
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `what the host decided about them ends, and so does their seat`() throws {
        var scenario = try Scenario.withMembers()
        let limit = Money(minorUnits: 500)
        try scenario.perform(
            .changeMember(scenario.bidder.id, MemberChanges(isMuted: true, creditLimit: .some(limit))), by: scenario.host)
        try scenario.perform(.stage(.request(.bidder)), by: scenario.viewer)
        let people = [former(scenario.bidder), former(scenario.viewer)]
        let named = [RewrittenEvent(seq: 3, digest: "ab")]
        let events = try scenario.perform(.erase(EraseMembers(people, rewritten: named)), by: people[0])
        #expect(
            events.suffix(2) == [
                .memberErased(MemberErased(people[0])), .memberErased(MemberErased(people[1], rewritten: named)),
            ])
        #expect(scenario.room.members.standing(of: scenario.bidder.id).isPlain)
        #expect(scenario.room.stage.handshakes.isEmpty)
        #expect(scenario.room.stage.progress(of: try #require(handshake(in: scenario)))?.handshake.guest == people[1])
        #expect(try scenario.replayed() == scenario.room)
    }

    private func handshake(in scenario: Scenario) -> StageID? {
        for case .stage(.requested(let id, _, _)) in scenario.history.map(\.body) { return id }
        return nil
    }

    @Test func `a text about a sale gets the pseudonym for the buyer, wherever else the nickname stands in it`() {
        let (old, new) = ("Al \"A\" goes to", "Former user ABCD")
        let english = "Sold: A ring goes to Bob for 1.00 EUR? goes to \(old) for 120.00 EUR."
        #expect(
            SystemMessage.renamingBuyer(old, new, in: english)
                == "Sold: A ring goes to Bob for 1.00 EUR? goes to \(new) for 120.00 EUR.")
        #expect(
            SystemMessage.renamingBuyer(old, new, in: "成交:\(old) 以 120.00 EUR 拍得“\(old)”。")
                == "成交:\(new) 以 120.00 EUR 拍得“\(old)”。")
        for other in ["Up next: \(old)", "Sold: \(old)", ""] {
            #expect(SystemMessage.renamingBuyer(old, new, in: other) == other)
        }
    }
}
