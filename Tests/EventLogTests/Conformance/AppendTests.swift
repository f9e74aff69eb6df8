import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `an appended event reads back exactly`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let first = room.next(3)
            #expect(try log.append([first]) == [.appended(responsePositions: [])])
            #expect(try log.events(of: room.id, after: 0, limit: 10) == first.events)
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.head == room.head)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an empty batch has no verdicts`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in #expect(try log.append([]).isEmpty) }
    }

    @Test(arguments: LogBackEnd.all)
    func `creating an existing room is a conflict that returns its head`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            var again = SampleRoom(1)
            again.branch = 7
            #expect(try log.append([again.next(2)]) == [.conflict(actual: room.head)])
            #expect(try log.seqs(room.id) == [1])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an unknown room conflicts with every expected head except none`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            room.head = RoomHead(seq: 4, headHash: 9)
            #expect(try log.append([room.next()]) == [.conflict(actual: .none)])
            #expect(try log.load(room.id, responsesSince: Samples.noon) == nil)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an expected head with the same seq and another hash is a conflict`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            var other = room
            other.head = RoomHead(seq: 1, headHash: room.head.headHash ^ 1)
            #expect(try log.append([other.next()]) == [.conflict(actual: room.head)])
            #expect(try log.seqs(room.id) == [1])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an expected head before or after the actual one is a conflict`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(2))
            var earlier = room
            earlier.head = RoomHead(seq: 1, headHash: Samples.hash(1).headHash)
            var later = room
            _ = later.next()
            let verdicts = try log.append([earlier.next(), later.next()])
            #expect(verdicts == [.conflict(actual: room.head), .conflict(actual: room.head)])
            #expect(try log.seqs(room.id) == [1, 2])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a conflict writes nothing of its element`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            room.head = RoomHead(seq: 1, headHash: 5)
            room.status = Samples.status("closed", price: 99)
            let late = room.next(profile: Samples.profile(name: "Renamed"), responses: [Samples.response(1)])
            guard case .conflict = try log.append([late]).first else { return #expect(Bool(false), "no conflict") }
            let row = try #require(try log.rooms(RoomQuery(limit: 10)).first)
            #expect(row.profile.name == "Spring sale")
            #expect(row.status == Samples.status())
            #expect(try log.load(room.id, responsesSince: Samples.after(-1))?.responses.isEmpty == true)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an append without events compares the head and writes nothing`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            let unknown = SampleRoom(2)
            let verdicts = try log.append([
                room.comparison(with: room.head), room.comparison(with: RoomHead(seq: 1, headHash: 3)),
                room.comparison(with: .none), unknown.comparison(with: .none), unknown.comparison(with: room.head),
            ])
            #expect(
                verdicts == [
                    .appended(responsePositions: []), .conflict(actual: room.head), .conflict(actual: room.head),
                    .appended(responsePositions: []), .conflict(actual: .none),
                ])
            #expect(try log.seqs(room.id) == [1])
            #expect(try log.rooms(RoomQuery(limit: 10)).count == 1)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an append without events does not change the status`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            room.status = Samples.status("closed", endsAt: Samples.noon)
            try log.commit(room.comparison(with: room.head))
            #expect(try log.rooms(RoomQuery(limit: 1)).first?.status == Samples.status())
            #expect(try log.openRooms().isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `large events read back exactly`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let large = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try log.commit(room.next(3, bytes: large))
            #expect(try log.events(of: room.id, after: 2, limit: 1).first?.publicBytes == large)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an append of a thousand events, as of an import, is read back in pages`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var (room, other) = (SampleRoom(1), SampleRoom(2))
            let lot = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let first = room.next()
            try log.commit(first)
            let batch = [room.next(1000, bytes: lot), other.next(1000, bytes: lot)]
            #expect(
                try log.append(batch) == [.appended(responsePositions: []), .appended(responsePositions: [])])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.head == room.head)
            var (read, pages) = ([StoredEvent](), 0)
            while read.count < 1001 {
                let page = try log.events(of: room.id, after: read.count, limit: 256, bytes: 65536)
                try #require(!page.isEmpty && page.reduce(0) { $0 + $1.publicBytes.count } <= 65536)
                (read, pages) = (read + page, pages + 1)
            }
            #expect(read == first.events + batch[0].events && pages > 60)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `private and public bytes read back separately`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = SampleRoom(1)
            let hidden = [nil, [], Array(#"{"reserve":"950.00"}"#.utf8)] as [[UInt8]?]
            let events = hidden.enumerated().map { Samples.event($0.offset + 1, hidden: $0.element) }
            try log.commit(
                RoomAppend(
                    room: room.id, expected: .none, events: events, profile: room.profile, status: room.status,
                    responses: []))
            let read = try log.events(of: room.id, after: 0, limit: 10)
            #expect(read.map(\.privateBytes) == hidden)
            #expect(read.map(\.publicBytes) == events.map(\.publicBytes))
        }
    }
}
