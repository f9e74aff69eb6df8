import AuctionDomain
import AuctionService
import EventLog
import Testing

struct OutageTests {
    /// Found by the crash test: with several open rooms, those that were read first lost their lots to the clock.
    @Test func `no hammer falls while the open rooms of before an outage are still being read`() throws {
        let start = Timestamp(milliseconds: 1_000_000)
        let rooms = try [openRoom(1, at: start), openRoom(2, at: start)]
        let back = Now(wall: start + Seconds(3600), monotonic: 0)
        var sequencer = Sequencer(
            manager: RoomManager(rulebook: try .product()), encoder: NoAnswers(), limits: ServiceLimits())

        sequencer.handle(.recover(rooms.map(\.room.id)), now: back)
        sequencer.handle(.loaded(rooms[0].room.id, loaded(rooms[0])), now: back)
        #expect(sequencer.nextTick == nil)
        sequencer.handle(.tick, now: back)
        #expect(submitted(by: sequencer.endTurn()).isEmpty)

        sequencer.handle(.loaded(rooms[1].room.id, loaded(rooms[1])), now: back)
        let batches = submitted(by: sequencer.endTurn())
        let types = batches.flatMap(\.rooms).map { $0.append.events.map(\.type) }
        #expect(types == [["countdown.moved"], ["countdown.moved"]])
        for part in batches.flatMap(\.rooms) {
            #expect(part.after.room.endsAt == Timestamp(milliseconds: back.wall.milliseconds + 15_250))
        }

        sequencer.handle(
            .completed(
                batch: try #require(batches.first).id,
                rooms.map { _ in .appended(answerPositions: []) }), now: back)
        _ = sequencer.endTurn()
        #expect(sequencer.nextTick != nil)
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
        .success(Sequencer.LoadedState(room: room, keys: [], snapshotSeq: 0))
    }

    private func submitted(by directives: [Sequencer.Directive]) -> [Batch] {
        directives.compactMap { if case .submit(let batch) = $0 { batch } else { nil } }
    }
}

/// Nobody asks anything here.
private struct NoAnswers: AnswerEncoder {
    func accepted(_ outcome: Outcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> Answer { none }
    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> Answer { none }
    func failed(_ failure: ServiceFailure, of request: CommandRequest, at now: Timestamp) -> Answer { none }
    func replayed(_ record: AnswerRecord) -> Answer { none }
    private var none: Answer { Answer(status: 500, body: []) }
}
