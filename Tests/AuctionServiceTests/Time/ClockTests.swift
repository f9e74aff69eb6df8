import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Effects of the clock on a running round.
struct ClockTests {
    private let auction = Auction()

    private func opened() throws -> (ServiceHarness, deadline: Timestamp) {
        let harness = try auction.opened()
        return (harness, try #require(try harness.storedRoom(Auction.room)?.endsAt))
    }

    @Test func `a bid in the last millisecond is accepted`() throws {
        let (harness, deadline) = try opened()
        harness.wait(until: deadline.advanced(byMilliseconds: -1))
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
    }

    @Test func `a bid exactly at the deadline is refused`() throws {
        let (harness, deadline) = try opened()
        harness.wait(until: deadline)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.text == "bid.not_auctioning")
    }

    /// A round whose price drops from 10.00 by 0.10 every second, 99 times. It was not processed for `milliseconds`: the process was
    /// stopped while both clocks ran.
    private func dutch(stoppedFor milliseconds: Int64) throws -> ServiceHarness {
        let harness = try ServiceHarness()
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 1000), increment: .fixed(Money(minorUnits: 10)), floorPrice: Money(minorUnits: 10),
            listing: Seconds(0), dutchTick: Seconds(1), format: .dutch)
        auction.open(harness, item: UploadItem(name: "Tulips", description: "", media: [], rules: rules))
        harness.wait(milliseconds: milliseconds)
        return harness
    }

    @Test func `a Dutch bid pays the price of its instant, however many drops were not processed before it`() throws {
        let harness = try dutch(stoppedFor: 20_500)
        #expect(harness.response(to: auction.bid(1000), of: Auction.room, by: auction.bidder)?.status == 200)
        let result = try #require(try harness.storedRoom(Auction.room)?.currentResult)
        #expect(result.winner == auction.bidder && result.price == Money(minorUnits: 800))
    }

    @Test func `a Dutch bid after the deadline is refused, however many drops were not processed before it`() throws {
        let harness = try dutch(stoppedFor: 100_000)
        #expect(harness.response(to: auction.bid(1000), of: Auction.room, by: auction.bidder)?.text == "bid.not_auctioning")
        #expect(try harness.storedRoom(Auction.room)?.currentResult?.passReason == .noBids)
    }

    @Test func `a forward jump of the wall clock closes no round`() throws {
        let (harness, _) = try opened()
        try harness.expectExtensionAfterJump()
        #expect(try harness.storedTypes(Auction.room).last == "countdown.moved")
    }

    /// Before, a recovery that was repeated for some rooms alone kept the jump from all others.
    @Test func `a clock jump extends the deadline of a room that the recovery in progress does not have`() throws {
        let (harness, _) = try ServiceHarness.onSharedLog()
        auction.open(harness)
        harness.handle(.recover([PendingRoom(room: RoomID(bits: 77))]))
        harness.endTurn()
        try harness.expectExtensionAfterJump()
    }

    @Test func `a clock jump is handled before the command that arrives with it`() throws {
        let (harness, _) = try opened()
        harness.jump(milliseconds: 3_600_000)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
    }

    @Test func `a step of at most a second is a correction, not a jump, and extends no deadline`() throws {
        let (harness, deadline) = try opened()
        harness.wait(until: deadline.advanced(byMilliseconds: -500))
        harness.now = Now(wall: harness.now.wall.advanced(byMilliseconds: 1000), monotonic: harness.now.monotonic)
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
    }

    @Test func `a clock jump leaves a distant deadline unchanged`() throws {
        let harness = try auction.opened(biddingSeconds: 3600)
        let deadline = try harness.storedRoom(Auction.room)?.endsAt
        harness.jump(milliseconds: 5000)
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.endsAt == deadline)
    }

    @Test func `a wall clock that is set back neither changes a deadline nor gives an event an earlier timestamp`() throws {
        let (harness, deadline) = try opened()
        let last = try #require(try harness.storedRoom(Auction.room)?.lastEventAt)
        harness.now = Now(wall: last.advanced(byMilliseconds: -60_000), monotonic: harness.now.monotonic + 1_000_000)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.lastEventAt == last)
        #expect(room.endsAt == deadline)
    }

    @Test(arguments: [false, true])
    func `a clock jump of a day expires no idempotency key, in memory or after a restart`(_ isRestarted: Bool) throws {
        var (harness, _) = try opened()
        let key = IdempotencyKey(key: 77, fingerprint: 1)
        let first = try #require(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        harness.jump(milliseconds: 25 * 3_600_000)
        if isRestarted { harness = try harness.restarted() }
        let second = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)
        #expect(second?.body == first.body)
        harness.wait(milliseconds: 24 * 3_600_000 - 60_000)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)?.body == first.body)
        harness.wait(milliseconds: 120_000)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key)?.body != first.body)
    }

    @Test func `a clock jump does not disconnect a host whose stream has just closed`() throws {
        let (harness, _) = try opened()
        let host = auction.host.id
        harness.handle(.presence([PresenceChange(room: Auction.room, user: host, isPresent: true, at: harness.now.monotonic)]))
        harness.handle(.presence([PresenceChange(room: Auction.room, user: host, isPresent: false, at: harness.now.monotonic)]))
        harness.jump(milliseconds: 3_600_000)
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
    }

    /// Found by simulation: a stream's end is reported two seconds later, and the clock may jump in between.
    @Test func `a clock jump before the host's absence is reported does not disconnect the host`() throws {
        let (harness, _) = try opened()
        let host = auction.host.id
        let since = harness.now.monotonic
        harness.handle(.presence([PresenceChange(room: Auction.room, user: host, isPresent: true, at: since)]))
        harness.jump(milliseconds: 3_600_000)
        harness.wait(milliseconds: 2000)
        harness.handle(.presence([PresenceChange(room: Auction.room, user: host, isPresent: false, at: since)]))
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        harness.advance(milliseconds: 28_001)
        #expect(try harness.storedRoom(Auction.room)?.hostGoneSince != nil)
    }
}
