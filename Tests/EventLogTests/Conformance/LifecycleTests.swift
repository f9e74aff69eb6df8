import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `after closing every call throws`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            log.close()
            log.close()
            let calls: [(String, () throws -> Void)] = [
                ("append", { _ = try log.append([room.next()]) }),
                ("save", { try log.save([RoomSnapshot(room: room.id, seq: 1, bytes: [])]) }),
                ("load", { _ = try log.load(room.id, responsesSince: Samples.noon) }),
                ("events", { _ = try log.events(of: room.id, after: 0, limit: 1) }),
                ("answer", { _ = try log.storedResponse(at: 1) }),
                ("openRooms", { _ = try log.openRooms() }),
                ("rooms", { _ = try log.rooms(RoomQuery(limit: 1)) }),
                ("deleteAnswers", { _ = try log.deleteResponses(before: Samples.noon, limit: 1) }),
                ("discardAnswers", { try log.discardResponses(at: [1]) }),
                ("maintain", { try log.maintain() }),
                ("probe", { try log.probe() }),
            ]
            for (name, call) in calls {
                let error = #expect(throws: EventLogError.self, "\(name)") { try call() }
                #expect(error?.code == .unavailable, "\(name)")
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `probe and maintain succeed on an open log`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            try log.probe()
            try log.maintain()
            #expect(try log.size().bytes >= 0)
            var room = try log.create(SampleRoom(1))
            try log.maintain()
            try log.probe()
            try log.commit(room.next())
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a log that has released its memory is still read and appended to`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            log.releaseMemory()
            try log.commit(room.next())
            log.releaseMemory()
            #expect(try log.events(of: room.id, after: 0, limit: 10).map(\.seq) == [1, 2])
        }
    }

    @Test(arguments: LogBackEnd.durable)
    func `everything acknowledged is present after the log is reopened`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPlace { place throws in
            var rooms = [SampleRoom(1), SampleRoom(2)]
            var positions: [Int64] = []
            let responses = (0..<4).map { Samples.response(UInt128($0), at: Samples.after(Int64($0))) }
            let snapshot = RoomSnapshot(room: rooms[0].id, seq: 2, bytes: [1, 2, 3])
            rooms[0].status = Samples.status("auctioning", endsAt: Samples.after(60_000), price: 500)

            let first = try backEnd.open(place)
            for response in responses { positions += try first.commit(rooms[0].next(responses: [response])) }
            try first.commit(rooms[1].next(2))
            try first.save([snapshot])
            let before = (
                try first.rooms(RoomQuery(limit: 10)), try first.events(of: rooms[0].id, after: 0, limit: 10)
            )
            first.close()

            let second = try backEnd.open(place)
            #expect(try second.rooms(RoomQuery(limit: 10)) == before.0)
            #expect(try second.events(of: rooms[0].id, after: 0, limit: 10) == before.1)
            #expect(try second.openRooms() == [rooms[0].id])
            let loaded = try #require(try second.load(rooms[0].id, responsesSince: Samples.after(1)))
            #expect(loaded.head == rooms[0].head)
            #expect(loaded.snapshot == snapshot)
            #expect(loaded.responses.map(\.position) == Array(positions[1...]))
            #expect(try second.storedResponse(at: positions[0]) == responses[0])
            try second.commit(rooms[0].next(responses: [Samples.response(9)]))
            try second.commit(rooms[1].next())
            second.close()
        }
    }

    @Test(arguments: LogBackEnd.durable)
    func `positions are not reused after all responses were deleted and the log was reopened`(
        _ backEnd: LogBackEnd
    ) throws {
        try backEnd.withPlace { place throws in
            var room = SampleRoom(1)
            let first = try backEnd.open(place)
            let old = try first.commit(room.next(responses: [Samples.response(1), Samples.response(2)]))
            #expect(try first.deleteResponses(before: Samples.after(1), limit: 10) == 2)
            first.close()
            let second = try backEnd.open(place)
            let new = try second.commit(room.next(responses: [Samples.response(3)]))
            #expect(Set(old).isDisjoint(with: new))
            #expect(try second.load(room.id, responsesSince: Samples.noon)?.responses.map(\.position) == new)
            second.close()
        }
    }
}
