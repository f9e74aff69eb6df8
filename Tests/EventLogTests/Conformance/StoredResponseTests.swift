import AuctionDomain
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a stored response is found at the position in its verdict`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let headers = [ResponseHeader(name: "Location", value: "/rooms/1"), ResponseHeader(name: "ETag", value: "\"é\"")]
            let empty = StoredResponse(
                key: 3, fingerprint: 0, owner: KeyOwner(bits: 7), at: Samples.noon, status: 204, headers: [], body: [])
            let responses = [Samples.response(1), Samples.response(2, headers: headers), empty]
            let positions = try log.commit(room.next(3, responses: responses))
            #expect(positions.count == 3)
            #expect(positions == positions.sorted() && Set(positions).count == 3)
            for (position, answer) in zip(positions, responses) { #expect(try log.storedResponse(at: position) == answer) }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `there is no response at a position that was never assigned`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let position = try log.commit(room.next(responses: [Samples.response(1)]))[0]
            for other in [position + 1, 0, -1, .max, .min] { #expect(try log.storedResponse(at: other) == nil) }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a room loads the keys of its own responses in order of position`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = [SampleRoom(1), SampleRoom(2)]
            var expected: [RoomID: [StoredKey]] = [:]
            for turn in 0..<20 {
                let room = turn % 2
                let at = Samples.after(Int64(turn))
                let responses = [Samples.response(UInt128(2 * turn), at: at), Samples.response(UInt128(2 * turn + 1), at: at)]
                let positions = try log.commit(rooms[room].next(responses: responses))
                expected[rooms[room].id, default: []] += zip(positions, responses).map {
                    StoredKey(key: $1.key, fingerprint: $1.fingerprint, owner: $1.owner, at: $1.at, position: $0)
                }
            }
            for room in rooms {
                #expect(try log.load(room.id, responsesSince: Samples.noon)?.responses == expected[room.id])
                let since = Samples.after(10)
                let recent = expected[room.id]?.filter { $0.at >= since }
                #expect(try log.load(room.id, responsesSince: since)?.responses == recent)
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `the newest keys of each owner are loaded, up to a limit in all`(
        _ backEnd: LogBackEnd
    ) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let (many, few) = (KeyOwner(bits: .max), KeyOwner(bits: 2))
            let owners = [many, few, many, KeyOwner(bits: 3), many, KeyOwner(bits: 4), few, many]
            let responses = owners.enumerated().map { Samples.response(UInt128($0.offset), owner: $0.element) }
            let positions = try log.commit(room.next(responses: responses))
            #expect(try positions.compactMap { try log.storedResponse(at: $0)?.owner } == responses.map(\.owner))
            func loaded(_ perOwner: Int, _ total: Int = .max) throws -> [Int64]? {
                let keys = WantedKeys(since: Samples.noon, perOwner: perOwner, total: total)
                return try log.load(room.id, keys: keys)?.responses.map(\.position)
            }
            #expect(try loaded(2) == [1, 3, 4, 5, 6, 7].map { positions[$0] })
            #expect(try loaded(1) == [3, 5, 6, 7].map { positions[$0] })
            #expect(try loaded(.max) == positions)
            #expect(try loaded(.max, 3) == Array(positions.suffix(3)))
            #expect(try loaded(1, 3) == [5, 6, 7].map { positions[$0] })
            #expect(try loaded(1, 4) == [3, 5, 6, 7].map { positions[$0] }, "one owner's many keys displace no others")
            #expect(try loaded(.max, 0) == [])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a response cannot be stored without an event`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            for comparison in [
                room.comparison(with: room.head, responses: [Samples.response(1)]),
                SampleRoom(2).comparison(with: .none, responses: [Samples.response(1)]),
            ] {
                let error = #expect(throws: EventLogError.self) { try log.append([comparison]) }
                #expect(error?.code == .statement)
            }
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.responses.isEmpty == true)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `old responses are deleted, up to the limit`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let responses = (0..<10).map { Samples.response(UInt128($0), at: Samples.after(Int64($0))) }
            let positions = try log.commit(room.next(responses: responses))
            #expect(try log.deleteResponses(before: Samples.noon, limit: 100) == 0)
            #expect(try log.deleteResponses(before: Samples.after(6), limit: 4) == 4)
            #expect(try log.deleteResponses(before: Samples.after(6), limit: 0) == 0)
            #expect(try log.deleteResponses(before: Samples.after(6), limit: 4) == 2)
            #expect(try log.deleteResponses(before: Samples.after(6), limit: 4) == 0)
            #expect(try positions.map { try log.storedResponse(at: $0) != nil } == (0..<10).map { $0 >= 6 })
            let left = try log.load(room.id, responsesSince: Samples.noon)?.responses
            #expect(left?.map(\.position) == Array(positions[6...]))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a position is never reused`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            var given: Set<Int64> = []
            for turn in 0..<5 {
                let at = Samples.after(Int64(turn))
                let position = try log.commit(room.next(responses: [Samples.response(UInt128(turn), at: at)]))[0]
                #expect(given.insert(position).inserted)
                #expect(try log.deleteResponses(before: Samples.after(Int64(turn) + 1), limit: 10) == 1)
                #expect(try log.storedResponse(at: position) == nil)
                #expect(try log.load(room.id, responsesSince: Samples.noon)?.responses.isEmpty == true)
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a thousand old responses are deleted and a newer one is kept`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let old = (0..<1000).map { Samples.response(UInt128($0), at: Samples.noon) }
            try log.commit(room.next(responses: old))
            let kept = try log.commit(room.next(responses: [Samples.response(5000, at: Samples.after(1))]))
            #expect(try log.deleteResponses(before: Samples.after(1), limit: 2000) == 1000)
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.responses.map(\.position) == kept)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `discarded responses are gone with their keys, except small ones`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let sizes = [2000, 60_000, StoredResponse.smallBytes, 2000, StoredResponse.smallBytes + 1, 2000]
            let responses = sizes.enumerated().map { number, size in
                Samples.response(UInt128(number), at: Samples.after(Int64(number)), bytes: size)
            }
            let positions = try log.commit(room.next(responses: responses))
            func loaded(_ perOwner: Int = .max) throws -> [Int64]? {
                let wanted = WantedKeys(since: Timestamp(milliseconds: 0), perOwner: perOwner)
                return try log.load(room.id, keys: wanted)?.responses.map(\.position)
            }
            try log.discardResponses(at: [])
            try log.discardResponses(at: [1, 2, 4, 1].map { positions[$0] } + [positions[5] + 1, 0, -1, .max])
            let left: [StoredResponse?] = responses.enumerated().map { [1, 4].contains($0.offset) ? nil : $0.element }
            #expect(try positions.map { try log.storedResponse(at: $0) } == left)
            #expect(try loaded() == [0, 2, 3, 5].map { positions[$0] })
            #expect(try loaded(2) == [3, 5].map { positions[$0] })
            let later = try log.commit(room.next(responses: [Samples.response(9, at: Samples.after(9))]))
            _ = try log.deleteResponses(before: Samples.after(4), limit: 100)
            #expect(try loaded() == [positions[5]] + later)
        }
    }

    @Test(arguments: LogBackEnd.durable)
    func `discarded responses are gone after the log is reopened, and older ones are found`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPlace { place throws in
            var room = SampleRoom(1)
            let first = try backEnd.open(place)
            let responses = (0..<3).map { Samples.response(UInt128($0), bytes: 5000) }
            let positions = try first.commit(room.next(responses: responses))
            try first.discardResponses(at: [positions[1]])
            first.close()
            let second = try backEnd.open(place)
            let left = try second.load(room.id, responsesSince: Samples.noon)?.responses.map(\.position)
            #expect(left == [positions[0], positions[2]])
            #expect(try second.storedResponse(at: positions[1]) == nil)
            #expect(try second.storedResponse(at: positions[0]) == responses[0])
            second.close()
        }
    }
}
