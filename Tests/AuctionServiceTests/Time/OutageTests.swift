import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

struct OutageTests {
    /// Found by the crash test: with several open rooms, the rounds of those read first were closed by the clock.
    @Test func `after an outage, no deadline is applied until all open rooms are read and extended`() throws {
        let start = Timestamp(milliseconds: 1_000_000)
        let rooms = try [openRoom(1, at: start), openRoom(2, at: start)]
        let back = Now(wall: start + Seconds(3600), monotonic: 0)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: EmptyResponseEncoder(), limits: ServiceLimits())

        sequencer.handle(.recover(rooms.map { PendingRoom(room: $0.room.id) }), now: back)
        sequencer.handle(.loaded(rooms[0].room.id, loaded(rooms[0])), now: back)
        #expect(sequencer.nextTick == nil)
        sequencer.handle(.tick, now: back)
        #expect(submitted(by: sequencer.endTurn()).isEmpty)

        sequencer.handle(.loaded(rooms[1].room.id, loaded(rooms[1])), now: back)
        sequencer.handle(.extendDeadlines, now: back)
        let batches = submitted(by: sequencer.endTurn())
        let types = batches.flatMap(\.rooms).map { $0.append.events.map(\.type) }
        #expect(types == [["countdown.moved"], ["countdown.moved"]])
        for part in batches.flatMap(\.rooms) {
            #expect(part.after.room.endsAt == Timestamp(milliseconds: back.wall.milliseconds + 15_250))
        }

        sequencer.handle(
            .completed(
                try #require(batches.first),
                rooms.map { _ in .appended(responsePositions: []) }), now: back)
        _ = sequencer.endTurn()
        #expect(sequencer.nextTick != nil)
    }

    /// Found by simulation: a statement that failed once during recovery let all rounds close.
    @Test(arguments: [EventLogError.Code.statement, .full])
    func `a recovery whose append fails is retried`(_ code: EventLogError.Code) throws {
        let before = try Auction().opened()
        before.wait(milliseconds: 3_600_000)
        before.log.failNextAppend(with: EventLogError(code, "once"))
        let after = try before.restarted()
        after.advance(milliseconds: 1000)
        let room = try #require(try after.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt.map { $0 >= after.now.wall + Seconds(15) } == true)
    }

    /// Found by simulation: the round of a room that could not be read at startup never ended.
    @Test func `after an outage, an unreadable room is read again and its deadline is extended`() throws {
        let room = try openRoom(1, at: Timestamp(milliseconds: 1_000_000))
        let back = Now(wall: Timestamp(milliseconds: 4_600_000), monotonic: 0)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: EmptyResponseEncoder(), limits: ServiceLimits())
        sequencer.handle(.recover([PendingRoom(room: room.room.id)]), now: back)
        sequencer.handle(.loaded(room.room.id, .failure(EventLogError(.io, "once"))), now: back)
        sequencer.handle(.extendDeadlines, now: back)
        _ = sequencer.endTurn()
        let wake = sequencer.nextTick
        let tick = try #require(wake)
        let later = Now(wall: tick, monotonic: tick.milliseconds(since: back.wall) * 1_000_000)
        sequencer.handle(.tick, now: later)
        let again = sequencer.endTurn().contains { if case .load(room.room.id) = $0 { true } else { false } }
        #expect(again)
        sequencer.handle(.loaded(room.room.id, loaded(room)), now: later)
        let parts = submitted(by: sequencer.endTurn()).flatMap(\.rooms)
        #expect(parts.map { $0.append.events.map(\.type) } == [["countdown.moved"]])
        #expect(parts.first?.after.room.endsAt == later.wall + Seconds(15))
    }

    /// Found by simulation: the clock jumped while a conflicted room was being read again.
    @Test func `a clock jump extends the deadline of a room that is being read again`() throws {
        let auction = Auction()
        let harness = try auction.opened()
        harness.log.failNextAppend(with: EventLogError(.full, "once"))
        harness.send(auction.bid(100), to: Auction.room, by: auction.bidder)
        harness.endTurn()
        harness.commit()
        try harness.expectExtensionAfterJump()
    }

    /// Found by simulation: the event that had closed the round was lost, and the clock jump with it.
    @Test func `a clock jump extends the deadline of a round whose closing is in flight and then fails`() throws {
        let auction = Auction()
        let harness = try auction.opened()
        harness.log.failNextAppend(with: EventLogError(.full, "once"))
        harness.send(.endAuction(AuctionTransition()), to: Auction.room, by: auction.host)
        harness.endTurn()
        try harness.expectExtensionAfterJump()
    }

    /// Bids were refused while the disk was full, so there must be time for them before the round ends.
    @Test func `a round whose closing found a full disk is extended once there is space`() throws {
        let harness = try Auction().opened()
        let end = try #require(try harness.storedRoom(Auction.room)?.endsAt)
        harness.wait(until: end)
        harness.log.failNextAppend(with: EventLogError(.full, "once"))
        harness.handleTick()
        #expect(try harness.storedRoom(Auction.room)?.endsAt == end, "not tried again at once")
        harness.advance(milliseconds: 1000)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt == end + Seconds(16))
        harness.advance(milliseconds: 15_000)
        #expect(try harness.storedRoom(Auction.room)?.state == .closed)
    }

    /// A room with an extended deadline is read again in the turn that extends it, so that nothing is left to submit.
    @Test(arguments: [false, true])
    func `a recovery whose only extension becomes void in the same turn ends incomplete, and commands go on`(
        isReadTwice: Bool
    ) throws {
        let room = try openRoom(1, at: Timestamp(milliseconds: 1_000_000))
        let (id, absent) = (room.room.id, RoomID(bits: 2))
        let back = Now(wall: Timestamp(milliseconds: 4_600_000), monotonic: 0)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: EmptyResponseEncoder(), limits: ServiceLimits(),
            isShared: true)
        sequencer.handle(.recover([PendingRoom(room: id), PendingRoom(room: absent)]), now: back)
        sequencer.handle(.loaded(id, loaded(room)), now: back)
        sequencer.handle(.lagging([RoomWatermark(room: id, seq: room.room.seq + 1)]), now: back)
        _ = sequencer.endTurn()
        sequencer.handle(.loaded(absent, .success(nil)), now: back)
        sequencer.handle(.extendDeadlines, now: back)
        sequencer.handle(.caughtUp(id, .success(nil)), now: back)
        let directives = sequencer.endTurn()
        #expect(submitted(by: directives).isEmpty)
        let recovered = directives.compactMap { directive -> RecoveryResult? in
            guard case .recovered(let result) = directive else { return nil }
            return result
        }
        #expect(recovered == [.unfinished([id])])
        // The room is read again, and its deadline extended by itself, unless the read fails: then another node may have done so by the
        // time of the next one.
        guard !isReadTwice else {
            sequencer.handle(.loaded(id, .failure(EventLogError(.unavailable, "once"))), now: back)
            let later = Now(wall: back.wall.advanced(byMilliseconds: 60_000), monotonic: 60_000_000_000)
            sequencer.handle(.tick, now: later)
            sequencer.handle(.loaded(id, loaded(room)), now: later)
            let events = submitted(by: sequencer.endTurn()).flatMap(\.rooms).flatMap(\.append.events)
            return #expect(!events.contains { $0.type == "countdown.moved" })
        }
        sequencer.handle(.loaded(id, loaded(room)), now: back)
        let parts = submitted(by: sequencer.endTurn()).flatMap(\.rooms)
        #expect(parts.map { $0.append.events.map(\.type) } == [["countdown.moved"]])
    }

    /// On a shared log a failed read counts as no outage, so that the jump alone extends the deadline.
    @Test(arguments: [true, false])
    func `a clock jump extends a deadline on a shared log although a read of the room failed`(jumpsBeforeFailure: Bool) throws {
        var now = Now(wall: Timestamp(milliseconds: 1_000_000), monotonic: 0)
        let room = try openRoom(1, at: now.wall)
        let id = room.room.id
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: EmptyResponseEncoder(), limits: ServiceLimits(),
            isShared: true)
        sequencer.handle(.expired([id]), now: now)
        _ = sequencer.endTurn()
        if jumpsBeforeFailure { now = now.jumped(byMilliseconds: 3_600_000) }
        sequencer.handle(.loaded(id, .failure(EventLogError(.unavailable, "once"))), now: now)
        _ = sequencer.endTurn()
        if !jumpsBeforeFailure { now = now.jumped(byMilliseconds: 3_600_000) }
        now = Now(wall: now.wall.advanced(byMilliseconds: 1000), monotonic: now.monotonic + 1_000_000_000, jumps: now.jumps)
        sequencer.handle(.tick, now: now)
        _ = sequencer.endTurn()
        sequencer.handle(.loaded(id, loaded(room)), now: now)
        let parts = submitted(by: sequencer.endTurn()).flatMap(\.rooms)
        #expect(parts.map { $0.append.events.map(\.type) } == [["countdown.moved"]])
        #expect(parts.first?.after.room.endsAt == now.wall + Seconds(15))
    }

    @Test func `a clock jump extends the deadline of a room that no node of a shared log had in memory`() throws {
        var now = Now(wall: Timestamp(milliseconds: 1_000_000), monotonic: 0)
        let room = try openRoom(1, at: now.wall)
        let id = room.room.id
        now = Now(wall: now.wall + Seconds(14), monotonic: 14_000_000_000)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: EmptyResponseEncoder(), limits: ServiceLimits(),
            isShared: true)
        sequencer.handle(.tick, now: now)
        now = now.jumped(byMilliseconds: 1500)
        sequencer.handle(.tick, now: now)
        sequencer.handle(.expired([id]), now: now)
        _ = sequencer.endTurn()
        sequencer.handle(.loaded(id, loaded(room)), now: now)
        sequencer.handle(.tick, now: now)
        let parts = submitted(by: sequencer.endTurn()).flatMap(\.rooms)
        #expect(parts.map { $0.append.events.map(\.type) } == [["countdown.moved"]])
    }

    private func openRoom(_ number: UInt128, at start: Timestamp) throws -> ReplayedRoom {
        let host = Person(id: UserID(bits: 7), nickname: "Host")
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)),
            listing: AuctionRules.defaultListing, bidding: AuctionRules.defaultBidding, countdown: .reset, format: .english)
        let opened = RoomOpened(name: "Room", host: host, currency: .cny, visibility: .public, inviteCode: "code")
        let opening = Event(seq: 1, at: start, round: 1, body: .roomOpened(opened))
        var room = try #require(Room(id: RoomID(bits: number), opening: opening))
        let item = AuctionItem(id: ItemID(bits: 9), name: "Lot", description: "", media: [], owner: host, rules: rules)
        let events =
            [opening]
            + room.record(
                [
                    .itemUploaded(item),
                    .stateChanged(StateChange(from: .preparing, to: .listing, cause: .start, by: host)),
                    .stateChanged(StateChange(from: .listing, to: .auctioning, cause: .countdown, by: nil)),
                    .countdownStarted(endsAt: start + rules.bidding, nextDropAt: nil),
                ], at: start)
        let stored = EventCodec.encode(events, currency: .cny, after: .zero)
        return ReplayedRoom(room: room, hash: try #require(stored.last).hash)
    }

    private func loaded(_ room: ReplayedRoom) -> Result<Sequencer.LoadedState?, EventLogError> {
        .success(Sequencer.LoadedState(room: room, keys: [], snapshots: SnapshotSpacing()))
    }

    private func submitted(by directives: [Sequencer.Directive]) -> [Batch] {
        directives.compactMap { if case .submit(let batch) = $0 { batch } else { nil } }
    }
}

/// Encodes every response as an empty one; these tests read none.
private struct EmptyResponseEncoder: ResponseEncoder {
    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse {
        none
    }
    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse { none }
    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse {
        none
    }
    func replayed(_ record: StoredResponse) -> CommandResponse { none }
    private var none: CommandResponse { CommandResponse(status: 500, body: []) }
}
