import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct IdempotencyTests {
    private let auction = Auction()
    private let key = IdempotencyKey(key: 77, fingerprint: 1)

    @Test func `a repeat gets the first response and has no effect`() throws {
        let harness = try auction.opened()
        let first = try #require(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        let second = try #require(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        #expect(second.body == first.body)
        #expect(second.headers == [ResponseHeader(name: "Idempotency-Replayed", value: "true")])
        #expect(try harness.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `a repeat after a restart gets the first response`() throws {
        let harness = try auction.opened()
        let first = try #require(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        let back = try harness.restarted()
        let second = back.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        #expect(second?.body == first.body)
        #expect(try back.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `a repeat of a command in flight waits for its outcome`() throws {
        let harness = try auction.opened()
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        let second = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        #expect(harness.responses[second] == nil)
        harness.commit()
        #expect(harness.responses[first]?.body == harness.responses[second]?.body)
        #expect(try harness.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `a key with another request body is refused`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        let other = IdempotencyKey(key: 77, fingerprint: 2)
        #expect(harness.response(to: auction.bid(200), of: Auction.room, by: auction.bidder, key: other)?.text == "keyReused")
    }

    @Test func `a repeat of a refused command is decided again`() throws {
        let harness = try auction.opened()
        #expect(
            harness.response(to: auction.bid(50), of: Auction.room, by: auction.bidder, key: key)?.text == "bid.below_minimum")
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)?.status == 200)
    }

    @Test func `opening a room twice with one key opens one room`() throws {
        let harness = try ServiceHarness()
        let open = Command.openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public))
        let first = harness.send(open, to: Auction.room, by: auction.host, key: key)
        let second = harness.send(open, to: Auction.room, by: auction.host, key: key)
        harness.settle()
        #expect(harness.responses[first]?.status == 200)
        #expect(harness.responses[second]?.body == harness.responses[first]?.body)
        #expect(try harness.storedRoom(Auction.room)?.seq == 1)
    }

    @Test func `a key can be used again after a day`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        harness.now = Now(
            wall: Timestamp(milliseconds: harness.now.wall.milliseconds + 24 * 3_600_000 + 1),
            monotonic: harness.now.monotonic)
        let again = harness.response(to: .leave, of: Auction.room, by: auction.bidder, key: key)
        #expect(again?.headers.isEmpty == true)
    }

    @Test func `a user with very many keys evicts no other user's keys, also after a restart`() throws {
        var limits = ServiceLimits()
        (limits.keysPerRoom, limits.keysPerUser) = (20, 10)
        let harness = try auction.opened(limits: limits)
        let first = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        for number in 0..<40 {
            let key = IdempotencyKey(key: UInt128(1000 + number), fingerprint: 1)
            let bid = auction.bid(Int64(200 + 100 * number))
            let raise = Command.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: Int64(100_000 + number))))
            #expect(
                harness.response(to: number == 0 ? bid : raise, of: Auction.room, by: auction.rival, key: key)?.status == 200)
        }
        for node in [harness, try harness.restarted(limits)] {
            let again = node.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
            #expect(again?.body == first?.body)
        }
    }

    @Test func `repeats of a command whose append fails get its failure`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.io, "the disk is gone"))
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        let second = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.settle()
        #expect(harness.responses[first]?.status == 503)
        #expect(harness.responses[second]?.status == 503)
    }
}
