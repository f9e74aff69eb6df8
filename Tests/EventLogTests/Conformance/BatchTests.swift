import AuctionDomain
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a later element may expect the head that an earlier one produces`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let batch = [room.next(), room.next(2), room.next()]
            #expect(try log.append(batch) == Array(repeating: .appended(responsePositions: []), count: 3))
            #expect(try log.seqs(room.id) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an element that builds on a conflicting one conflicts too`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            var stale = room
            stale.head = RoomHead(seq: 1, headHash: 77)
            stale.branch = 3
            let batch = [stale.next(), stale.next()]
            #expect(try log.append(batch) == Array(repeating: .conflict(actual: room.head), count: 2))
            #expect(try log.seqs(room.id) == [1])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `of two elements that expect the same head the first one is appended`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            var rival = room
            rival.branch = 3
            let first = room.next()
            #expect(
                try log.append([first, rival.next()]) == [.appended(responsePositions: []), .conflict(actual: room.head)])
            #expect(try log.events(of: room.id, after: 1, limit: 10) == first.events)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a conflict in one room does not affect the others`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var first = SampleRoom(1)
            var second = SampleRoom(2)
            var third = SampleRoom(3)
            let existing = try log.create(SampleRoom(2))
            second.branch = 9
            let verdicts = try log.append([first.next(), second.next(), third.next(2)])
            #expect(
                verdicts == [
                    .appended(responsePositions: []), .conflict(actual: existing.head), .appended(responsePositions: []),
                ])
            #expect(try log.seqs(first.id) == [1])
            #expect(try log.seqs(third.id) == [1, 2])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a batch that throws commits nothing and the log remains usable`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var good = try log.create(SampleRoom(1))
            let before = good
            var fresh = SampleRoom(2)
            let malformed = RoomAppend(
                room: SampleRoom(3).id, expected: .none, events: [Samples.event(1), Samples.event(3)],
                profile: Samples.profile(), status: Samples.status(), responses: [])
            let error = #expect(throws: EventLogError.self) {
                try log.append([good.next(responses: [Samples.response(1)]), fresh.next(), malformed])
            }
            #expect(error?.code == .statement)
            #expect(try log.seqs(good.id) == [1])
            #expect(try log.load(fresh.id, responsesSince: Samples.noon) == nil)
            #expect(try log.load(malformed.room, responsesSince: Samples.noon) == nil)
            #expect(try log.rooms(RoomQuery(limit: 10)).map(\.room) == [good.id])

            good = before
            fresh = SampleRoom(2)
            try log.commit(good.next(responses: [Samples.response(2)]))
            try log.commit(fresh.next())
            #expect(try log.seqs(good.id) == [1, 2])
            #expect(try log.load(good.id, responsesSince: Samples.noon)?.responses.count == 1)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `events that would leave a gap in a history are rejected`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            for seqs in [[3], [2, 4], [1], [2, 2]] {
                let gapped = RoomAppend(
                    room: room.id, expected: room.head, events: seqs.map { Samples.event($0) }, profile: nil,
                    status: room.status, responses: [])
                let error = #expect(throws: EventLogError.self) { try log.append([gapped]) }
                #expect(error?.code == .statement)
            }
            #expect(try log.seqs(room.id) == [1])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a room needs a profile when it is created`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let bare = RoomAppend(
                room: SampleRoom(1).id, expected: .none, events: [Samples.event(1)], profile: nil,
                status: Samples.status(), responses: [])
            let error = #expect(throws: EventLogError.self) { try log.append([bare]) }
            #expect(error?.code == .statement)
            #expect(try log.rooms(RoomQuery(limit: 10)).isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a batch may contain many rooms`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = (1...500).map { SampleRoom(UInt64($0)) }
            for _ in 0..<3 {
                let batch = rooms.indices.map { rooms[$0].next() }
                #expect(try log.append(batch).allSatisfy { $0 == .appended(responsePositions: []) })
            }
            for room in rooms { #expect(try log.seqs(room.id) == [1, 2, 3]) }
        }
    }
}
