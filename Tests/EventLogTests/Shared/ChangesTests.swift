import AuctionDomain
import EventLog
import Testing

extension SharedConformance {
    @Test(arguments: SharedBackEnd.all)
    func `heads are returned in the order of the requested rooms`(_ backEnd: SharedBackEnd) throws {
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
    func `changes since a known head contain the later events and responses`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var room = SampleRoom(1)
            guard case .appended(let first) = try log.append(&room, responses: [Samples.response(1)]) else { return }
            let known = room.head
            guard case .appended(let second) = try log.append(&room, responses: [Samples.response(2)]) else { return }
            _ = try log.append(&room)
            let since = try #require(try log.changes(of: room.id, since: known, responsesAfter: first[0], limit: 2))
            #expect(since.head == room.head)
            #expect(since.events.map(\.seq) == [2, 3])
            #expect(since.responses.map(\.position) == second)
            let nothing = try #require(try log.changes(of: room.id, since: room.head, responsesAfter: second[0], limit: 2))
            #expect(nothing.events.isEmpty && nothing.responses.isEmpty && nothing.head == room.head)
            #expect(try log.changes(of: room.id, since: known, responsesAfter: 0, limit: 1) == nil)
            #expect(try log.changes(of: room.id, since: RoomHead(seq: 1, headHash: 5), responsesAfter: 0, limit: 9) == nil)
            #expect(try log.changes(of: room.id, since: RoomHead(seq: 9, headHash: 5), responsesAfter: 0, limit: 9) == nil)
            #expect(try log.changes(of: SampleRoom(7).id, since: .none, responsesAfter: 0, limit: 9) == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `rooms past their deadline are listed oldest deadline first, if they are open`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            let now = try log.clockNow()
            var rooms = (1...4).map { SampleRoom(UInt64($0)) }
            for (index, lead) in [-1000, -3000, -200, 60_000].enumerated() {
                let due = Timestamp(milliseconds: now.milliseconds + Int64(lead))
                rooms[index].status = Samples.status("auctioning", endsAt: due)
                #expect(try log.append(&rooms[index], dueAt: due) == .appended(responsePositions: []))
            }
            #expect(try log.roomsPastDeadline(by: 900, limit: 9) == [rooms[1].id, rooms[0].id])
            #expect(try log.roomsPastDeadline(by: 900, limit: 1) == [rooms[1].id])
            rooms[1].status = Samples.status("closed")
            _ = try log.append(&rooms[1])
            #expect(try log.roomsPastDeadline(by: 900, limit: 9) == [rooms[0].id])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an append with a timestamp too far from the log's clock is deferred`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            var room = SampleRoom(1)
            #expect(try opened.log.append(&room, stamped: 500) == .deferred(.stamp))
            #expect(try opened.log.append(&room, stamped: -2500) == .deferred(.stamp))
            #expect(try opened.log.append(&room, stamped: -1500) == .appended(responsePositions: []))
            #expect(try opened.log.append(&room) == .appended(responsePositions: []))
            #expect(try opened.log.seqs(room.id) == [1, 2])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `after the log's clock has gone back, a room is appended to at the time of its last event`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var (room, other) = (SampleRoom(1), SampleRoom(2))
            #expect(try log.append(&room) == .appended(responsePositions: []))
            try opened.advanceTime(-10_000)
            let last = try #require(try log.events(of: room.id, after: 0, limit: 1).first?.at)
            let now = try log.clockNow()
            try #require(last.milliseconds(since: now) > 5000)
            let response = Samples.response(1)
            let verdicts = try log.append([
                room.next(responses: [response]).stamped(last), other.next().stamped(now), room.next().stamped(last),
            ])
            guard case .appended(let positions) = verdicts[0] else {
                Issue.record("\(verdicts)")
                return
            }
            #expect(try positions.map { try log.storedResponse(at: $0) } == [response])
            #expect(verdicts[1...] == [.appended(responsePositions: []), .appended(responsePositions: [])])
            #expect(try [room, other].map { try log.seqs($0.id).count } == [3, 1])

            let later = Timestamp(milliseconds: last.milliseconds + 1)
            let refused = try log.append([room.next().stamped(later), other.next().stamped(last)])
            #expect(refused == [.deferred(.stamp), .deferred(.stamp)], "later than the room's own last event")
            var fresh = SampleRoom(3)
            #expect(try log.append([fresh.next().stamped(last)]) == [.deferred(.stamp)], "it has none")
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an outage is recorded soon after the log's clock was set back, too`(_ backEnd: SharedBackEnd) throws {
        let ada = NodeID(bits: 1)
        try backEnd.withLog { opened throws in
            _ = try opened.log.heartbeat(of: ada)
            try opened.advanceTime(-60_000)
            #expect(try opened.log.heartbeat(of: ada).outage == nil)
            try opened.advanceTime(5000)
            let outage = try #require(try opened.log.heartbeat(of: ada).outage)
            #expect((5000..<30_000).contains(outage.until.milliseconds(since: outage.from)))
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an expiry is deferred until the log's clock has reached the deadline`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            var room = SampleRoom(1)
            _ = try opened.log.append(&room)
            let now = try opened.log.clockNow()
            let soon = Timestamp(milliseconds: now.milliseconds + 60_000)
            #expect(try opened.log.append(&room, notBefore: soon) == .deferred(.early))
            #expect(try opened.log.append(&room, notBefore: now) == .appended(responsePositions: []))
            #expect(try opened.log.seqs(room.id) == [1, 2])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a listening node is notified of rooms to which another node appended`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let (log, node) = (opened.log, NodeID(bits: 1))
            // Notifications are sent only if there are at least two nodes.
            _ = try opened.other.heartbeat(of: NodeID(bits: 2))
            _ = try opened.other.heartbeat(of: node)
            #expect(try log.awaitNotification(for: node, milliseconds: 1) == nil)
            var room = SampleRoom(1)
            _ = try opened.other.append(&room)
            #expect(try log.awaitNotification(for: node, milliseconds: 10_000) == .rooms([room.id]))
            #expect(try log.awaitNotification(for: node, milliseconds: 1) == nil)
        }
    }
}
