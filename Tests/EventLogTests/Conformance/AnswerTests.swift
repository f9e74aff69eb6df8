import AuctionDomain
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `an answer is found at the position its verdict gave`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let headers = [AnswerHeader(name: "Location", value: "/rooms/1"), AnswerHeader(name: "ETag", value: "\"é\"")]
            let empty = AnswerRecord(key: 3, fingerprint: 0, at: Samples.noon, status: 204, headers: [], body: [])
            let answers = [Samples.answer(1), Samples.answer(2, headers: headers), empty]
            let positions = try log.commit(room.next(3, answers: answers))
            #expect(positions.count == 3)
            #expect(positions == positions.sorted() && Set(positions).count == 3)
            for (position, answer) in zip(positions, answers) { #expect(try log.answer(at: position) == answer) }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `there is no answer at a position that was never given`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let position = try log.commit(room.next(answers: [Samples.answer(1)]))[0]
            for other in [position + 1, 0, -1, .max, .min] { #expect(try log.answer(at: other) == nil) }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a room loads its own answers in order of position`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = [SampleRoom(1), SampleRoom(2)]
            var expected: [RoomID: [StoredKey]] = [:]
            for turn in 0..<20 {
                let room = turn % 2
                let at = Samples.after(Int64(turn))
                let answers = [Samples.answer(UInt128(2 * turn), at: at), Samples.answer(UInt128(2 * turn + 1), at: at)]
                let positions = try log.commit(rooms[room].next(answers: answers))
                expected[rooms[room].id, default: []] += zip(positions, answers).map {
                    StoredKey(key: $1.key, fingerprint: $1.fingerprint, owner: $1.owner, at: $1.at, position: $0)
                }
            }
            for room in rooms {
                #expect(try log.load(room.id, answersSince: Samples.noon)?.answers == expected[room.id])
                let since = Samples.after(10)
                let recent = expected[room.id]?.filter { $0.at >= since }
                #expect(try log.load(room.id, answersSince: since)?.answers == recent)
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `of each owner's keys the newest are loaded, and those of unknown owners all`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let (many, few) = (KeyOwner(bits: .max), KeyOwner(bits: 2))
            let owners = [many, few, many, nil, many, nil, few, many]
            let answers = owners.enumerated().map { Samples.answer(UInt128($0.offset), owner: $0.element) }
            let positions = try log.commit(room.next(answers: answers))
            #expect(try positions.compactMap { try log.answer(at: $0)?.owner } == answers.map(\.owner))
            func loaded(_ perOwner: Int) throws -> [Int64]? {
                try log.load(room.id, answersSince: Samples.noon, answersPerOwner: perOwner)?.answers.map(\.position)
            }
            #expect(try loaded(2) == [1, 3, 4, 5, 6, 7].map { positions[$0] })
            #expect(try loaded(1) == [3, 5, 6, 7].map { positions[$0] })
            #expect(try loaded(.max) == positions)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an answer cannot be kept without an event`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            for comparison in [
                room.comparison(with: room.head, answers: [Samples.answer(1)]),
                SampleRoom(2).comparison(with: .none, answers: [Samples.answer(1)]),
            ] {
                let error = #expect(throws: EventLogError.self) { try log.append([comparison]) }
                #expect(error?.code == .statement)
            }
            #expect(try log.load(room.id, answersSince: Samples.noon)?.answers.isEmpty == true)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `old answers are deleted, at most as many as asked`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let answers = (0..<10).map { Samples.answer(UInt128($0), at: Samples.after(Int64($0))) }
            let positions = try log.commit(room.next(answers: answers))
            #expect(try log.deleteAnswers(before: Samples.noon, limit: 100) == 0)
            #expect(try log.deleteAnswers(before: Samples.after(6), limit: 4) == 4)
            #expect(try log.deleteAnswers(before: Samples.after(6), limit: 0) == 0)
            #expect(try log.deleteAnswers(before: Samples.after(6), limit: 4) == 2)
            #expect(try log.deleteAnswers(before: Samples.after(6), limit: 4) == 0)
            #expect(try positions.map { try log.answer(at: $0) != nil } == (0..<10).map { $0 >= 6 })
            let left = try log.load(room.id, answersSince: Samples.noon)?.answers
            #expect(left?.map(\.position) == Array(positions[6...]))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a position is never used again`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            var given: Set<Int64> = []
            for turn in 0..<5 {
                let at = Samples.after(Int64(turn))
                let position = try log.commit(room.next(answers: [Samples.answer(UInt128(turn), at: at)]))[0]
                #expect(given.insert(position).inserted)
                #expect(try log.deleteAnswers(before: Samples.after(Int64(turn) + 1), limit: 10) == 1)
                #expect(try log.answer(at: position) == nil)
                #expect(try log.load(room.id, answersSince: Samples.noon)?.answers.isEmpty == true)
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `many answers are deleted while others are added`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let old = (0..<1000).map { Samples.answer(UInt128($0), at: Samples.noon) }
            try log.commit(room.next(answers: old))
            let kept = try log.commit(room.next(answers: [Samples.answer(5000, at: Samples.after(1))]))
            #expect(try log.deleteAnswers(before: Samples.after(1), limit: 2000) == 1000)
            #expect(try log.load(room.id, answersSince: Samples.noon)?.answers.map(\.position) == kept)
        }
    }
}
