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

    @Test func `after an outage, a round whose deadline expired gets its full countdown again`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        harness.now = later(harness, milliseconds: 3_600_000)
        let back = try harness.restarted()
        #expect(back.isRecovered)
        let room = try #require(try back.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt?.milliseconds(since: back.now.wall) == 15_250)
        #expect(room.currentBid?.bidder == auction.bidder)
    }

    @Test func `after an outage, a deadline that has not expired stays the same`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        let deadline = try harness.storedRoom(Auction.room)?.endsAt
        harness.now = later(harness, milliseconds: 100_000)
        let back = try harness.restarted()
        #expect(try back.storedRoom(Auction.room)?.endsAt == deadline)
        // It is read some seconds before.
        back.wait(until: try #require(back.nextTick))
        back.handleTick()
        #expect(try back.storedRoom(Auction.room)?.endsAt == deadline)
        #expect(back.nextTick == deadline)
    }

    @Test func `after an outage, a long countdown is extended to at most a minute`() throws {
        let harness = try auction.opened(biddingSeconds: 600)
        harness.now = later(harness, milliseconds: 599_000)
        let back = try harness.restarted()
        let room = try #require(try back.storedRoom(Auction.room))
        #expect(room.endsAt?.milliseconds(since: back.now.wall) == 60_250)
    }

    @Test func `a service without open rooms is recovered at once`() throws {
        let harness = try ServiceHarness().restarted()
        #expect(harness.isRecovered)
    }

    @Test func `an uncommitted bid is gone after a restart`() throws {
        let harness = try auction.opened()
        let exchange = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        #expect(harness.responses[exchange] == nil)
        let back = try harness.restarted()
        #expect(try back.storedRoom(Auction.room)?.currentBid == nil)
        #expect(back.response(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
    }
}

struct FailureTests {
    private let auction = Auction()

    @Test func `given an append that fails for one room, only its own command fails`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        let other = RoomID(bits: 9)
        auction.open(harness, room: other)
        log.poison(room: other)
        let good = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let bad = harness.send(auction.bid(100), to: other, by: auction.bidder)
        harness.settle()
        #expect(harness.responses[good]?.status == 200)
        #expect(harness.responses[bad]?.text == "poisoned")
        #expect(harness.failure == nil)
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == Money(minorUnits: 100))
        #expect(try harness.storedRoom(other)?.currentPrice == nil)
    }

    @Test func `after the disk has failed, no command is acknowledged`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.io, "the disk is gone"))
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.endTurn()
        harness.settle()
        #expect(harness.responses[first]?.text == "outcomeUnknown")
        #expect(harness.responses[second]?.status == 503)
        #expect(harness.failure?.code == .io)
        let third = harness.response(to: auction.bid(300), of: Auction.room, by: auction.bidder)
        #expect(third?.text == "logUnavailable")
        #expect(try harness.storedRoom(Auction.room)?.currentPrice == nil)
    }

    @Test func `a disk failure outside of an append fails the log too`() throws {
        let harness = try auction.opened()
        harness.handle(.logFailed(EventLogError(.io, "the checkpoint's sync failed")))
        harness.settle()
        #expect(harness.failure?.code == .io)
        let bid = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        #expect(bid?.text == "logUnavailable")
    }

    @Test func `a full disk refuses a command, and accepts commands once there is space`() throws {
        let log = InMemoryEventLog()
        let harness = try ServiceHarness(log: log)
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.full, "no space"))
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.text == "logUnavailable")
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentBid?.bidder == auction.rival)
    }

    /// A shared log whose clock is the harness's clock.
    private func shared() throws -> (log: InMemoryEventLog, harness: ServiceHarness, clock: HarnessClock) {
        let (harness, clock) = try ServiceHarness.onSharedLog()
        return (harness.log, harness, clock)
    }

    @Test(arguments: [true, false])
    func `given a shared log whose reply is lost, the node continues with what was stored`(isCommitted: Bool) throws {
        let (log, harness, _) = try shared()
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "no reply"), afterCommitting: isCommitted)
        let key = IdempotencyKey(key: 7, fingerprint: 7)
        let first = harness.send(auction.bid(100), to: Auction.room, by: auction.bidder, key: key)
        harness.endTurn()
        let second = harness.send(auction.bid(200), to: Auction.room, by: auction.rival)
        harness.settle()
        #expect(harness.responses[first]?.text == "outcomeUnknown")
        #expect(harness.failure == nil)
        // It was in the same transaction.
        #expect(harness.responses[second]?.text == "outcomeUnknown")
        let amounts = try harness.storedRoom(Auction.room)?.bids.all.map(\.amount.minorUnits)
        #expect(amounts == (isCommitted ? [100, 200] : []))
        // A repeat with the same key never places a second bid.
        let repeated = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        #expect(repeated?.status == 200)
        #expect((repeated?.headers.isEmpty == false) == isCommitted, "replayed if the first append was committed")
        #expect(try harness.storedRoom(Auction.room)?.bids.count == (isCommitted ? 2 : 1))
        #expect(
            harness.response(to: auction.bid(300), of: Auction.room, by: auction.rival)?.status == (isCommitted ? 409 : 200))
    }

    @Test func `an unreachable shared log refuses commands, and accepts them once it is back`() throws {
        let (log, harness, _) = try shared()
        auction.open(harness)
        log.failNextAppend(with: EventLogError(.unavailable, "connection refused"))
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.text == "logUnavailable")
        #expect(harness.failure == nil)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
        #expect(try harness.storedRoom(Auction.room)?.currentBid?.bidder == auction.rival)
    }

    @Test func `given a log whose clock lags, closing an expired round is deferred and retried`() throws {
        let (log, harness, clock) = try shared()
        auction.open(harness)
        let due = try #require(try harness.storedRoom(Auction.room)?.dueAt)
        #expect(try log.roomsPastDeadline(by: 0, limit: 9).isEmpty)
        harness.wait(until: due)
        // The log's clock lags behind this node's: by the log's clock the deadline has not expired.
        clock.lagMilliseconds = 20
        harness.handle(.tick)
        harness.endTurn()
        harness.commit()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        clock.lagMilliseconds = 0
        #expect(try log.roomsPastDeadline(by: 0, limit: 9) == [Auction.room])
        // It is retried after a delay, not at once.
        harness.settle()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        harness.advance(milliseconds: 10)
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
        #expect(try log.roomsPastDeadline(by: 0, limit: 9).isEmpty)
    }

    @Test func `given a conflict with another node, the room is read again and the commands are decided again in order`() throws
    {
        let log = InMemoryEventLog()
        let here = try ServiceHarness(log: log)
        auction.open(here)
        let there = try here.restarted()
        #expect(there.response(to: auction.bid(500), of: Auction.room, by: auction.rival)?.status == 200)
        let low = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let high = here.send(auction.bid(700), to: Auction.room, by: auction.bidder)
        here.settle()
        #expect(here.responses[low]?.text == "bid.below_minimum")
        #expect(here.responses[high]?.status == 200)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.bids.all.map(\.amount) == [Money(minorUnits: 500), Money(minorUnits: 700)])
    }

    @Test func `given a conflict, later batches in flight conflict too, and every command gets one response`() throws {
        let log = InMemoryEventLog()
        let here = try ServiceHarness(log: log)
        auction.open(here)
        let there = try here.restarted()
        #expect(there.response(to: auction.bid(500), of: Auction.room, by: auction.rival)?.status == 200)
        var exchanges: [UInt64] = []
        for step in 0..<6 {
            exchanges.append(
                here.send(
                    auction.bid(600 + Int64(step) * 100), to: Auction.room,
                    by: step % 2 == 0 ? auction.bidder : auction.rival))
            here.endTurn()
        }
        here.settle()
        #expect(exchanges.allSatisfy { here.responses[$0]?.status == 200 })
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.bids.all.map(\.amount.minorUnits) == [500, 600, 700, 800, 900, 1000, 1100])
    }
}
