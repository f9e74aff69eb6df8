import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Two nodes over one shared log.
struct ReplicationTests {
    private let auction = Auction()

    @Test func `events of another node are published in order and with the stored bytes`() throws {
        let (here, there, _) = try auction.openedNodes()
        let before = try #require(try here.storedRoom(Auction.room)).seq
        for amount in [100, 200, 300] as [Int64] {
            let bidder = amount == 200 ? auction.rival : auction.bidder
            #expect(there.response(to: auction.bid(amount), of: Auction.room, by: bidder)?.status == 200)
        }
        try here.follow([Auction.room])
        let publication = try #require(here.published.last)
        #expect(publication.events == (try here.log.events(of: Auction.room, after: before, limit: 99)))
        #expect(publication.room.currentPrice == Money(minorUnits: 300))
        let publishedCount = here.published.count
        try here.follow([Auction.room])
        #expect(here.published.count == publishedCount, "published twice")
        #expect(here.response(to: auction.bid(400), of: Auction.room, by: auction.rival)?.status == 200)
    }

    @Test func `a lagging node decides a command on the current state, not on its own`() throws {
        let (here, there, _) = try auction.openedNodes()
        #expect(here.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        #expect(there.response(to: auction.bid(200), of: Auction.room, by: auction.rival)?.status == 200)
        // To this node the bidder still leads.
        #expect(here.response(to: auction.bid(300), of: Auction.room, by: auction.bidder)?.status == 200)
        // To that node the rival still leads, and the price is another.
        #expect(there.response(to: auction.bid(300), of: Auction.room, by: auction.rival)?.text == "bid.below_minimum")
    }

    @Test func `a key answered by one node is replayed by another with the same bytes`() throws {
        let (here, there, _) = try auction.openedNodes()
        let key = IdempotencyKey(key: 5, fingerprint: 5)
        let first = try #require(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        let again = try #require(here.response(to: auction.bid(100), of: Auction.room, by: auction.bidder, key: key))
        #expect((again.status, again.body) == (first.status, first.body))
        #expect(again.headers.map(\.name) == ["Idempotency-Replayed"])
        #expect(try here.storedRoom(Auction.room)?.bids.count == 1)
    }

    @Test func `commands decided on an outdated state are decided again in order`() throws {
        let (here, there, _) = try auction.openedNodes()
        let low = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        let high = here.send(auction.bid(700), to: Auction.room, by: auction.rival)
        #expect(there.response(to: auction.bid(500), of: Auction.room, by: auction.rival)?.status == 200)
        let over = here.send(auction.bid(900), to: Auction.room, by: auction.bidder)
        try here.follow([Auction.room])
        #expect(here.responses[low]?.text == "bid.below_minimum")
        #expect(here.responses[high]?.text == "bid.already_leading")
        #expect(here.responses[over]?.status == 200)
    }

    @Test func `a round whose node has crashed is closed by another node that never loaded the room`() throws {
        let (here, there, clock) = try auction.openedNodes()
        let third = try ServiceHarness(log: here.log, now: here.now)
        let due = try #require(try here.storedRoom(Auction.room)?.dueAt)
        clock.harness = third
        third.wait(until: due)
        third.wait(milliseconds: 300)
        third.handle(.expired(try here.log.roomsPastDeadline(by: 250, limit: 9)))
        third.settle()
        third.handleTick()
        #expect(try third.storedRoom(Auction.room)?.state == .closed)
        // The other nodes have the same countdown, and close nothing twice.
        there.now = third.now
        there.handleTick()
        #expect(try there.storedTypes(Auction.room).count { $0 == "item.passed" } == 1)
        #expect(there.published.last?.room.state == .closed)
    }

    @Test func `a room takes bids at once after the log's clock has gone back`() throws {
        let (here, _, _) = try auction.openedNodes()
        let last = try #require(try here.log.events(of: Auction.room, after: 0, limit: 99).last?.at)
        here.now = Now(wall: here.now.wall.advanced(byMilliseconds: -10_000), monotonic: here.now.monotonic + 1_000_000)
        #expect(here.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        #expect(try here.log.events(of: Auction.room, after: 0, limit: 99).last?.at == last)
    }

    @Test func `a refresh publishes what another node has appended`() throws {
        let (here, there, _) = try auction.openedNodes()
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let reply = ReplyAddress(loop: 0, exchange: 999)
        here.handle(.refresh(Auction.room, reply))
        here.endTurn()
        #expect(here.loadFinished.isEmpty)
        here.settle()
        #expect(here.loadFinished.map(\.0) == [reply])
        #expect(here.published.last?.room.currentPrice == Money(minorUnits: 100))
    }

    @Test func `a refresh that comes while an append is in flight has what another node appended after that`() throws {
        let (here, there, _) = try auction.openedNodes()
        let reply = ReplyAddress(loop: 0, exchange: 999)
        here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        here.endTurn()
        here.afterAppend = {
            here.afterAppend = nil
            #expect(there.response(to: .sendMessage("Going once"), of: Auction.room, by: auction.host)?.status == 200)
            here.handle(.refresh(Auction.room, reply))
        }
        here.commit()
        #expect(here.loadFinished.isEmpty, "the append was committed before the message")
        here.settle()
        #expect(here.loadFinished.map(\.0) == [reply])
        #expect(here.published.last?.room.seq == (try here.storedRoom(Auction.room)?.seq))
    }

    @Test func `a clock that is set back does not make a deferred room wait for as long`() throws {
        let (here, _, clock) = try auction.openedNodes()
        here.wait(milliseconds: 2000)
        clock.lagMilliseconds = 1000
        let exchange = here.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        here.endTurn()
        here.commit()
        #expect(here.responses[exchange] == nil)
        here.now = Now(wall: here.now.wall.advanced(byMilliseconds: -10_000), monotonic: here.now.monotonic + 100_000_000)
        here.handle(.tick)
        here.settle()
        #expect(here.responses[exchange] != nil)
    }

    @Test func `a deadline that expired during an outage is extended by a node that was alive, and never applied`() throws {
        let (here, _, clock) = try auction.openedNodes()
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        // The log was unreachable for all nodes; this node is the first to reach it again.
        here.handle(.tick)
        here.endTurn()
        here.commit()
        #expect(try here.storedRoom(Auction.room)?.state == .auctioning)
        let outage = try #require(try here.log.heartbeat(of: node).outage)
        #expect(try here.log.claimOutage(outage.id, by: node))
        here.handle(.recover(try here.log.pendingRooms()))
        for _ in 0..<8 where !here.isRecovered {
            here.advance(milliseconds: 300)
        }
        #expect(here.isRecovered)
        #expect(try here.log.settleOutage(outage.id, by: node))
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt.map { $0.milliseconds(since: clock.wall) >= 13_000 } == true)
    }

    /// Recovers until the log's outage is settled.
    private func recover(_ here: ServiceHarness, _ node: NodeID) throws {
        for _ in 0..<8 {
            guard let outage = try here.log.heartbeat(of: node).outage else { return }
            #expect(try here.log.claimOutage(outage.id, by: node))
            here.handle(.recover(try here.log.pendingRooms()))
            here.endTurn()
            for _ in 0..<4 {
                here.advance(milliseconds: 300)
            }
            if here.recoveries.last == .complete { #expect(try here.log.settleOutage(outage.id, by: node)) }
        }
        Issue.record("the outage is never settled")
    }

    @Test func `a room that another node appends to does not make a recovery begin anew with all others`() throws {
        let (here, there, _) = try auction.openedNodes(biddingSeconds: 60)
        let other = RoomID(bits: 8)
        auction.open(here, room: other, biddingSeconds: 60)
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        there.now = here.now
        let outage = try #require(try here.log.heartbeat(of: node).outage)
        #expect(try here.log.claimOutage(outage.id, by: node))
        here.handle(.recover(try here.log.pendingRooms()))
        here.endTurn()
        here.load()
        // The rooms are read, and their extended deadlines are in flight.
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.rival)?.status == 200)
        here.settle()
        #expect(here.recoveries == [.unfinished([Auction.room])])
        here.handle(.recover([PendingRoom(room: Auction.room)]))
        here.settle()
        #expect(here.recoveries == [.unfinished([Auction.room]), .complete])
        #expect(try here.log.settleOutage(outage.id, by: node))
        #expect(try here.storedTypes(other).count { $0 == "countdown.moved" } == 1)
        for room in [Auction.room, other] {
            let stored = try #require(try here.storedRoom(room))
            #expect(stored.state == .auctioning)
            #expect(stored.endsAt.map { $0.milliseconds(since: here.now.wall) >= 60_000 } == true)
        }
    }

    @Test(arguments: [EventLogError.Code.unavailable, .outcomeUnknown, .statement])
    func `what the service decides is not tried again at once if the log takes no appends`(_ code: EventLogError.Code) throws {
        let (here, _, _) = try auction.openedNodes()
        here.wait(until: try #require(try here.storedRoom(Auction.room)?.dueAt))
        here.log.failNextAppend(with: EventLogError(code, "once"))
        here.handleTick()
        #expect(try here.storedRoom(Auction.room)?.state == .auctioning)
        here.advance(milliseconds: 499)
        #expect(try here.storedRoom(Auction.room)?.state == .auctioning)
        // The room is read, then its deadline is due.
        here.advance(milliseconds: 1)
        here.handleTick()
        #expect(try here.storedRoom(Auction.room)?.state == .closed)
    }

    @Test func `a refresh is not answered by a read that began before an append that conflicts`() throws {
        let (here, there, _) = try auction.openedNodes()
        let (first, late) = (ReplyAddress(loop: 0, exchange: 998), ReplyAddress(loop: 0, exchange: 999))
        here.handle(.refresh(Auction.room, first))
        here.endTurn()
        let history = try #require(try here.log.load(Auction.room, responsesSince: Timestamp(milliseconds: 0)))
        let read = try RoomLoader.changes(RoomReplay.room(Auction.room, from: history), in: here.log, responsesAfter: 0)
        here.send(auction.bid(700), to: Auction.room, by: auction.rival)
        here.endTurn()
        #expect(there.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        let seen = try here.storedRoom(Auction.room)?.seq
        here.handle(.refresh(Auction.room, late))
        here.commit()
        here.handle(.caughtUp(Auction.room, .success(read)))
        here.endTurn()
        #expect(!here.loadFinished.contains { $0.0 == late }, "that read has not what another node has appended since")
        here.settle()
        #expect(here.loadFinished.contains { $0.0 == late && $0.1 == nil })
        #expect(here.published.last?.room.seq == seen)
    }

    @Test func `a recovery uses the state in the log, not the outdated state of a disconnected node`() throws {
        let (here, there, clock) = try auction.openedNodes()
        #expect(here.response(to: .pause(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        #expect(there.response(to: .resume(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        // In this node's memory the round is paused and has no deadline.
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        try recover(here, node)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt.map { $0.milliseconds(since: clock.wall) >= 10_000 } == true)
    }

    @Test func `a room with a waiting refresh is not unloaded`() throws {
        let (here, _, _) = try auction.openedNodes()
        #expect(here.response(to: .pause(AuctionTransition()), of: Auction.room, by: auction.host)?.status == 200)
        here.now = Now(wall: here.now.wall, monotonic: here.now.monotonic + 601_000_000_000)
        let reply = ReplyAddress(loop: 0, exchange: 99)
        here.handle(.refresh(Auction.room, reply))
        here.handle(.sweep(watched: []))
        here.settle()
        #expect(here.loadFinished.contains { $0.0 == reply && $0.1 == nil })
    }

    @Test func `given a closing decided during an outage and in flight, the round stays open until its extended deadline`()
        throws
    {
        let (here, _, clock) = try auction.openedNodes()
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        here.handle(.tick)
        // Decided, in flight and not yet rejected, however often recovery is requested.
        here.endTurn()
        for _ in 0..<2 {
            here.handle(.recover(try here.log.pendingRooms()))
            here.endTurn()
        }
        #expect(here.recoveries.isEmpty)
        try recover(here, node)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt.map { $0 > clock.wall } == true)
    }

    @Test func `a bid that arrives before the deadlines are extended waits, and is accepted`() throws {
        let (here, _, _) = try auction.openedNodes()
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        // In memory the round is over; the log rejects its end, and the bid is decided again and again.
        let early = here.send(auction.bid(300), to: Auction.room, by: auction.rival)
        here.endTurn()
        here.commit()
        try recover(here, node)
        #expect(here.responses[early]?.status == 200)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.currentPrice == Money(minorUnits: 300))
    }

    /// Found by simulation: the host's return and the timeout of a handshake, which a log accepts only after the outage, were decided in the
    /// batch that ends the outage. It failed each time, and no deadline of any room was applied any more.
    @Test func `an outage is settled although a host has returned and a handshake's time is up`() throws {
        let (here, _, _) = try auction.openedNodes()
        let node = NodeID(bits: 1)
        func stream(open: Bool) {
            here.handle(
                .presence([
                    PresenceChange(
                        room: Auction.room, user: auction.host.id, isPresent: open, at: here.now.monotonic)
                ]))
            here.settle()
        }
        stream(open: true)
        stream(open: false)
        for _ in 0..<2 {
            here.advance(milliseconds: 15_000)
        }
        #expect(try here.storedRoom(Auction.room)?.hostGoneSince != nil)
        #expect(here.response(to: .stage(.request(.bidder)), of: Auction.room, by: auction.rival)?.status == 200)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 40_000)
        stream(open: true)
        try recover(here, node)
        for _ in 0..<4 {
            here.advance(milliseconds: 300)
        }
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.hostGoneSince == nil)
        #expect(room.stage.handshakes.isEmpty)
    }
}
