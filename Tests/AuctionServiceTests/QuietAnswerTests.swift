import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Keyed commands that changed nothing, repeated at another node: no head moved, and yet the first answer stands.
struct QuietAnswerTests {
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

    private func expectRepeat(_ again: Answer?, of first: Answer?, at location: SourceLocation = #_sourceLocation) {
        #expect(first?.status == 200, sourceLocation: location)
        #expect(again?.body == first?.body && again?.status == first?.status, sourceLocation: location)
        #expect(again?.headers.map(\.name) == ["Idempotency-Replayed"], sourceLocation: location)
    }

    @Test func `the other node answers with the same bytes, again and again`() throws {
        let (here, there) = try nodes()
        let seq = try here.storedRoom(Auction.room)?.seq
        let first = there.answer(to: rejoin, of: Auction.room, by: auction.bidder, key: key)
        for node in [here, there, here] {
            expectRepeat(node.answer(to: rejoin, of: Auction.room, by: auction.bidder, key: key), of: first)
        }
        #expect(try here.storedRoom(Auction.room)?.seq == seq)
    }

    @Test func `it is not decided anew where it would do something by now`() throws {
        let (here, there) = try nodes()
        func role(_ role: Role) -> Command { .changeMember(auction.rival.id, MemberChanges(role: role)) }
        let first = there.answer(to: role(.bidder), of: Auction.room, by: auction.host, key: key)
        #expect(here.answer(to: role(.viewer), of: Auction.room, by: auction.host)?.status == 200)
        expectRepeat(here.answer(to: role(.bidder), of: Auction.room, by: auction.host, key: key), of: first)
        #expect(try here.storedRoom(Auction.room)?.members[auction.rival.id]?.role == .viewer)
    }

    @Test func `nor is it refused where it would be by now`() throws {
        let (here, there) = try nodes()
        let first = there.answer(to: rejoin, of: Auction.room, by: auction.rival, key: key)
        let ban = Command.changeMember(auction.rival.id, MemberChanges(isBanned: true))
        #expect(here.answer(to: ban, of: Auction.room, by: auction.host)?.status == 200)
        expectRepeat(here.answer(to: rejoin, of: Auction.room, by: auction.rival, key: key), of: first)
        let other = IdempotencyKey(key: 77, fingerprint: 2)
        #expect(here.answer(to: rejoin, of: Auction.room, by: auction.rival, key: other)?.text == "keyReused")
    }

    @Test func `of the same command at both nodes at once one is answered, and both get that answer`() throws {
        let (here, there) = try nodes()
        let one = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
        let other = there.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
        here.endTurn()
        there.endTurn()
        there.commit()
        here.commit()
        there.settle()
        here.settle()
        expectRepeat(here.answers[one], of: there.answers[other])
    }

    @Test func `what was decided here before that became known is decided again`() throws {
        let (here, there) = try nodes()
        let first = there.answer(to: rejoin, of: Auction.room, by: auction.bidder, key: key)
        let reply = ReplyAddress(loop: 0, exchange: 999)
        here.handle(.freshen(Auction.room, reply))
        here.endTurn()
        // Decided in the turn in which the answer of the other node arrives.
        let again = here.send(rejoin, to: Auction.room, by: auction.bidder, key: key)
        let bid = here.send(auction.bid(100), to: Auction.room, by: auction.rival)
        here.load()
        here.settle()
        expectRepeat(here.answers[again], of: first)
        #expect(here.answers[bid]?.status == 200)
        #expect(here.touched.map(\.0) == [reply])
    }

    @Test func `many of them on their way lose no race against themselves`() throws {
        let (here, there) = try nodes()
        let exchanges = (1...5).map { number in
            let sent = here.send(
                number == 3 ? auction.bid(100) : rejoin, to: Auction.room, by: auction.bidder,
                key: IdempotencyKey(key: UInt128(number), fingerprint: 1))
            here.endTurn()
            return sent
        }
        here.commit()
        for exchange in exchanges { #expect(here.answers[exchange]?.status == 200, "at the first attempt") }
        let first = here.answers[exchanges[4]]
        let again = there.answer(
            to: rejoin, of: Auction.room, by: auction.bidder, key: IdempotencyKey(key: 5, fingerprint: 1))
        expectRepeat(again, of: first)
    }
}
