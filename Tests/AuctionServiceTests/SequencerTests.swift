import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// A room with an item of a host, an auctioneer and two bidders, as commands through the sequencer.
struct Auction {
    static let room = RoomID(bits: 7)
    let host = Person(id: UserID(bits: 1), nickname: "Hana")
    let auctioneer = Person(id: UserID(bits: 2), nickname: "Anna")
    let bidder = Person(id: UserID(bits: 3), nickname: "Xu")
    let rival = Person(id: UserID(bits: 4), nickname: "Yves")

    func open(_ harness: ServiceHarness, room: RoomID = Self.room, biddingSeconds: Int = 15) {
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        _ = harness.answer(to: .openRoom(open), of: room, by: host)
        _ = harness.answer(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: room, by: auctioneer)
        _ = harness.answer(to: .changeMember(auctioneer.id, MemberChanges(role: .auctioneer)), of: room, by: host)
        for person in [bidder, rival] {
            _ = harness.answer(to: .join(JoinRoom(role: .bidder, inviteCode: nil)), of: room, by: person)
        }
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)), listing: Seconds(0),
            bidding: Seconds(biddingSeconds))
        _ = harness.answer(
            to: .uploadItem(UploadItem(name: "Phone", description: "", media: [], rules: rules)), of: room, by: auctioneer)
        _ = harness.answer(to: .startAuction(Advance()), of: room, by: host)
    }

    func bid(_ minorUnits: Int64) -> Command { .placeBid(PlaceBid(amount: Money(minorUnits: minorUnits))) }
}

struct SequencerTests {
    private let auction = Auction()

    private func opened(biddingSeconds: Int = 15, limits: ServiceLimits = ServiceLimits()) throws -> ServiceHarness {
        let harness = try ServiceHarness(limits: limits)
        auction.open(harness, biddingSeconds: biddingSeconds)
        return harness
    }

    @Test func `nobody is answered before the commit`() throws {
        let harness = try opened()
        let exchange = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.answers[exchange] == nil)
        harness.commit()
        #expect(harness.answers[exchange]?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 100))
    }

    @Test func `the next bid is decided while the first is on its way`() throws {
        let harness = try opened()
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.endTurn()
        harness.settle()
        #expect(harness.answers[first]?.status == 200)
        #expect(harness.answers[second]?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 200))
    }

    @Test func `a refusal waits for the events that it saw`() throws {
        let harness = try opened()
        harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let refused = harness.send(auction.bid(100), to: Auction.room, by: auction.rival)
        harness.endTurn()
        #expect(harness.answers[refused] == nil)
        harness.commit()
        #expect(harness.answers[refused]?.text == "bid.below_minimum")
    }

    @Test func `a refusal with nothing on its way is answered at once`() throws {
        let harness = try opened()
        let refused = harness.send(auction.bid(50), to: Auction.room, by: auction.rival)
        harness.endTurn()
        #expect(harness.answers[refused]?.text == "bid.below_minimum")
    }

    @Test func `a room that does not exist is not found, and takes no memory`() throws {
        let harness = try opened()
        #expect(harness.answer(to: auction.bid(100), of: RoomID(bits: 8), by: auction.bidder)?.text == "room.not_found")
        #expect(harness.loadedRooms == 1)
    }

    @Test func `commands for a room being read wait in order`() throws {
        let harness = try opened().restarted()
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 3_600_000_000_000)
        #expect(harness.answer(to: .endAuction(Advance()), of: Auction.room, by: auction.host)?.status == 200)
        let cold = try harness.restarted()
        let start = cold.send(.startAuction(Advance()), to: Auction.room, by: auction.host)
        let again = cold.send(.startAuction(Advance()), to: Auction.room, by: auction.host)
        cold.settle()
        #expect(cold.answers[start]?.status == 200)
        #expect(cold.answers[again]?.text == "start.no_item")
    }

    @Test func `no more than the limit wait for one room`() throws {
        var limits = ServiceLimits()
        limits.parkedCommandsPerRoom = 3
        let harness = try ServiceHarness(limits: limits)
        let exchanges = (0..<5).map { _ in harness.send(auction.bid(100), to: Auction.room, by: auction.bidder) }
        harness.settle()
        #expect(
            exchanges.map { harness.answers[$0]?.text } == [
                "room.not_found", "room.not_found", "room.not_found", "overloaded", "overloaded",
            ])
    }

    @Test func `the hammer falls before a bid that comes at the end`() throws {
        let harness = try opened()
        let end = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        harness.wait(until: end.advanced(byMilliseconds: -1))
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let moved = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        #expect(moved.milliseconds(since: end) == 14_999)
        harness.wait(until: moved)
        #expect(harness.answer(to: auction.bid(200), of: Auction.room, by: auction.rival)?.text == "bid.not_auctioning")
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
    }

    @Test func `the clock closes a round by itself, and only once`() throws {
        let harness = try opened()
        let end = try #require(harness.nextTick)
        harness.wait(until: end)
        harness.handle(.tick)
        harness.handle(.tick)
        harness.settle()
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .closed)
        #expect(room.results.count == 1)
        #expect(harness.nextTick == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an end that ends nothing, in a log written to by hand, keeps nobody waiting`() throws {
        let harness = try opened()
        _ = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        _ = harness.answer(to: .endAuction(Advance()), of: Auction.room, by: auction.host)
        _ = harness.answer(to: .startAuction(Advance()), of: Auction.room, by: auction.host)
        var room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .preparing)
        let late = BidPlaced(
            bid: BidID(bits: 9), amount: Money(minorUnits: 900), bidder: auction.rival, leading: true, automatic: false,
            nextMinimum: Money(minorUnits: 1000), endsAt: harness.now.wall)
        try room.apply(Event(seq: room.seq + 1, at: harness.now.wall, round: 2, body: .bidPlaced(late)))
        let fresh = try ServiceHarness(now: harness.now)
        fresh.handle(.touch(room.id, ReplyAddress(loop: 0, exchange: 1)))
        fresh.handle(
            .loaded(
                room.id, .success(.init(room: ReplayedRoom(room: room, hash: .zero), keys: [], snapshots: SnapshotSpacing()))))
        fresh.handle(.tick)
        #expect(fresh.nextTick == nil)
    }

    @Test func `whoever looks for a room while it is being opened spoils nothing`() throws {
        let harness = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        let opening = harness.send(.openRoom(open), to: Auction.room, by: auction.host)
        harness.handle(.touch(Auction.room, ReplyAddress(loop: 0, exchange: 99)))
        harness.endTurn()
        harness.commit()
        harness.load()
        harness.settle()
        #expect(harness.answers[opening]?.status == 200)
        let refused = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.answers[refused] != nil, "the room is settled, so a refusal waits for nothing")
    }

    @Test func `a clock that steps back stands still`() throws {
        let harness = try opened()
        let before = try #require(try harness.storedRoom(Auction.room))
        harness.now = Now(wall: Timestamp(milliseconds: 0), monotonic: harness.now.monotonic)
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let after = try #require(try harness.storedRoom(Auction.room))
        #expect(after.lastEventAt == before.lastEventAt)
    }

    @Test func `an idle room leaves the memory and comes back the same`() throws {
        let harness = try opened()
        _ = harness.answer(to: .endAuction(Advance()), of: Auction.room, by: auction.host)
        let before = try harness.storedRoom(Auction.room)
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 601_000_000_000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 0)
        harness.handle(.touch(Auction.room, ReplyAddress(loop: 0, exchange: 0)))
        harness.settle()
        #expect(harness.published.last?.room == before)
        #expect(harness.answer(to: .startAuction(Advance()), of: Auction.room, by: auction.host)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.round == 2)
    }

    @Test func `a room with a running countdown never leaves the memory`() throws {
        let harness = try opened()
        harness.now = Now(wall: harness.now.wall, monotonic: harness.now.monotonic + 601_000_000_000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 1)
    }
}
