import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// Open rooms that stay out of memory until shortly before their deadline.
struct DormantRoomTests {
    private let auction = Auction()

    /// A new process on a log with an auction whose countdown ends ten minutes after it began.
    private func restarted(after milliseconds: Int64 = 100_000) throws -> (harness: ServiceHarness, deadline: Timestamp) {
        let before = try auction.opened(biddingSeconds: 600)
        _ = before.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        let deadline = try #require(try before.storedRoom(Auction.room)?.endsAt)
        before.wait(milliseconds: milliseconds)
        return (try before.restarted(), deadline)
    }

    private func tick(_ harness: ServiceHarness, at instant: Timestamp) {
        harness.wait(until: instant)
        harness.handleTick()
    }

    @Test func `a room whose countdown ends later is not loaded by a start, and closes at its deadline`() throws {
        let (harness, deadline) = try restarted()
        #expect(harness.isRecovered)
        #expect(harness.loadedRooms == 0)
        tick(harness, at: try #require(harness.nextTick))
        #expect(harness.loadedRooms == 1)
        tick(harness, at: deadline.advanced(byMilliseconds: -1))
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        tick(harness, at: deadline)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .closed)
        #expect(room.lastEventAt == deadline)
        #expect(room.currentResult?.winner == auction.bidder)
    }

    @Test func `a request loads such a room, and its deadline counts from then on`() throws {
        let (harness, _) = try restarted()
        #expect(harness.response(to: auction.bid(200), of: Auction.room, by: auction.rival)?.status == 200)
        let deadline = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        #expect(deadline == harness.now.wall + Seconds(600))
        tick(harness, at: deadline.advanced(byMilliseconds: -1))
        #expect(try harness.storedRoom(Auction.room)?.state == .auctioning)
        tick(harness, at: deadline)
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
    }

    @Test(arguments: [(100, 1), (400, 0), (481, 1)])
    func `an idle room leaves memory if its countdown ends later, and closes at its deadline`(
        idleSeconds: Int, loaded: Int
    ) throws {
        let harness = try ServiceHarness(
            limits: {
                var limits = ServiceLimits(); limits.idleRoomSeconds = 300; return limits
            }())
        auction.open(harness, biddingSeconds: 600)
        let deadline = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        harness.wait(milliseconds: Int64(idleSeconds) * 1000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == loaded)
        while let next = harness.nextTick { tick(harness, at: next) }
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .closed)
        #expect(room.lastEventAt == deadline)
    }

    @Test(arguments: [false, true])
    func `a room whose sale starts days later leaves memory, and the sale starts in time`(restarts: Bool) throws {
        var harness = try ServiceHarness()
        auction.open(harness, biddingSeconds: 600)
        _ = harness.response(to: .cancel(AuctionTransition(reason: "a sale instead")), of: Auction.room, by: auction.host)
        let startsAt = harness.now.wall + Seconds(5 * 86400)
        let lot = QueueLot(item: auction.item(biddingSeconds: 15), reference: nil)
        #expect(harness.response(to: .queueLot(lot), of: Auction.room, by: auction.auctioneer)?.status == 200)
        let sale = Sale(mode: .automatic, pause: Seconds(10), startsAt: startsAt)
        #expect(harness.response(to: .sale(.configure(sale)), of: Auction.room, by: auction.host)?.status == 200)
        if restarts { harness = try harness.restarted() }
        harness.wait(milliseconds: 3_600_000)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 0)
        tick(harness, at: startsAt.advanced(byMilliseconds: -RoomTimers.wakeLead))
        #expect(harness.loadedRooms == 1)
        #expect(try harness.storedRoom(Auction.room)?.sale.isRunning == false)
        tick(harness, at: startsAt)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.sale.isRunning)
        #expect(room.lastEventAt == startsAt)
        #expect(room.state == .auctioning)
    }

    @Test(arguments: [true, false])
    func `a room whose host has lost their stream stays in memory until the round is paused`(sweepsFirst: Bool) throws {
        let harness = try ServiceHarness(
            limits: {
                var limits = ServiceLimits(); limits.idleRoomSeconds = 60; return limits
            }())
        auction.open(harness, biddingSeconds: 600)
        func presence(_ isPresent: Bool) {
            harness.handle(
                .presence([
                    PresenceChange(
                        room: Auction.room, user: auction.host.id, isPresent: isPresent, at: harness.now.monotonic)
                ]))
            harness.settle()
        }
        presence(true)
        harness.wait(milliseconds: 100_000)
        // The end of the stream is reported seconds after the room has lost its watcher.
        if sweepsFirst { harness.handle(.sweep(watched: [])) }
        presence(false)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 1)
        tick(harness, at: harness.now.wall + Seconds(30))
        #expect(try harness.storedRoom(Auction.room)?.state == .paused)
    }

    @Test func `a host whose stream begins while the room leaves memory brings it back`() throws {
        let (harness, _) = try restarted(after: 10_000)
        #expect(harness.loadedRooms == 0)
        harness.handle(
            .presence([
                PresenceChange(room: Auction.room, user: auction.host.id, isPresent: true, at: harness.now.monotonic)
            ]))
        harness.settle()
        #expect(harness.loadedRooms == 1)
    }

    @Test(arguments: [(560_000, true), (300_000, false)])
    func `a clock jump extends the deadline of such a room if it brings it near`(jump: Int64, isExtended: Bool) throws {
        let (harness, deadline) = try restarted(after: 10_000)
        harness.jump(milliseconds: jump)
        let back = harness.now.wall
        harness.handleTick()
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.endsAt == (isExtended ? back + Seconds(60) : deadline))
        #expect(harness.loadedRooms == (isExtended ? 1 : 0))
    }

    @Test func `a room that cannot be read at its deadline does not close before clients could bid again`() throws {
        let (harness, deadline) = try restarted()
        let start = Now(wall: deadline.advanced(byMilliseconds: -300_000), monotonic: 0)
        let early = Now(wall: deadline.advanced(byMilliseconds: -5000), monotonic: 295_000_000_000)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: PlainResponseEncoder(), limits: ServiceLimits())
        sequencer.handle(.recover([PendingRoom(room: Auction.room, endsAt: deadline)]), now: start)
        sequencer.handle(.extendDeadlines, now: start)
        #expect(loads(in: sequencer.endTurn()).isEmpty)
        sequencer.handle(.tick, now: early)
        #expect(loads(in: sequencer.endTurn()) == [Auction.room])
        sequencer.handle(.loaded(Auction.room, .failure(EventLogError(.io, "once"))), now: early)
        _ = sequencer.endTurn()
        let late = Now(wall: deadline + Seconds(1), monotonic: early.monotonic + 6_000_000_000)
        sequencer.handle(.tick, now: late)
        #expect(loads(in: sequencer.endTurn()) == [Auction.room])
        sequencer.handle(.loaded(Auction.room, try read(Auction.room, harness)), now: late)
        #expect(deadlines(in: sequencer.endTurn()) == [late.wall + Seconds(60)])
    }

    @Test func `a bid that came in time counts although its room was read after the deadline`() throws {
        let (harness, deadline) = try restarted()
        let start = Now(wall: deadline.advanced(byMilliseconds: -300_000), monotonic: 0)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: PlainResponseEncoder(), limits: ServiceLimits())
        sequencer.handle(.recover([PendingRoom(room: Auction.room, endsAt: deadline)]), now: start)
        sequencer.handle(.extendDeadlines, now: start)
        sequencer.handle(.tick, now: Now(wall: deadline.advanced(byMilliseconds: -5000), monotonic: 295_000_000_000))
        #expect(loads(in: sequencer.endTurn()) == [Auction.room])
        let late = Now(wall: deadline + Seconds(2), monotonic: 302_000_000_000)
        sequencer.handle(.loaded(Auction.room, try read(Auction.room, harness)), now: late)
        #expect(deadlines(in: sequencer.endTurn()) == [late.wall + Seconds(60)])
    }

    @Test func `a countdown queue of n rooms keeps at most 2n + 64 entries, however often rooms are armed again`() {
        var queue = CountdownQueue()
        let rooms = (1...10).map { RoomID(bits: UInt128($0)) }
        for round in 0..<1000 {
            for room in rooms {
                _ = queue.disarm(room)
                queue.arm(room, at: Timestamp(milliseconds: Int64(1_000_000 + round % 7)))
            }
        }
        #expect(queue.entryCount <= 100)
        var popped: [RoomID] = []
        while let room = queue.popDue(at: Timestamp(milliseconds: 2_000_000)) { popped.append(room) }
        #expect(popped.sorted() == rooms)
    }

    @Test func `the deadline of a room that comes near while others are read is extended too`() throws {
        let harness = try ServiceHarness()
        let other = RoomID(bits: 9)
        auction.open(harness, biddingSeconds: 15)
        auction.open(harness, room: other, biddingSeconds: 600)
        let far = try #require(try harness.storedRoom(other)?.endsAt)
        let start = Now(wall: far.advanced(byMilliseconds: -150_000), monotonic: harness.now.monotonic)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: PlainResponseEncoder(), limits: ServiceLimits())
        sequencer.handle(.recover(try harness.log.pendingRooms()), now: start)
        #expect(loads(in: sequencer.endTurn()) == [Auction.room])
        let slow = Now(wall: start.wall + Seconds(160), monotonic: start.monotonic + 160_000_000_000)
        sequencer.handle(.loaded(Auction.room, try read(Auction.room, harness)), now: slow)
        sequencer.handle(.extendDeadlines, now: slow)
        let directives = sequencer.endTurn()
        #expect(loads(in: directives) == [other])
        #expect(deadlines(in: directives) == [slow.wall.advanced(byMilliseconds: 15_250)])
        sequencer.handle(.loaded(other, try read(other, harness)), now: slow)
        #expect(deadlines(in: sequencer.endTurn()) == [slow.wall + Seconds(60)])
    }

    @Test func `a room in which something is due before its countdown ends is loaded by a start`() throws {
        let before = try auction.opened(biddingSeconds: 600)
        #expect(before.response(to: .stage(.request(.bidder)), of: Auction.room, by: auction.rival)?.status == 200)
        #expect(try before.log.pendingRooms() == [PendingRoom(room: Auction.room)])
        #expect(try before.restarted().loadedRooms == 1)
    }

    private func loads(in directives: [Sequencer.Directive]) -> [RoomID] {
        directives.compactMap { if case .load(let room) = $0 { room } else { nil } }
    }

    /// The deadlines of the rooms in the batches that are submitted.
    private func deadlines(in directives: [Sequencer.Directive]) -> [Timestamp?] {
        directives.flatMap { directive -> [Timestamp?] in
            guard case .submit(let batch) = directive else { return [] }
            return batch.rooms.map(\.after.room.endsAt)
        }
    }

    private func read(
        _ id: RoomID, _ harness: ServiceHarness
    ) throws -> Result<Sequencer.LoadedState?, EventLogError> {
        let history = try #require(try harness.log.load(id, responsesSince: Timestamp(milliseconds: 0)))
        return .success(
            Sequencer.LoadedState(room: try RoomReplay.room(id, from: history), keys: [], snapshots: SnapshotSpacing()))
    }
}
