import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Rooms that do not exist when a read begins, and that another node opens meanwhile.
struct AbsentRoomTests {
    private let auction = Auction()
    private let early = ReplyAddress(loop: 0, exchange: 901)
    private let late = ReplyAddress(loop: 0, exchange: 902)

    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let (here, _) = try ServiceHarness.onSharedLog()
        return (here, try here.otherNode())
    }

    @Test func `a request after another node opened the room gets it, although the read in flight found none`() throws {
        let (here, there) = try nodes()
        here.handle(.ensureLoaded(Auction.room, early))
        here.endTurn()
        // The read is in flight, and will not find later events.
        auction.open(there)
        here.handle(.ensureLoaded(Auction.room, late))
        let bid = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        here.handle(.loaded(Auction.room, .success(nil)))
        here.endTurn()
        #expect(here.loadFinished.map(\.0) == [early], "only the request before the opening may get \"not found\"")
        #expect(here.responses[bid] == nil)
        here.settle()
        #expect(here.loadFinished.map(\.0) == [early, late])
        #expect(here.published.last?.room.id == Auction.room)
        #expect(here.responses[bid]?.status == 200)
    }

    @Test func `a missing room is read once more for late requests, not again and again`() throws {
        let (here, _) = try nodes()
        here.handle(.ensureLoaded(Auction.room, early))
        here.endTurn()
        here.handle(.ensureLoaded(Auction.room, late))
        here.handle(.ensureLoaded(Auction.room, ReplyAddress(loop: 0, exchange: 903)))
        let bid = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        for replyCount in [1, 3] {
            here.handle(.loaded(Auction.room, .success(nil)))
            here.endTurn()
            #expect(here.loadFinished.count == replyCount)
        }
        #expect(here.responses[bid]?.text == "room.not_found")
    }

    @Test func `on an unshared log one read answers early and late requests`() throws {
        let here = try ServiceHarness()
        here.handle(.ensureLoaded(Auction.room, early))
        here.endTurn()
        here.handle(.ensureLoaded(Auction.room, late))
        here.handle(.loaded(Auction.room, .success(nil)))
        here.endTurn()
        #expect(here.loadFinished.map(\.0) == [early, late])
    }

    @Test func `a refresh during a read in flight gets the state of a later read`() throws {
        let (here, there) = try nodes()
        auction.open(there)
        here.handle(.ensureLoaded(Auction.room, early))
        here.endTurn()
        let before = try #require(
            try RoomLoader.load(Auction.room, from: here.log, keys: WantedKeys(since: here.now.wall)))
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        here.handle(.refresh(Auction.room, late))
        here.handle(.loaded(Auction.room, .success(before)))
        here.endTurn()
        #expect(here.loadFinished.map(\.0) == [early])
        here.settle()
        #expect(here.loadFinished.map(\.0) == [early, late])
        #expect(here.published.last?.room.currentPrice == Money(minorUnits: 100))
    }
}
