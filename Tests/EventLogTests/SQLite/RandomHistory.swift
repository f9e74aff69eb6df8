import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogSQLite

/// Random operations, applied to a SQLite log and to an in-memory model of it.
struct RandomHistory {
    private var generator: SplitMix64
    private var rooms = (1...12).map { SampleRoom(UInt64($0)) }
    private var model = InMemoryEventLog()
    private var operations: [Operation] = []
    private var time: Int64 = 0

    private enum Operation {
        case append([RoomAppend])
        case save([RoomSnapshot])
        case expire(Timestamp)
    }

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// An independent copy, with its own model.
    func copy() throws -> RandomHistory {
        var copy = self
        copy.model = InMemoryEventLog()
        for step in operations { try Self.apply(step, to: copy.model) }
        return copy
    }

    /// Performs one random operation; all operations change log and model equally.
    mutating func performRandomOperation(_ log: SQLiteEventLog) throws {
        switch generator.number(below: 12) {
        case 0: try log.maintain()
        case 1: _ = try log.writer.flushSlice()
        case 2: try applyToBoth(.expire(Samples.after(time - 20)), log)
        case 3:
            let room = rooms[generator.number(below: rooms.count)]
            if room.head.seq > 0 {
                let seq = 1 + generator.number(below: room.head.seq)
                try applyToBoth(.save([RoomSnapshot(room: room.id, seq: seq, bytes: [UInt8](repeating: 1, count: seq))]), log)
            }
        case 4: try appendInvalidBatch(log)
        default: try append(log)
        }
    }

    mutating func append(_ log: SQLiteEventLog) throws {
        let batch = (0..<(1 + generator.number(below: 6))).map { _ in element() }
        try applyToBoth(.append(batch), log)
    }

    /// Appends a batch with an invalid element, of which nothing may be stored.
    private mutating func appendInvalidBatch(_ log: SQLiteEventLog) throws {
        let before = rooms
        let id = RoomID(bits: 1 << 100)
        let malformed = RoomAppend(
            room: id, expected: .none, events: [Samples.event(2)], profile: Samples.profile(), status: Samples.status(),
            responses: [])
        #expect(throws: EventLogError.self) { try log.append([element(), element(), malformed]) }
        rooms = before
    }

    private mutating func element() -> RoomAppend {
        time += 1
        let index = generator.number(below: rooms.count)
        let count = max(0, generator.number(below: 4) - 1)
        let responses = (0..<count).map { Samples.response(UInt128(time) * 8 + UInt128($0), at: Samples.after(time)) }
        if rooms[index].head.seq > 0, generator.number(below: 6) == 0 {
            return rooms[index].comparison(with: rooms[index].head)
        }
        if rooms[index].head.seq > 0, generator.number(below: 10) == 0 {
            var stale = rooms[index]
            stale.head = RoomHead(seq: stale.head.seq - 1, headHash: 1)
            return stale.next(responses: responses)
        }
        let endsAt = generator.number(below: 3) > 0 ? Samples.after(time + 100) : nil
        let isOld = generator.number(below: 3) > 0
        rooms[index].status = RoomStatus(
            state: isOld ? rooms[index].status.state : ["listing", "auctioning", "closed"][generator.number(below: 3)],
            round: 1 + generator.number(below: 3),
            endsAt: isOld ? rooms[index].status.endsAt.map { _ in Samples.after(time) } : endsAt,
            currentPrice: generator.number(below: 4) == 0 ? nil : time, isArchived: generator.number(below: 20) == 0)
        let profile = generator.number(below: 8) == 0 ? Samples.profile(name: "Room at \(time)") : nil
        return rooms[index].next(1 + generator.number(below: 3), profile: profile, responses: responses)
    }

    private mutating func applyToBoth(_ step: Operation, _ log: SQLiteEventLog) throws {
        #expect(try Self.apply(step, to: log) == Self.apply(step, to: model))
        operations.append(step)
    }

    @discardableResult
    private static func apply(_ step: Operation, to log: some EventLog) throws -> [AppendVerdict] {
        switch step {
        case .append(let batch): return try log.append(batch)
        case .save(let snapshots): try log.save(snapshots)
        case .expire(let cutoff): _ = try log.deleteResponses(before: cutoff, limit: 50)
        }
        return []
    }

    /// Compares the results of all reads between log and model.
    func check(_ log: SQLiteEventLog) throws {
        for state in [nil, "preparing", "listing", "auctioning", "closed"] {
            let query = RoomQuery(state: state, limit: 100)
            #expect(try log.rooms(query) == model.rooms(query))
        }
        #expect(try Set(log.openRooms()) == Set(model.openRooms()))
        for room in rooms {
            let (found, expected) = try (
                log.load(room.id, responsesSince: Samples.noon), model.load(room.id, responsesSince: Samples.noon)
            )
            #expect(found?.head == expected?.head)
            #expect(found?.events == expected?.events)
            #expect(found?.snapshot == expected?.snapshot)
            #expect(found?.hashAtSnapshot == expected?.hashAtSnapshot)
            #expect(found?.responses == expected?.responses)
            for after in [0, room.head.seq / 2, room.head.seq - 2, room.head.seq, -3] {
                for limit in [1, 4, 1000] {
                    #expect(
                        try log.events(of: room.id, after: after, limit: limit)
                            == model.events(of: room.id, after: after, limit: limit))
                }
            }
        }
    }
}
