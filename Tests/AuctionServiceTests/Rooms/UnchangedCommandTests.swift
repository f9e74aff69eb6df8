import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Keyed commands without effect: nothing is stored, and a repeat is decided again, on any node.
struct UnchangedCommandTests {
    private let auction = Auction()
    private let key = IdempotencyKey(key: 77, fingerprint: 1)
    private let rejoin = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    private func storedKeys(_ node: ServiceHarness) throws -> Int {
        try #require(try node.log.load(Auction.room, responsesSince: Timestamp(milliseconds: 0))).responses.count
    }

    @Test func `a command without effect stores nothing, and every repeat is decided again`() throws {
        let (here, there, _) = try auction.openedNodes()
        let (seq, stored) = (try here.storedRoom(Auction.room)?.seq, try storedKeys(here))
        for node in [there, here, there] {
            let response = node.response(to: rejoin, of: Auction.room, by: auction.bidder, key: key)
            #expect(response?.status == 200)
            #expect(response?.headers.isEmpty == true)
        }
        #expect(try here.storedRoom(Auction.room)?.seq == seq)
        #expect(try storedKeys(here) == stored)
    }

    @Test func `a repeat that has an effect is stored, and later repeats get its response`() throws {
        let (here, there, _) = try auction.openedNodes()
        func role(_ role: Role) -> Command { .changeMember(auction.rival.id, MemberChanges(role: role)) }
        #expect(there.response(to: role(.bidder), of: Auction.room, by: auction.host, key: key)?.headers.isEmpty == true)
        #expect(here.response(to: role(.viewer), of: Auction.room, by: auction.host)?.status == 200)
        let second = here.response(to: role(.bidder), of: Auction.room, by: auction.host, key: key)
        #expect(second?.headers.isEmpty == true)
        #expect(try here.storedRoom(Auction.room)?.members[auction.rival.id]?.role == .bidder)
        let third = there.response(to: role(.bidder), of: Auction.room, by: auction.host, key: key)
        #expect(third?.body == second?.body)
        #expect(third?.headers.map(\.name) == ["Idempotency-Replayed"])
    }

    @Test func `the key of a command without effect can be used with another body`() throws {
        let (here, there, _) = try auction.openedNodes()
        #expect(there.response(to: rejoin, of: Auction.room, by: auction.rival, key: key)?.status == 200)
        let other = IdempotencyKey(key: key.key, fingerprint: 2)
        #expect(here.response(to: auction.bid(100), of: Auction.room, by: auction.rival, key: other)?.status == 200)
    }

    @Test func `two repeats in flight are both answered, without waiting for each other`() throws {
        let (here, _, _) = try auction.openedNodes()
        let exchanges = (0..<2).map { _ in
            let sent = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
            here.endTurn()
            return sent
        }
        #expect(here.responses[exchanges[0]] == nil, "it was answered before the log confirmed the state it depends on")
        here.commit()
        #expect(exchanges.map { here.responses[$0]?.headers.isEmpty } == [true, true])
    }

    @Test func `on an unshared log a command without effect is answered at once`() throws {
        let here = try auction.opened()
        let sent = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
        here.endTurn()
        #expect(here.responses[sent]?.status == 200)
    }
}
