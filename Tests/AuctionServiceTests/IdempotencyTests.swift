import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct IdempotencyTests {
    private let auction = Auction()
    private let key = IdempotencyKey(key: 77, fingerprint: 1)

    private func opened(_ limits: ServiceLimits = ServiceLimits()) throws -> ServiceHarness {
        let harness = try ServiceHarness(limits: limits)
        auction.open(harness)
        return harness
    }

    @Test func `a repeat gets the first answer and nothing happens twice`() throws {
        let harness = try opened()
        let first = try #require(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        let second = try #require(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        #expect(second.body == first.body)
        #expect(second.headers == [AnswerHeader(name: "Idempotency-Replayed", value: "true")])
        #expect(try harness.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `a repeat after a restart gets the first answer`() throws {
        let harness = try opened()
        let first = try #require(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        let back = try harness.restarted()
        let second = back.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        #expect(second?.body == first.body)
        #expect(try back.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `a repeat of one that still runs waits for its outcome`() throws {
        let harness = try opened()
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        let second = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        #expect(harness.answers[second] == nil)
        harness.commit()
        #expect(harness.answers[first]?.body == harness.answers[second]?.body)
        #expect(try harness.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `another body under the same key is refused`() throws {
        let harness = try opened()
        _ = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        let other = IdempotencyKey(key: 77, fingerprint: 2)
        #expect(harness.answer(to: auction.bid(200), of: Auction.room, by: auction.bidder, key: other)?.text == "keyReused")
    }

    @Test func `a refused command is decided anew`() throws {
        let harness = try opened()
        #expect(
            harness.answer(to: auction.bid(50), of: Auction.room, by: auction.bidder, key: key)?.text == "bid.below_minimum")
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)?.status == 200)
    }

    @Test func `opening a room twice with one key opens one`() throws {
        let harness = try ServiceHarness()
        let open = Command.openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public))
        let first = harness.send(open, to: Auction.room, by: auction.host, key: key)
        let second = harness.send(open, to: Auction.room, by: auction.host, key: key)
        harness.settle()
        #expect(harness.answers[first]?.status == 200)
        #expect(harness.answers[second]?.body == harness.answers[first]?.body)
        #expect(try harness.storedRoom(Auction.room)?.seq == 1)
    }

    @Test func `a key is free again after a day`() throws {
        let harness = try opened()
        _ = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        _ = harness.answer(to: .endAuction(Advance()), of: Auction.room, by: auction.host)
        harness.now = Now(
            wall: Timestamp(milliseconds: harness.now.wall.milliseconds + 24 * 3_600_000 + 1),
            monotonic: harness.now.monotonic)
        let again = harness.answer(to: .leave, of: Auction.room, by: auction.bidder, key: key)
        #expect(again?.headers.isEmpty == true)
    }

    @Test func `a user with very many keys costs others none of theirs, here and after a restart`() throws {
        var limits = ServiceLimits()
        (limits.keysPerRoom, limits.keysPerUser) = (20, 10)
        let harness = try opened(limits)
        let first = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        for number in 0..<40 {
            let key = IdempotencyKey(key: UInt128(1000 + number), fingerprint: 1)
            let bid = auction.bid(Int64(200 + 100 * number))
            let raise = Command.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: Int64(100_000 + number))))
            #expect(
                harness.answer(to: number == 0 ? bid : raise, of: Auction.room, by: auction.rival, key: key)?.status == 200)
        }
        for node in [harness, try harness.restarted(limits)] {
            let again = node.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
            #expect(again?.body == first?.body)
        }
    }

    @Test func `those who wait for a command that is lost are decided like it`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.io, "the disk is gone"))
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        let second = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.settle()
        #expect(harness.answers[first]?.status == 503)
        #expect(harness.answers[second]?.status == 503)
    }
}
