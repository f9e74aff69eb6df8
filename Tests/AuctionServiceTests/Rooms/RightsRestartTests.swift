import AuctionDomain
import AuctionService
import AuctionTestKit
import Testing

/// The host's decisions are in the log, so that a restart changes none of them.
struct RightsRestartTests {
    private let auction = Auction()
    private let guest = Person(id: UserID(bits: 5), nickname: "Greta")
    private let join = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    private func opened() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        _ = harness.response(to: .openRoom(open), of: Auction.room, by: auction.host)
        _ = harness.response(to: join, of: Auction.room, by: guest)
        return harness
    }

    @Test func `given a ban of a former member, after a restart it holds, and the host can lift it`() throws {
        let harness = try opened()
        let ban = MemberChanges(isMuted: true, isBanned: true, creditLimit: .some(Money(minorUnits: 500)))
        _ = harness.response(to: .changeMember(guest.id, ban), of: Auction.room, by: auction.host)
        _ = harness.response(to: .leave, of: Auction.room, by: guest)
        let before = try harness.storedRoom(Auction.room)
        let back = try harness.restarted()
        #expect(try back.storedRoom(Auction.room) == before)
        #expect(back.response(to: join, of: Auction.room, by: guest)?.text == "member.banned")
        let unban = Command.changeMember(guest.id, MemberChanges(isBanned: false))
        #expect(back.response(to: unban, of: Auction.room, by: auction.host)?.status == 200)
        #expect(back.response(to: join, of: Auction.room, by: guest)?.status == 200)
        let member = try #require(try back.storedRoom(Auction.room)?.members[guest.id])
        #expect(member.isMuted)
        #expect(member.creditLimit == Money(minorUnits: 500))
    }

    @Test func `given changed rules and an invitation, after a restart both apply`() throws {
        let harness = try opened()
        let invitedOnly = ConfigureRule(rule: OptionalRule.invitedOnly, isEnabled: true, priority: 77)
        _ = harness.response(to: .configureRule(invitedOnly), of: Auction.room, by: auction.host)
        let invite = Command.changeMember(guest.id, MemberChanges(role: .bidder))
        _ = harness.response(to: invite, of: Auction.room, by: auction.host)
        let before = try harness.storedRoom(Auction.room)
        let room = try #require(try harness.restarted().storedRoom(Auction.room))
        #expect(room == before)
        #expect(room.members[guest.id]?.isInvited == true)
    }

    @Test func `given an open and a declined application, after a restart both are there`() throws {
        let harness = try opened()
        let rule = ConfigureRule(rule: OptionalRule.notApproved, isEnabled: true, priority: nil)
        _ = harness.response(to: .configureRule(rule), of: Auction.room, by: auction.host)
        let other = Person(id: UserID(bits: 6), nickname: "Gus")
        for person in [guest, other] { _ = harness.response(to: join, of: Auction.room, by: person) }
        let decline = Command.application(.decline(other.id, reason: "Not yet."))
        #expect(harness.response(to: decline, of: Auction.room, by: auction.host)?.status == 200)
        let before = try harness.storedRoom(Auction.room)
        let back = try harness.restarted()
        let room = try #require(try back.storedRoom(Auction.room))
        #expect(room == before && room.applications.openCount == 1)
        #expect(room.application(of: other.id)?.reason == "Not yet.")
        #expect(back.response(to: join, of: Auction.room, by: other)?.text == "application.declined")
        let approve = Command.application(.approve(guest.id, creditLimit: nil))
        #expect(back.response(to: approve, of: Auction.room, by: auction.host)?.status == 200)
        #expect(try back.storedRoom(Auction.room)?.members[guest.id]?.isInvited == true)
    }

    @Test func `given two messages, after a restart within the second a third is refused`() throws {
        let harness = try opened()
        for _ in 0..<2 { _ = harness.response(to: .sendMessage("Hello"), of: Auction.room, by: guest) }
        let back = try harness.restarted()
        #expect(back.response(to: .sendMessage("Hello"), of: Auction.room, by: guest)?.text == "message.rate")
    }

    @Test func `if one of several changes is refused, none is applied`() throws {
        let harness = try opened()
        let before = try harness.storedRoom(Auction.room)
        let changes = MemberChanges(role: .host, isMuted: true)
        #expect(
            harness.response(to: .changeMember(guest.id, changes), of: Auction.room, by: auction.host)?.text
                == "request.malformed")
        #expect(try harness.storedRoom(Auction.room) == before)
    }
}
