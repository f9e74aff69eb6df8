import AuctionDomain
import AuctionService
import AuctionTestKit
import Testing

/// Disconnection of a host.
struct PresenceTests {
    private let auction = Auction()

    @Test func `a host without a stream for thirty seconds is disconnected, and the round pauses`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        #expect(harness.nextTick == harness.now.wall + Seconds(30))
        harness.advance(milliseconds: 29_999)
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        harness.advance(milliseconds: 1)
        let room = try #require(try harness.storedRoom(Auction.room))
        // The only auctioneer owns the item, so no other user can take over.
        #expect(room.state == .paused)
        #expect(room.hostGoneSince == harness.now.wall)
        #expect(room.endsAt == nil)
    }

    @Test func `a host who opens a stream in time is never disconnected`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 20_000)
        harness.streams(of: auction.host, open: true)
        harness.advance(milliseconds: 20_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    /// Found by simulation: the room was evicted between two long-polls, and the end of the first one, which is reported later, counted as
    /// that of the second, on another event loop.
    @Test func `a host with a stream is not disconnected by the end of one from before the room was evicted`() throws {
        var limits = ServiceLimits()
        limits.idleRoomSeconds = 1
        let harness = try ServiceHarness(limits: limits)
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        _ = harness.response(to: .openRoom(open), of: Auction.room, by: auction.host)
        harness.streams(of: auction.host, open: true)
        harness.wait(milliseconds: 2000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 0)
        harness.handle(.ensureLoaded(Auction.room, ReplyAddress(loop: 0, exchange: 99)))
        harness.settle()
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
    }

    @Test func `closing one of two streams changes nothing`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 60_000)
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
    }

    @Test func `a host who never opened a stream never disconnects`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.advance(milliseconds: 300_000)
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
    }

    @Test func `a user who becomes host by a link is not disconnected for an absence as auctioneer`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        harness.streams(of: auction.auctioneer, open: true)
        harness.streams(of: auction.auctioneer, open: false)
        harness.advance(milliseconds: 40_000)
        let response = harness.response(to: .linkGuest(auction.host), of: Auction.room, by: auction.auctioneer)
        try #require(response?.status == 200)
        harness.advance(milliseconds: 29_999)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.host == auction.auctioneer)
        #expect(room.hostGoneSince == nil)
        harness.advance(milliseconds: 1)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == harness.now.wall)
    }

    @Test func `a host who returns can resume the round`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 30_000)
        harness.streams(of: auction.host, open: true)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince == nil)
        #expect(harness.response(to: .resume(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
    }

    @Test func `a round without a host closes after ten minutes`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 30_000)
        #expect(try harness.storedRoom(Auction.room)?.closesWithoutHostAt == harness.now.wall + Seconds(600))
        harness.advance(milliseconds: 599_999)
        #expect(try harness.storedRoom(Auction.room)?.state == .paused)
        harness.advance(milliseconds: 1)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .closed)
        #expect(room.results.last?.outcome == .sold(to: auction.bidder, price: Money(minorUnits: 100)))
    }

    @Test func `the ten minutes continue after a restart, not counting the downtime`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 30_000)
        harness.wait(milliseconds: 3_600_000)
        let back = try harness.restarted()
        #expect(back.loadedRooms == 1)
        #expect(try back.storedRoom(Auction.room)?.state == .paused)
        #expect(try back.storedRoom(Auction.room)?.closesWithoutHostAt == back.now.wall + Seconds(600))
    }

    @Test func `an auctioneer succeeds a disconnected host, and the round continues`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        let other = Person(id: UserID(bits: 9), nickname: "Olga")
        _ = harness.response(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: Auction.room, by: other)
        _ = harness.response(
            to: .changeMember(other.id, MemberChanges(role: .auctioneer)), of: Auction.room, by: auction.host)
        harness.streams(of: auction.host, open: true)
        harness.streams(of: auction.host, open: false)
        harness.advance(milliseconds: 30_000)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.host == other)
        #expect(room.members[other.id]?.role == .host)
        #expect(room.members[auction.host.id]?.role == .viewer)
        #expect(room.members.count(of: .host) == 1)
        #expect(room.state == .auctioning)
    }

    @Test func `a watched room is not unloaded`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        harness.wait(milliseconds: 601_000)
        harness.handle(.sweep(watched: [Auction.room]))
        harness.settle()
        #expect(harness.loadedRooms == 1)
    }
}
