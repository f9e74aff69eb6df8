import AuctionDomain
import EventLog
import Testing

@testable import EventLogSQLite

/// Numbers in rows that no hash covers: a damaged one is an error, or is ignored, and never ends the process.
@Suite struct SQLiteDamagedRows {
    /// Changes a file of a closed log.
    private func damage(_ scratch: Scratch, _ sql: String, suffix: String = "") throws {
        try Connection(scratch.path + suffix).execute(sql)
    }

    @Test(arguments: [-1, 0, 199, 600, Int64.max])
    func `a stored response whose status cannot be sent is an error`(status: Int64) throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = SampleRoom(1)
        let position = try log.commit(room.next(responses: [Samples.response(1)]))[0]
        log.close()
        try damage(scratch, "UPDATE answer SET status = \(status)")
        log = try scratch.open()
        defer { log.close() }
        let error = #expect(throws: EventLogError.self) { try log.storedResponse(at: position) }
        #expect(error?.code == .corrupt)
    }

    @Test(arguments: ["position", "position + 1"])
    func `stored responses that are linked in a circle are read once`(previous: String) throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = SampleRoom(1)
        let positions = try log.commit(room.next(responses: [Samples.response(1), Samples.response(2)]))
        log.close()
        try damage(scratch, "UPDATE answer SET previous = \(previous) WHERE position = \(positions[0])")
        log = try scratch.open()
        defer { log.close() }
        let keys = WantedKeys(since: Samples.noon, total: 5)
        #expect(try log.load(room.id, keys: keys)?.responses.map(\.position) == positions)
    }

    @Test(arguments: [Int64.min, -1, 0])
    func `a snapshot at a seq that no event has is left out`(seq: Int64) throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next())
        try log.save([RoomSnapshot(room: room.id, seq: 2, bytes: [7])])
        log.close()
        try damage(scratch, "UPDATE snapshot SET seq = \(seq)")
        log = try scratch.open()
        defer { log.close() }
        let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
        #expect(loaded.snapshot == nil)
        #expect(loaded.events.map(\.seq) == [1, 2])
        #expect(loaded.head == room.head)
    }

    @Test func `a room at the last possible seq takes no append and is not loaded`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        let head = room.head
        log.close()
        try damage(scratch, "UPDATE room SET seq = \(Int64.max)")
        log = try scratch.open()
        defer { log.close() }
        #expect(try log.append([room.next()]) == [.conflict(actual: RoomHead(seq: .max, headHash: head.headHash))])
        let error = #expect(throws: EventLogError.self) { try log.load(room.id, responsesSince: Samples.noon) }
        #expect(error?.code == .corrupt)
    }

    @Test func `a log without positions for further responses is refused`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try damage(scratch, "UPDATE expired SET answer = \(Int64.max)")
        #expect(scratch.refusal()?.code == .corrupt)
    }

    @Test(arguments: ["count = 1 << 62", "bytes = \(Int64.max)"])
    func `a damaged total of all pictures counts as full`(change: String) throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        let pictures = [UInt8(1), 2].map { StoredPicture(type: "image/webp", width: 3, height: 2, bytes: [$0]) }
        let upload = PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: Samples.noon)
        _ = try log.pictures.store(pictures[0], by: upload, limits: .none)
        log.close()
        try damage(scratch, "UPDATE total SET \(change)", suffix: ".media")
        log = try scratch.open()
        defer { log.close() }
        var limits = PictureLimits()
        limits.freeBytes = 0
        #expect(try log.pictures.store(pictures[1], by: upload, limits: limits) == .overQuota(.total))
    }
}
