import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct SequencerTests {
    private let auction = Auction()

    @Test func `no response is sent before the commit`() throws {
        let harness = try auction.opened()
        let exchange = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.responses[exchange] == nil)
        harness.commit()
        #expect(harness.responses[exchange]?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 100))
    }

    @Test func `a bid is decided while the previous one is in flight`() throws {
        let harness = try auction.opened()
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.endTurn()
        harness.settle()
        #expect(harness.responses[first]?.status == 200)
        #expect(harness.responses[second]?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 200))
    }

    @Test func `a refusal is sent only after the events it depends on are committed`() throws {
        let harness = try auction.opened()
        harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let refused = harness.send(auction.bid(100), to: Auction.room, by: auction.rival)
        harness.endTurn()
        #expect(harness.responses[refused] == nil)
        harness.commit()
        #expect(harness.responses[refused]?.text == "bid.below_minimum")
    }

    @Test func `a refusal is sent at once if nothing is in flight`() throws {
        let harness = try auction.opened()
        let refused = harness.send(auction.bid(50), to: Auction.room, by: auction.rival)
        harness.endTurn()
        #expect(harness.responses[refused]?.text == "bid.below_minimum")
    }

    @Test func `a command for a missing room is refused as not found, and the room uses no memory`() throws {
        let harness = try auction.opened()
        #expect(harness.response(to: auction.bid(100), of: RoomID(bits: 8), by: auction.bidder)?.text == "room.not_found")
        #expect(harness.loadedRooms == 1)
    }

    @Test func `commands for a room that is being read are decided in order after the read`() throws {
        let harness = try auction.opened().restarted()
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 3_600_000_000_000)
        #expect(harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        let cold = try harness.restarted()
        let start = cold.send(.startAuction(AuctionTransition()), to: Auction.room, by: auction.host)
        let again = cold.send(.startAuction(AuctionTransition()), to: Auction.room, by: auction.host)
        cold.settle()
        #expect(cold.responses[start]?.status == 200)
        #expect(cold.responses[again]?.text == "start.no_item")
    }

    @Test func `commands beyond the limit are refused as overloaded while a room is being read`() throws {
        var limits = ServiceLimits()
        limits.parkedCommandsPerRoom = 3
        let harness = try ServiceHarness(limits: limits)
        let exchanges = (0..<5).map { _ in harness.send(auction.bid(100), to: Auction.room, by: auction.bidder) }
        harness.settle()
        #expect(
            exchanges.map { harness.responses[$0]?.text } == [
                "room.not_found", "room.not_found", "room.not_found", "overloaded", "overloaded",
            ])
    }

    @Test func `a bid at the deadline is refused, and a bid just before it extends the deadline`() throws {
        let harness = try auction.opened()
        let deadline = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        harness.wait(until: deadline.advanced(byMilliseconds: -1))
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let moved = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        #expect(moved.milliseconds(since: deadline) == 14_999)
        harness.wait(until: moved)
        #expect(harness.response(to: auction.bid(200), of: Auction.room, by: auction.rival)?.text == "bid.not_auctioning")
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
    }

    @Test func `a tick at the deadline closes the round exactly once`() throws {
        let harness = try auction.opened()
        let deadline = try #require(harness.nextTick)
        harness.wait(until: deadline)
        harness.handle(.tick)
        harness.handleTick()
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .closed)
        #expect(room.results.count == 1)
        #expect(harness.nextTick == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `given an expired deadline without a transition, in a log edited by hand, the loop does not spin`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        _ = harness.response(to: .startAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        var room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .preparing)
        let late = BidPlaced(
            bid: BidID(bits: 9), amount: Money(minorUnits: 900), bidder: auction.rival, leading: true, origin: .bidder,
            nextMinimum: Money(minorUnits: 1000), endsAt: harness.now.wall)
        try room.apply(Event(seq: room.seq + 1, at: harness.now.wall, round: 2, body: .bidPlaced(late)))
        let fresh = try ServiceHarness(now: harness.now)
        fresh.handle(.ensureLoaded(room.id, ReplyAddress(loop: 0, exchange: 1)))
        fresh.handle(
            .loaded(
                room.id, .success(.init(room: ReplayedRoom(room: room, hash: .zero), keys: [], snapshots: SnapshotSpacing()))))
        fresh.handle(.tick)
        #expect(fresh.nextTick == nil)
    }

    @Test func `a read of a room whose opening is in flight leaves the room usable`() throws {
        let harness = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        let opening = harness.send(.openRoom(open), to: Auction.room, by: auction.host)
        harness.handle(.ensureLoaded(Auction.room, ReplyAddress(loop: 0, exchange: 99)))
        harness.endTurn()
        harness.commit()
        harness.load()
        harness.settle()
        #expect(harness.responses[opening]?.status == 200)
        let refused = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.responses[refused] != nil, "nothing of the room is in flight, so a refusal is sent at once")
    }

    @Test func `given a wall clock that was set back, a new event gets the timestamp of the last one`() throws {
        let harness = try auction.opened()
        let before = try #require(try harness.storedRoom(Auction.room))
        harness.now = Now(wall: Timestamp(milliseconds: 0), monotonic: harness.now.monotonic)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let after = try #require(try harness.storedRoom(Auction.room))
        #expect(after.lastEventAt == before.lastEventAt)
    }

    @Test func `an idle room is unloaded, and loaded again in the same state`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        let before = try harness.storedRoom(Auction.room)
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 601_000_000_000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 0)
        harness.handle(.ensureLoaded(Auction.room, ReplyAddress(loop: 0, exchange: 0)))
        harness.settle()
        #expect(harness.published.last?.room == before)
        #expect(harness.response(to: .startAuction(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.round == 2)
    }

    @Test func `a room with a running countdown is never unloaded`() throws {
        let harness = try auction.opened()
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 601_000_000_000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 1)
    }
}
