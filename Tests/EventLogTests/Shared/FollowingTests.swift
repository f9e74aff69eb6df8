import AuctionDomain
import EventLog
import Testing

extension SharedConformance {
    @Test(arguments: SharedBackEnd.all)
    func `heads are those of the rooms asked for, in order`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var rooms = [SampleRoom(1), SampleRoom(2)]
            for index in rooms.indices { _ = try log.append(&rooms[index]) }
            _ = try log.append(&rooms[1])
            #expect(
                try log.heads(of: [rooms[1].id, SampleRoom(7).id, rooms[0].id, rooms[1].id])
                    == [rooms[1].head, .none, rooms[0].head, rooms[1].head])
            #expect(try log.heads(of: []).isEmpty)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a node that knows a room gets what came since, answers too`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var room = SampleRoom(1)
            guard case .appended(let first) = try log.append(&room, answers: [Samples.answer(1)]) else { return }
            let known = room.head
            guard case .appended(let second) = try log.append(&room, answers: [Samples.answer(2)]) else { return }
            _ = try log.append(&room)
            let since = try #require(try log.advance(of: room.id, since: known, answersAfter: first[0], limit: 2))
            #expect(since.head == room.head)
            #expect(since.events.map(\.seq) == [2, 3])
            #expect(since.answers.map(\.position) == second)
            let nothing = try #require(try log.advance(of: room.id, since: room.head, answersAfter: second[0], limit: 2))
            #expect(nothing.events.isEmpty && nothing.answers.isEmpty && nothing.head == room.head)
            #expect(try log.advance(of: room.id, since: known, answersAfter: 0, limit: 1) == nil)
            #expect(try log.advance(of: room.id, since: RoomHead(seq: 1, tip: 5), answersAfter: 0, limit: 9) == nil)
            #expect(try log.advance(of: room.id, since: RoomHead(seq: 9, tip: 5), answersAfter: 0, limit: 9) == nil)
            #expect(try log.advance(of: SampleRoom(7).id, since: .none, answersAfter: 0, limit: 9) == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `overdue rooms are open, due for so long, the longest first`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            let now = try log.clockNow()
            var rooms = (1...4).map { SampleRoom(UInt64($0)) }
            for (index, lead) in [-1000, -3000, -200, 60_000].enumerated() {
                let due = Timestamp(milliseconds: now.milliseconds + Int64(lead))
                rooms[index].status = Samples.status("auctioning", endsAt: due)
                #expect(try log.append(&rooms[index], dueAt: due) == .appended(answerPositions: []))
            }
            #expect(try log.overdueRooms(by: 900, limit: 9) == [rooms[1].id, rooms[0].id])
            #expect(try log.overdueRooms(by: 900, limit: 1) == [rooms[1].id])
            rooms[1].status = Samples.status("closed")
            _ = try log.append(&rooms[1])
            #expect(try log.overdueRooms(by: 900, limit: 9) == [rooms[0].id])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a batch stamped too far from the log's clock is refused`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            var room = SampleRoom(1)
            #expect(try opened.log.append(&room, stamped: 500) == .deferred(.stamp))
            #expect(try opened.log.append(&room, stamped: -2500) == .deferred(.stamp))
            #expect(try opened.log.append(&room, stamped: -1500) == .appended(answerPositions: []))
            #expect(try opened.log.append(&room) == .appended(answerPositions: []))
            #expect(try opened.log.seqs(room.id) == [1, 2])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `nothing ends before it is due, by the log's clock`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            var room = SampleRoom(1)
            _ = try opened.log.append(&room)
            let now = try opened.log.clockNow()
            let soon = Timestamp(milliseconds: now.milliseconds + 60_000)
            #expect(try opened.log.append(&room, notBefore: soon) == .deferred(.early))
            #expect(try opened.log.append(&room, notBefore: now) == .appended(answerPositions: []))
            #expect(try opened.log.seqs(room.id) == [1, 2])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `whoever listens hears of rooms that another node advanced`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let (log, node) = (opened.log, NodeID(bits: 1))
            // There are two nodes, so that there is somebody to tell.
            _ = try opened.other.heartbeat(of: NodeID(bits: 2))
            _ = try opened.other.heartbeat(of: node)
            #expect(try log.awaitNotice(for: node, milliseconds: 1) == nil)
            var room = SampleRoom(1)
            _ = try opened.other.append(&room)
            #expect(try log.awaitNotice(for: node, milliseconds: 10_000) == .rooms([room.id]))
            #expect(try log.awaitNotice(for: node, milliseconds: 1) == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `answers that move no head leave a mark, and who does not know of one loses`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let (log, other) = (opened.log, opened.other)
            var room = SampleRoom(1)
            _ = try log.append(&room)
            func quiet(_ known: Int?, _ answers: [UInt128] = []) -> RoomAppend {
                RoomAppend(
                    room: room.id, expected: room.head, events: [], profile: nil, status: room.status,
                    answers: answers.map { Samples.answer($0) }, quietMark: known)
            }
            let lost = AppendVerdict.conflict(actual: room.head)
            #expect(try log.append([quiet(1), quiet(1, [1])]) == [lost, lost])
            // Built on each other, in one batch.
            let one = quiet(0, [1, 2]).quietStep
            let both = one + quiet(one, [3]).quietStep
            let verdicts = try log.append([quiet(0), quiet(0, [1, 2]), quiet(one, [3]), quiet(both)])
            #expect(verdicts.map(\.positions.count) == [0, 2, 1, 0])
            #expect(try other.append([quiet(0), quiet(one, [4]), quiet(nil)]) == [lost, lost, .appended(answerPositions: [])])
            // As many, but others: what was lost on its way, and another node's in its place.
            let instead = quiet(0, [1, 2]).quietStep + quiet(0, [4]).quietStep
            #expect(try other.append([quiet(instead)]) == [lost])
            let advance = try #require(try other.advance(of: room.id, since: room.head, answersAfter: 0, limit: 9))
            #expect(advance.quietMark == both)
            #expect(advance.answers.count == 3)
            #expect(try other.load(room.id, answersSince: Samples.noon)?.quietMark == both)
            // Events of one who does not know of them neither.
            let event = try stamped(room.next(answers: [Samples.answer(5)]), at: log, quiet: one)
            #expect(try other.append([event]) == [lost])
            let known = try stamped(event, at: log, quiet: both)
            #expect(try other.append([known, quiet(both), quiet(one)]).map(\.isAppended) == [true, true, false])
            #expect(try log.load(room.id, answersSince: Samples.noon)?.quietMark == both, "it moved the head")
        }
    }

    /// The same as decided now, where these quiet answers are known.
    private func stamped(_ append: RoomAppend, at log: any SharedEventLog, quiet: Int) throws -> RoomAppend {
        let now = try log.clockNow()
        let events = append.events.map {
            StoredEvent(seq: $0.seq, at: now, type: $0.type, publicBytes: $0.publicBytes, privateBytes: nil, hash: $0.hash)
        }
        return RoomAppend(
            room: append.room, expected: append.expected, events: events, profile: nil, status: append.status,
            answers: append.answers, quietMark: quiet)
    }
}

extension AppendVerdict {
    fileprivate var positions: [Int64] { if case .appended(let positions) = self { positions } else { [] } }
    fileprivate var isAppended: Bool { if case .appended = self { true } else { false } }
}
