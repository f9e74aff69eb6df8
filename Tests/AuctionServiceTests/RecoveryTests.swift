import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct RecoveryTests {
    private let auction = Auction()

    private func later(_ harness: ServiceHarness, milliseconds: Int64) -> Now {
        Now(
            wall: Timestamp(milliseconds: harness.now.wall.milliseconds + milliseconds),
            monotonic: harness.now.monotonic + milliseconds * 1_000_000)
    }

    @Test func `a round that fell due while nobody was there gets its countdown again`() throws {
        let harness = try ServiceHarness()
        auction.open(harness)
        _ = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        harness.now = later(harness, milliseconds: 3_600_000)
        let back = try harness.restarted()
        #expect(back.isRecovered)
        let room = try #require(try back.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt?.milliseconds(since: back.now.wall) == 15_250)
        #expect(room.currentBid?.bidder == auction.bidder)
    }

    @Test func `a round with time left keeps its end`() throws {
        let harness = try ServiceHarness()
        auction.open(harness, biddingSeconds: 600)
        let end = try harness.storedRoom(Auction.room)?.endsAt
        harness.now = later(harness, milliseconds: 100_000)
        let back = try harness.restarted()
        #expect(try back.storedRoom(Auction.room)?.endsAt == end)
        #expect(back.nextTick == end)
    }

    @Test func `a long countdown gets at most a minute`() throws {
        let harness = try ServiceHarness()
        auction.open(harness, biddingSeconds: 600)
        harness.now = later(harness, milliseconds: 599_000)
        let back = try harness.restarted()
        let room = try #require(try back.storedRoom(Auction.room))
        #expect(room.endsAt?.milliseconds(since: back.now.wall) == 60_250)
    }

    @Test func `a start without open rooms is ready at once`() throws {
        let harness = try ServiceHarness().restarted()
        #expect(harness.isRecovered)
    }

    @Test func `what was not committed never happened`() throws {
        let harness = try ServiceHarness()
        auction.open(harness)
        let exchange = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.answers[exchange] == nil)
        let back = try harness.restarted()
        #expect(try back.storedRoom(Auction.room)?.currentBid == nil)
        #expect(back.answer(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
    }
}

struct FailureTests {
    private let auction = Auction()

    @Test func `a poisoned room costs its sender a failure and nobody else anything`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        let other = RoomID(bits: 9)
        auction.open(harness, room: other)
        log.poison(room: other)
        let good = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let bad = harness.send(auction.bid(100), to: other, by: auction.bidder)
        harness.settle()
        #expect(harness.answers[good]?.status == 200)
        #expect(harness.answers[bad]?.text == "poisoned")
        #expect(harness.failure == nil)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 100))
        #expect(try harness.storedRoom(other)?.currentPrice == nil)
    }

    @Test func `a failed disk acknowledges nothing any more`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.io, "the disk is gone"))
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.endTurn()
        harness.settle()
        #expect(harness.answers[first]?.text == "outcomeUnknown")
        #expect(harness.answers[second]?.status == 503)
        #expect(harness.failure?.code == .io)
        let third = harness.answer(to: auction.bid(300), of: Auction.room, by: auction.bidder)
        #expect(third?.text == "logUnavailable")
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == nil)
    }

    @Test func `a disk that fails while nothing is appended is a failed log all the same`() throws {
        let harness = try ServiceHarness()
        auction.open(harness)
        harness.handle(.logLost(EventLogError(.io, "the checkpoint's sync failed")))
        harness.settle()
        #expect(harness.failure?.code == .io)
        let bid = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        #expect(bid?.text == "logUnavailable")
    }

    @Test func `a full disk refuses what does not fit and goes on when there is space again`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.full, "no space"))
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.text == "logUnavailable")
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentBid?.bidder == auction.rival)
    }

    /// A log that others share, with the clock of the harness.
    private func shared() throws -> (log: InMemoryEventLog, harness: ServiceHarness, clock: HarnessClock) {
        let clock = HarnessClock()
        let log = InMemoryEventLog(clock: { clock.wall })
        let harness = try ServiceHarness(log: log)
        clock.harness = harness
        return (log, harness, clock)
    }

    @Test(arguments: [true, false])
    func `a shared log whose reply got lost goes on, with what turns out to be there`(isCommitted: Bool) throws {
        let (log, harness, _) = try shared()
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "no reply"), afterCommitting: isCommitted)
        let key = IdempotencyKey(key: 7, fingerprint: 7)
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.settle()
        #expect(harness.answers[first]?.text == "outcomeUnknown")
        #expect(harness.failure == nil)
        // In the same transaction.
        #expect(harness.answers[second]?.text == "outcomeUnknown")
        let amounts = try harness.storedRoom(Auction.room)?.bids.all.map(\.amount.minorUnits)
        #expect(amounts == (isCommitted ? [100, 200] : []))
        // The same key never makes another bid of a bid that is there.
        let repeated = harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        #expect(repeated?.status == 200)
        #expect((repeated?.headers.isEmpty == false) == isCommitted, "replayed if it was there")
        #expect(try harness.storedRoom(Auction.room)?.bids.count == (isCommitted ? 2 : 1))
        #expect(harness.answer(to: auction.bid(300), of: Auction.room, by: auction.rival)?.status == (isCommitted ? 409 : 200))
    }

    @Test func `a shared log out of reach refuses, and takes everything again when it is back`() throws {
        let (log, harness, _) = try shared()
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.unavailable, "connection refused"))
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.text == "logUnavailable")
        #expect(harness.failure == nil)
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentBid?.bidder == auction.rival)
    }

    @Test func `what ends by itself tells the log when it was due`() throws {
        let (log, harness, clock) = try shared()
        auction.open(harness)
        let due = try #require(try harness.storedRoom(Auction.room)?.dueAt)
        #expect(try log.overdueRooms(by: 0, limit: 9).isEmpty)
        harness.wait(until: due)
        // The log's clock is behind this node's: to it the round is not over.
        clock.behind = 20
        harness.handle(.tick)
        harness.endTurn()
        harness.commit()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        clock.behind = 0
        #expect(try log.overdueRooms(by: 0, limit: 9) == [Auction.room])
        // It is tried again in a moment, and not at once.
        harness.settle()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        harness.wait(milliseconds: 10)
        harness.handle(.tick)
        harness.settle()
        harness.handle(.tick)
        harness.settle()
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
        #expect(try log.overdueRooms(by: 0, limit: 9).isEmpty)
    }

    @Test func `a room that another writer advanced is read anew and decided again in order`() throws {
        let log = InMemoryEventLog()
        let here = try ServiceHarness(log: log)
        auction.open(here)
        let there = try here.restarted()
        #expect(there.answer(to: auction.bid(500), of: Auction.room, by: auction.rival)?.status == 200)
        let low = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let high = here.send(auction.bid(700), to: Auction.room, by: auction.bidder)
        here.settle()
        #expect(here.answers[low]?.text == "bid.below_minimum")
        #expect(here.answers[high]?.status == 200)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.bids.all.map(\.amount) == [Money(minorUnits: 500), Money(minorUnits: 700)])
    }

    @Test func `batches behind a lost one are lost too, and nothing is answered twice`() throws {
        let log = InMemoryEventLog()
        let here = try ServiceHarness(log: log)
        auction.open(here)
        let there = try here.restarted()
        #expect(there.answer(to: auction.bid(500), of: Auction.room, by: auction.rival)?.status == 200)
        var exchanges: [UInt64] = []
        for step in 0..<6 {
            exchanges.append(
                here.send(
                    auction.bid(600 + Int64(step) * 100), to: Auction.room,
                    by: step % 2 == 0 ? auction.bidder : auction.rival))
            here.endTurn()
        }
        here.settle()
        #expect(exchanges.allSatisfy { here.answers[$0]?.status == 200 })
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.bids.all.map(\.amount.minorUnits) == [500, 600, 700, 800, 900, 1000, 1100])
    }
}

/// The clock of a log that a harness uses, which may be behind. `@unchecked Sendable`: a harness is one thread's, and so is this.
final class HarnessClock: @unchecked Sendable {
    var harness: ServiceHarness?
    var behind: Int64 = 0

    var wall: Timestamp { harness?.now.wall.advanced(byMilliseconds: -behind) ?? Timestamp(milliseconds: 0) }
}
