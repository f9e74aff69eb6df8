import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Presence of users with streams on several nodes.
struct RemotePresenceTests {
    private let auction = Auction()

    @Test func `a host with a stream on another node is not disconnected when their local stream closes`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.remotePresence([auction.host])
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        // The stream on the other node closes too.
        harness.remotePresence([])
        harness.advance(milliseconds: 29_999)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        harness.advance(milliseconds: 1)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == harness.now.wall)
    }

    @Test func `a host who opens a stream on another node in time is never disconnected`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 20_000)
        harness.remotePresence([auction.host])
        harness.advance(milliseconds: 20_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a host with a local stream stays connected when their other node reports no presence`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.remotePresence([auction.host, auction.bidder])
        harness.remotePresence([])
        harness.advance(milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `a handshake's guest is not disconnected while they have a stream on another node`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.bidder, open: true)
        let asked = harness.response(to: .stage(.request(.auctioneer)), of: Auction.room, by: auction.bidder)
        try #require(asked?.status == 200)
        harness.remotePresence([auction.bidder])
        harness.streams(of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.count == 1)
        harness.streams(of: auction.bidder, open: true)
        harness.remotePresence([])
        harness.streams(of: auction.bidder, open: false)
        #expect(try harness.storedRoom(Auction.room)?.stage.handshakes.isEmpty == true)
    }

    /// Two nodes with an open round, and the host's stream on the first.
    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let (here, there, _) = try auction.openedNodes(biddingSeconds: 600)
        here.streams(of: auction.host, open: true)
        return (here, there)
    }

    @Test func `given a conflict with another node, the host's disconnection and return are decided again`() throws {
        let (here, there) = try nodes()
        here.streams(of: auction.host, open: false)
        here.wait(milliseconds: 30_000)
        there.now = here.now
        here.handle(.tick)
        here.endTurn()
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        here.advance(milliseconds: 0)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)

        let message = Command.sendMessage("hello")
        here.handle(
            .presence([PresenceChange(room: Auction.room, user: auction.host.id, isPresent: true, at: here.now.monotonic)]))
        here.endTurn()
        #expect(there.response(to: message, of: Auction.room, by: auction.bidder)?.status == 200)
        here.settle()
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `given that the room is being read when the host's last stream closes, they are disconnected after the timeout`()
        throws
    {
        let (here, there) = try nodes()
        here.send(auction.bid(200), to: Auction.room, by: auction.bidder)
        here.endTurn()
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        // The append conflicts, and the room has to be read again.
        here.commit()
        here.handle(
            .presence([PresenceChange(room: Auction.room, user: auction.host.id, isPresent: false, at: here.now.monotonic)]))
        here.settle()
        here.advance(milliseconds: 29_999)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
        here.advance(milliseconds: 1)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == here.now.wall)
    }

    @Test func `a host who returns on one node is not disconnected by another that remembers their absence`() throws {
        let (here, there) = try nodes()
        there.streams(of: auction.host, open: true)
        there.streams(of: auction.host, open: false)
        here.streams(of: auction.host, open: false)
        here.advance(milliseconds: 30_000)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)
        try there.follow([Auction.room])
        here.streams(of: auction.host, open: true)
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince == nil)
        there.wait(milliseconds: 40_000)
        try there.follow([Auction.room])
        there.advance(milliseconds: 29_999)
        #expect(try there.storedRoom(Auction.room)?.hostGoneSince == nil)
        there.remotePresence([auction.host])
        there.advance(milliseconds: 60_000)
        #expect(try there.storedRoom(Auction.room)?.hostGoneSince == nil)
    }
}
