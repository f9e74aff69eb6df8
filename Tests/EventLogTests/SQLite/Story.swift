import AuctionDomain
import EventLog
import Testing

@testable import EventLogSQLite

/// A random course of events, told to a log and to a model of it.
struct Story {
    private var dice: Dice
    private var rooms = (1...12).map { SampleRoom(UInt64($0)) }
    private var model = InMemoryEventLog()
    private var told: [Told] = []
    private var time: Int64 = 0

    private enum Told {
        case append([RoomAppend])
        case save([RoomSnapshot])
        case expire(Timestamp)
    }

    init(seed: UInt64) { dice = Dice(state: seed) }

    /// One that goes on by itself, with a model of its own.
    func copy() throws -> Story {
        var copy = self
        copy.model = InMemoryEventLog()
        for step in told { try Self.tell(step, to: copy.model) }
        return copy
    }

    mutating func goOn(_ log: SQLiteEventLog) throws {
        switch dice.roll(12) {
        case 0: try log.maintain()
        case 1: _ = try log.writer.flushSlice()
        case 2: try both(.expire(Samples.after(time - 20)), log)
        case 3:
            let room = rooms[dice.roll(rooms.count)]
            if room.head.seq > 0 {
                let seq = 1 + dice.roll(room.head.seq)
                try both(.save([RoomSnapshot(room: room.id, seq: seq, bytes: [UInt8](repeating: 1, count: seq))]), log)
            }
        case 4: try fail(log)
        default: try append(log)
        }
    }

    mutating func append(_ log: SQLiteEventLog) throws {
        let batch = (0..<(1 + dice.roll(6))).map { _ in element() }
        try both(.append(batch), log)
    }

    /// A batch of which nothing may stay.
    private mutating func fail(_ log: SQLiteEventLog) throws {
        let before = rooms
        let id = RoomID(bits: 1 << 100)
        let malformed = RoomAppend(
            room: id, expected: .none, events: [Samples.event(2)], profile: Samples.profile(), status: Samples.status(),
            answers: [])
        #expect(throws: EventLogError.self) { try log.append([element(), element(), malformed]) }
        rooms = before
    }

    private mutating func element() -> RoomAppend {
        time += 1
        let index = dice.roll(rooms.count)
        let count = max(0, dice.roll(4) - 1)
        let answers = (0..<count).map { Samples.answer(UInt128(time) * 8 + UInt128($0), at: Samples.after(time)) }
        if rooms[index].head.seq > 0, dice.roll(6) == 0 {
            return rooms[index].comparison(with: rooms[index].head)
        }
        if rooms[index].head.seq > 0, dice.roll(10) == 0 {
            var stale = rooms[index]
            stale.head = RoomHead(seq: stale.head.seq - 1, tip: 1)
            return stale.next(answers: answers)
        }
        let endsAt = dice.roll(3) > 0 ? Samples.after(time + 100) : nil
        let isOld = dice.roll(3) > 0
        rooms[index].status = RoomStatus(
            state: isOld ? rooms[index].status.state : ["listing", "auctioning", "closed"][dice.roll(3)],
            round: 1 + dice.roll(3), endsAt: isOld ? rooms[index].status.endsAt.map { _ in Samples.after(time) } : endsAt,
            currentPrice: dice.roll(4) == 0 ? nil : time, isArchived: dice.roll(20) == 0)
        let profile = dice.roll(8) == 0 ? Samples.profile(name: "Room at \(time)") : nil
        return rooms[index].next(1 + dice.roll(3), profile: profile, answers: answers)
    }

    private mutating func both(_ step: Told, _ log: SQLiteEventLog) throws {
        #expect(try Self.tell(step, to: log) == Self.tell(step, to: model))
        told.append(step)
    }

    @discardableResult
    private static func tell(_ step: Told, to log: some EventLog) throws -> [AppendVerdict] {
        switch step {
        case .append(let batch): return try log.append(batch)
        case .save(let snapshots): try log.save(snapshots)
        case .expire(let cutoff): _ = try log.deleteAnswers(before: cutoff, limit: 50)
        }
        return []
    }

    /// Everything a reader can ask.
    func check(_ log: SQLiteEventLog) throws {
        for state in [nil, "preparing", "listing", "auctioning", "closed"] {
            let query = RoomQuery(state: state, limit: 100)
            #expect(try log.rooms(query) == model.rooms(query))
        }
        #expect(try Set(log.openRooms()) == Set(model.openRooms()))
        for room in rooms {
            let (found, expected) = try (
                log.load(room.id, answersSince: Samples.noon), model.load(room.id, answersSince: Samples.noon)
            )
            #expect(found?.head == expected?.head)
            #expect(found?.events == expected?.events)
            #expect(found?.snapshot == expected?.snapshot)
            #expect(found?.hashAtSnapshot == expected?.hashAtSnapshot)
            #expect(found?.answers == expected?.answers)
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

/// The same rolls for the same seed.
struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(sides))
    }
}
