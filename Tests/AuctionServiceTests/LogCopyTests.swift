import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Copying a log into another one.
struct LogCopyTests {
    private let auction = Auction()
    private let epoch = Timestamp(milliseconds: 0)

    private func sourceHarness() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        for number in 0..<3 as Range<UInt128> { auction.open(harness, room: RoomID(bits: 77 + number)) }
        let key = IdempotencyKey(key: 7, fingerprint: 9)
        #expect(harness.response(to: auction.bid(100), of: RoomID(bits: 77), by: auction.bidder, key: key)?.status == 200)
        try harness.log.save([RoomReplay.snapshot(of: #require(try harness.storedRoom(RoomID(bits: 77))))])
        return harness
    }

    @Test func `a copy has every event, head, profile, snapshot and stored response`() throws {
        let source = try sourceHarness().log
        let target = InMemoryEventLog()
        let copy = LogCopy(from: source, source, to: target)
        for room in try source.allRooms() {
            let events = try copy.copy(room, responsesSince: epoch)
            #expect(try source.events(of: room, after: 0, limit: 1000).count == events)
            #expect(try target.events(of: room, after: 0, limit: 1000) == source.events(of: room, after: 0, limit: 1000))
            #expect(try LogAudit.findings(of: room, in: target).isEmpty)
            let (kept, copied) = (
                try #require(try source.load(room, responsesSince: epoch)),
                try #require(try target.load(room, responsesSince: epoch))
            )
            #expect(copied.head == kept.head && copied.snapshot == kept.snapshot)
            #expect(copied.responses.map(\.key) == kept.responses.map(\.key))
            for (copiedKey, keptKey) in zip(copied.responses, kept.responses) {
                #expect(try target.storedResponse(at: copiedKey.position) == source.storedResponse(at: keptKey.position))
            }
        }
        #expect(try target.rooms(RoomQuery(limit: 9)) == source.rooms(RoomQuery(limit: 9)))
        #expect(try Set(target.openRooms()) == Set(source.openRooms()))
    }

    @Test func `a copy has the clock jumps, and the responses that only a jump has made old`() throws {
        let harness = try sourceHarness()
        let (source, target) = (harness.log, InMemoryEventLog())
        let kept = try #require(try source.load(RoomID(bits: 77), responsesSince: epoch)).responses.map(\.key)
        try #require(!kept.isEmpty)
        let now = harness.now.jumped(byMilliseconds: 26 * 3_600_000)
        try source.keep(now.jumps.list)
        let copy = LogCopy(from: source, source, to: target)
        try copy.copyClockJumps()
        _ = try copy.copy(RoomID(bits: 77), responsesSince: copy.oldestResponse(at: now.wall))
        #expect(try target.clockJumps() == now.jumps.list)
        #expect(try target.load(RoomID(bits: 77), responsesSince: epoch)?.responses.map(\.key) == kept)
        // Time that has passed makes them old.
        let later = now.wall.advanced(byMilliseconds: 26 * 3_600_000)
        #expect(try copy.oldestResponse(at: later) == now.wall.advanced(byMilliseconds: 3_600_000))
    }

    @Test func `a copy has whom users block`() throws {
        let (source, target) = (InMemoryEventLog(), InMemoryEventLog())
        let blocks = (0..<2500).map { number in
            UserBlock(
                user: UserID(bits: UInt128(number % 7)), blocked: UserID(bits: UInt128(100 + number)),
                at: Timestamp(milliseconds: Int64(number)))
        }
        try source.restore(blocks)
        try LogCopy(from: source, source, to: target).copyBlocks()
        #expect(try target.blocks(after: nil, limit: 9999) == source.blocks(after: nil, limit: 9999))
        #expect(try target.blocks(after: nil, limit: 9999).count == blocks.count)
    }

    @Test func `a copy has the records, but another feed`() throws {
        let (source, target) = (InMemoryEventLog(), InMemoryEventLog())
        for number in 0..<150 {
            #expect(try source.write([.put("token", "\(number)", [UInt8(number)], expiresAt: epoch)]))
        }
        _ = try source.feedID()
        try LogCopy(from: source, source, to: target).copyRecords()
        let copied = try target.allRecords(after: nil, limit: 999)
        #expect(try copied == source.allRecords(after: nil, limit: 999).filter { $0.kind == "token" })
        #expect(copied.count == 150)
        #expect(try !LogCopy.isEmpty(target, target))
    }

    @Test func `a log with a room, a block of a user or a picture is not empty`() throws {
        #expect(try LogCopy.isEmpty(InMemoryEventLog(), InMemoryEventLog()))
        let rooms = try sourceHarness().log
        #expect(try !LogCopy.isEmpty(rooms, rooms))
        let blocks = InMemoryEventLog()
        try blocks.restore([UserBlock(user: UserID(bits: 1), blocked: UserID(bits: 2), at: epoch)])
        #expect(try !LogCopy.isEmpty(blocks, blocks))
    }

    @Test func `copying a room that the target has fails, and changes nothing`() throws {
        let source = try sourceHarness().log
        let target = InMemoryEventLog()
        let copy = LogCopy(from: source, source, to: target)
        _ = try copy.copy(RoomID(bits: 77), responsesSince: epoch)
        let before = try target.events(of: RoomID(bits: 77), after: 0, limit: 1000)
        let error = #expect(throws: EventLogError.self) { try copy.copy(RoomID(bits: 77), responsesSince: epoch) }
        #expect(error?.code == .statement)
        #expect(try target.events(of: RoomID(bits: 77), after: 0, limit: 1000) == before)
    }
}
