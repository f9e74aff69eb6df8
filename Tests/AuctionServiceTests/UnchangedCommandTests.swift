import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Keyed commands that changed nothing: nothing of them is stored, and a repeat is decided anew, at whichever node.
struct UnchangedCommandTests {
    private let auction = Auction()
    private let key = IdempotencyKey(key: 77, fingerprint: 1)
    private let rejoin = Command.join(JoinRoom(role: .bidder, inviteCode: nil))

    /// Both nodes know the room, and neither what the other does until it asks the log.
    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let clock = HarnessClock()
        let log = InMemoryEventLog(clock: { clock.wall })
        let here = try ServiceHarness(log: log)
        clock.harness = here
        auction.open(here)
        let there = try ServiceHarness(log: log, now: here.now)
        _ = there.answer(to: auction.bid(1), of: Auction.room, by: auction.bidder)
        return (here, there)
    }

    private func storedKeys(_ node: ServiceHarness) throws -> Int {
        try #require(try node.log.load(Auction.room, answersSince: Timestamp(milliseconds: 0))).answers.count
    }

    @Test func `nothing of it is stored, and every repeat is decided anew`() throws {
        let (here, there) = try nodes()
        let (seq, stored) = (try here.storedRoom(Auction.room)?.seq, try storedKeys(here))
        for node in [there, here, there] {
            let answer = node.answer(to: rejoin, of: Auction.room, by: auction.bidder, key: key)
            #expect(answer?.status == 200)
            #expect(answer?.headers.isEmpty == true)
        }
        #expect(try here.storedRoom(Auction.room)?.seq == seq)
        #expect(try storedKeys(here) == stored)
    }

    @Test func `a repeat does what the command does by now, and from then on its answer stands`() throws {
        let (here, there) = try nodes()
        func role(_ role: Role) -> Command { .changeMember(auction.rival.id, MemberChanges(role: role)) }
        #expect(there.answer(to: role(.bidder), of: Auction.room, by: auction.host, key: key)?.headers.isEmpty == true)
        #expect(here.answer(to: role(.viewer), of: Auction.room, by: auction.host)?.status == 200)
        let second = here.answer(to: role(.bidder), of: Auction.room, by: auction.host, key: key)
        #expect(second?.headers.isEmpty == true)
        #expect(try here.storedRoom(Auction.room)?.members[auction.rival.id]?.role == .bidder)
        let third = there.answer(to: role(.bidder), of: Auction.room, by: auction.host, key: key)
        #expect(third?.body == second?.body)
        #expect(third?.headers.map(\.name) == ["Idempotency-Replayed"])
    }

    @Test func `another body under its key is taken`() throws {
        let (here, there) = try nodes()
        #expect(there.answer(to: rejoin, of: Auction.room, by: auction.rival, key: key)?.status == 200)
        let other = IdempotencyKey(key: key.key, fingerprint: 2)
        #expect(here.answer(to: auction.bid(100), of: Auction.room, by: auction.rival, key: other)?.status == 200)
    }

    @Test func `of two while the first waits for the log both are answered, and nothing waits for the other`() throws {
        let (here, _) = try nodes()
        let exchanges = (0..<2).map { _ in
            let sent = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
            here.endTurn()
            return sent
        }
        #expect(here.answers[exchanges[0]] == nil, "it was answered before the log confirmed what it saw")
        here.commit()
        #expect(exchanges.map { here.answers[$0]?.headers.isEmpty } == [true, true])
    }

    @Test func `alone on its log a node answers it at once`() throws {
        let here = try ServiceHarness()
        auction.open(here)
        let sent = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
        here.endTurn()
        #expect(here.answers[sent]?.status == 200)
    }
}
