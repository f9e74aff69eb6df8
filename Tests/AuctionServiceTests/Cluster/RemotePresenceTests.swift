import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Presence of users with streams on several nodes.
struct RemotePresenceTests {
    private let auction = Auction()

    private func opened() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        auction.open(harness, biddingSeconds: 600)
        return harness
    }

    private func streams(_ harness: ServiceHarness, of person: Person, open: Bool) {
        harness.handle(
            .presence([PresenceChange(room: Auction.room, user: person.id, isPresent: open, at: harness.now.monotonic)]))
        harness.settle()
    }

    private func remotePresence(_ harness: ServiceHarness, _ people: [Person]) {
        harness.handle(
            .remotePresence([RoomPresenceReport(room: Auction.room, count: people.count, people: people.map(\.id))]))
        harness.settle()
    }

    private func advance(_ harness: ServiceHarness, milliseconds: Int64) {
        harness.wait(milliseconds: milliseconds)
        harness.handle(.tick)
        harness.settle()
    }

    @Test func `a host with a stream on another node is not disconnected when their local stream closes`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        remotePresence(harness, [auction.host])
        streams(harness, of: auction.host, open: false)
        advance(harness, milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        // The stream on the other node closes too.
        remotePresence(harness, [])
        advance(harness, milliseconds: 29_999)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        advance(harness, milliseconds: 1)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == harness.now.wall)
    }

    @Test func `a host who opens a stream on another node in time is never disconnected`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        streams(harness, of: auction.host, open: false)
        advance(harness, milliseconds: 20_000)
        remotePresence(harness, [auction.host])
        advance(harness, milliseconds: 20_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a host with a local stream stays connected when their other node reports no presence`() throws {
        let harness = try opened()
        streams(harness, of: auction.host, open: true)
        remotePresence(harness, [auction.host, auction.bidder])
        remotePresence(harness, [])
        advance(harness, milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a handshake's guest is not disconnected while they have a stream on another node`() throws {
        let harness = try opened()
        streams(harness, of: auction.bidder, open: true)
        let asked = harness.response(to: .stage(.request(.auctioneer)), of: Auction.room, by: auction.bidder)
        try #require(asked?.status == 200)
        remotePresence(harness, [auction.bidder])
        streams(harness, of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.count == 1)
        streams(harness, of: auction.bidder, open: true)
        remotePresence(harness, [])
        streams(harness, of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.isEmpty == true)
    }

    /// Two nodes with an open round, and the host's stream on the first.
    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let clock = HarnessClock()
        let log = InMemoryEventLog(clock: { clock.wall })
        let here = try ServiceHarness(log: log)
        clock.harness = here
        auction.open(here, biddingSeconds: 600)
        let there = try ServiceHarness(log: log, now: here.now)
        _ = there.response(to: auction.bid(1), of: Auction.room, by: auction.bidder)
        streams(here, of: auction.host, open: true)
        return (here, there)
    }

    @Test func `given a conflict with another node, the host's disconnection and return are decided again`() throws {
        let (here, there) = try nodes()
        streams(here, of: auction.host, open: false)
        here.wait(milliseconds: 30_000)
        there.now = here.now
        here.handle(.tick)
        here.endTurn()
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        advance(here, milliseconds: 0)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)

        let message = Command.sendMessage("hello")
        here.handle(
            .presence([PresenceChange(room: Auction.room, user: auction.host.id, isPresent: true, at: here.now.monotonic)]))
        here.endTurn()
        #expect(there.response(to: message, of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a host who returns on one node is not disconnected by another that remembers their absence`() throws {
        let (here, there) = try nodes()
        streams(there, of: auction.host, open: true)
        streams(there, of: auction.host, open: false)
        streams(here, of: auction.host, open: false)
        advance(here, milliseconds: 30_000)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)
        try there.follow([Auction.room])
        streams(here, of: auction.host, open: true)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
        there.wait(milliseconds: 40_000)
        try there.follow([Auction.room])
        advance(there, milliseconds: 29_999)
        #expect(try there.storedRoom(Auction.room)?.hostGoneSince == nil)
        remotePresence(there, [auction.host])
        advance(there, milliseconds: 60_000)
        #expect(try there.storedRoom(Auction.room)?.hostGoneSince == nil)
    }
}
