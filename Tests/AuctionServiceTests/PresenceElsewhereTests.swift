import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// People who follow a room through several nodes.
struct PresenceElsewhereTests {
    private let auction = Auction()

    private func opened() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        auction.open(harness, biddingSeconds: 600)
        return harness
    }

    private func streams(_ harness: ServiceHarness, of person: Person, open: Bool) {
        harness.handle(
            .presence([PresenceChange(room: Auction.room, user: person.id, isPresent: open, at: harness.now.wall)]))
        harness.settle()
    }

    private func elsewhere(_ harness: ServiceHarness, _ people: [Person]) {
        harness.handle(
            .elsewhere([RoomPresenceReport(room: Auction.room, count: people.count, people: people.map(\.id))]))
        harness.settle()
    }

    private func pass(_ harness: ServiceHarness, milliseconds: Int64) {
        harness.wait(milliseconds: milliseconds)
        harness.handle(.tick)
        harness.settle()
    }

    @Test func `a host who follows through another node is not gone when their stream here closes`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        elsewhere(harness, [auction.host])
        streams(harness, of: auction.host, open: false)
        pass(harness, milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        // They hung up there too.
        elsewhere(harness, [])
        pass(harness, milliseconds: 29_999)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        pass(harness, milliseconds: 1)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == harness.now.wall)
    }

    @Test func `a host who moves to another node in time was never gone`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        streams(harness, of: auction.host, open: false)
        pass(harness, milliseconds: 20_000)
        elsewhere(harness, [auction.host])
        pass(harness, milliseconds: 20_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a host whose other node falls silent is still there by a stream here`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        elsewhere(harness, [auction.host, auction.bidder])
        elsewhere(harness, [])
        pass(harness, milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `whoever is being called on stage is not disconnected while they follow through another node`() throws {
        let harness = try opened()
        streams(harness, of: auction.bidder, open: true)
        let asked = harness.answer(to: .stage(.request(.auctioneer)), of: Auction.room, by: auction.bidder)
        try #require(asked?.status == 200)
        elsewhere(harness, [auction.bidder])
        streams(harness, of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.count == 1)
        streams(harness, of: auction.bidder, open: true)
        elsewhere(harness, [])
        streams(harness, of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.isEmpty == true)
    }

    /// Two nodes with an open round, and the host's stream at the first.
    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let clock = HarnessClock()
        let log = InMemoryEventLog(clock: { clock.wall })
        let here = try ServiceHarness(log: log)
        clock.harness = here
        auction.open(here, biddingSeconds: 600)
        let there = try ServiceHarness(log: log, now: here.now)
        _ = there.answer(to: auction.bid(1), of: Auction.room, by: auction.bidder)
        streams(here, of: auction.host, open: true)
        return (here, there)
    }

    @Test func `that the host is gone, or back, is not forgotten when another node is faster with something else`() throws {
        let (here, there) = try nodes()
        streams(here, of: auction.host, open: false)
        here.wait(milliseconds: 30_000)
        there.now = here.now
        here.handle(.tick)
        here.endTurn()
        #expect(there.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        pass(here, milliseconds: 0)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)

        let message = Command.sendMessage("hello")
        here.handle(
            .presence([PresenceChange(room: Auction.room, user: auction.host.id, isPresent: true, at: here.now.wall)]))
        here.endTurn()
        #expect(there.answer(to: message, of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
    }
}
