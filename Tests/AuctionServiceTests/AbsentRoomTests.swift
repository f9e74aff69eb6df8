import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Rooms that were not there when somebody looked, and that another node opens meanwhile.
struct AbsentRoomTests {
    private let auction = Auction()
    private let early = ReplyAddress(loop: 0, exchange: 901)
    private let late = ReplyAddress(loop: 0, exchange: 902)

    private func nodes() throws -> (here: ServiceHarness, there: ServiceHarness) {
        let clock = HarnessClock()
        let log = InMemoryEventLog(clock: { clock.wall })
        let here = try ServiceHarness(log: log)
        clock.harness = here
        return (here, try ServiceHarness(log: log, now: here.now))
    }

    @Test func `whoever asks after another node opened the room gets it, although it was absent when reading began`() throws {
        let (here, there) = try nodes()
        here.handle(.touch(Auction.room, early))
        here.endTurn()
        // The reading is under way, and will not find what happens now.
        auction.open(there)
        here.handle(.touch(Auction.room, late))
        let bid = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        here.handle(.loaded(Auction.room, .success(nil)))
        here.endTurn()
        #expect(here.touched.map(\.0) == [early], "who asked before may be told that there is none")
        #expect(here.answers[bid] == nil)
        here.settle()
        #expect(here.touched.map(\.0) == [early, late])
        #expect(here.published.last?.room.id == Auction.room)
        #expect(here.answers[bid]?.status == 200)
    }

    @Test func `a room that is nowhere is not looked for again and again`() throws {
        let (here, _) = try nodes()
        here.handle(.touch(Auction.room, early))
        here.endTurn()
        here.handle(.touch(Auction.room, late))
        here.handle(.touch(Auction.room, ReplyAddress(loop: 0, exchange: 903)))
        let bid = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        for told in [1, 3] {
            here.handle(.loaded(Auction.room, .success(nil)))
            here.endTurn()
            #expect(here.touched.count == told)
        }
        #expect(here.answers[bid]?.text == "room.not_found")
    }

    @Test func `on a log of one's own nobody else opens rooms, and one look does for all`() throws {
        let here = try ServiceHarness()
        here.handle(.touch(Auction.room, early))
        here.endTurn()
        here.handle(.touch(Auction.room, late))
        here.handle(.loaded(Auction.room, .success(nil)))
        here.endTurn()
        #expect(here.touched.map(\.0) == [early, late])
    }

    @Test func `whoever wants a room as it is now gets no older one, because somebody was reading it already`() throws {
        let (here, there) = try nodes()
        auction.open(there)
        here.handle(.touch(Auction.room, early))
        here.endTurn()
        let before = try #require(
            try RoomLoader.load(Auction.room, from: here.log, answersSince: here.now.wall, answersPerOwner: .max))
        #expect(there.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        here.handle(.freshen(Auction.room, late))
        here.handle(.loaded(Auction.room, .success(before)))
        here.endTurn()
        #expect(here.touched.map(\.0) == [early])
        here.settle()
        #expect(here.touched.map(\.0) == [early, late])
        #expect(here.published.last?.room.currentPrice == Money(minorUnits: 100))
    }
}
