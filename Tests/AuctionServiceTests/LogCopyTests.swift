import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// A log copied into another one.
struct LogCopyTests {
    private let auction = Auction()
    private let longAgo = Timestamp(milliseconds: 0)

    private func played() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        for number in 0..<3 as Range<UInt128> { auction.open(harness, room: RoomID(bits: 77 + number)) }
        let key = IdempotencyKey(key: 7, fingerprint: 9)
        #expect(harness.answer(to: auction.bid(100), of: RoomID(bits: 77), by: auction.bidder, key: key)?.status == 200)
        try harness.log.save([RoomReplay.snapshot(of: #require(try harness.storedRoom(RoomID(bits: 77))))])
        return harness
    }

    @Test func `a copy has every event, head, row, snapshot and answer`() throws {
        let source = try played().log
        let target = InMemoryEventLog()
        let copy = LogCopy(from: source, source, to: target)
        for room in try source.allRooms() {
            let events = try copy.copy(room, answersSince: longAgo)
            #expect(try source.events(of: room, after: 0, limit: 1000).count == events)
            #expect(try target.events(of: room, after: 0, limit: 1000) == source.events(of: room, after: 0, limit: 1000))
            #expect(try LogAudit.findings(of: room, in: target).isEmpty)
            let (kept, copied) = (
                try #require(try source.load(room, answersSince: longAgo)),
                try #require(try target.load(room, answersSince: longAgo))
            )
            #expect(copied.head == kept.head && copied.snapshot == kept.snapshot)
            #expect(copied.answers.map(\.key) == kept.answers.map(\.key))
            for (mine, yours) in zip(copied.answers, kept.answers) {
                #expect(try target.answer(at: mine.position) == source.answer(at: yours.position))
            }
        }
        #expect(try target.rooms(RoomQuery(limit: 9)) == source.rooms(RoomQuery(limit: 9)))
        #expect(try Set(target.openRooms()) == Set(source.openRooms()))
    }

    @Test func `a room that is there already is not written over`() throws {
        let source = try played().log
        let target = InMemoryEventLog()
        let copy = LogCopy(from: source, source, to: target)
        _ = try copy.copy(RoomID(bits: 77), answersSince: longAgo)
        let before = try target.events(of: RoomID(bits: 77), after: 0, limit: 1000)
        let error = #expect(throws: EventLogError.self) { try copy.copy(RoomID(bits: 77), answersSince: longAgo) }
        #expect(error?.code == .statement)
        #expect(try target.events(of: RoomID(bits: 77), after: 0, limit: 1000) == before)
    }
}
