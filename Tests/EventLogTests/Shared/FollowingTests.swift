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
}
