import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

private let ann = UserID(bits: 0xA11)
private let bob = UserID(bits: 0xB0B)

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `rooms are found by users whom their events name, also in private bytes`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = (1...5).map { SampleRoom($0) }
            for index in rooms.indices { try log.commit(rooms[index].next()) }
            try log.commit(rooms[1].next(bytes: bytes(#"{"bidder":{"id":"\#(ann)"}}"#)))
            let hidden = Samples.event(rooms[3].head.seq + 1, hidden: bytes(#"{"reporter":{"id":"\#(ann)"}}"#))
            try log.commit(
                RoomAppend(
                    room: rooms[3].id, expected: rooms[3].head, events: [hidden], profile: nil, status: Samples.status(),
                    responses: []))
            try log.commit(rooms[4].next(bytes: bytes(#"{"bidder":{"id":"\#(bob)"}}"#)))
            func found(_ users: [UserID], limit: Int) throws -> Set<RoomID> {
                var (found, next) = (Set<RoomID>(), Int64?.some(0))
                while let position = next {
                    let part = try log.rooms(naming: users, after: position, limit: limit)
                    found.formUnion(part.rooms)
                    next = part.next
                }
                return found
            }
            for limit in [1, 3, 1000] {
                #expect(try found([ann], limit: limit) == [rooms[1].id, rooms[3].id])
                #expect(try found([ann, bob], limit: limit) == [rooms[1].id, rooms[3].id, rooms[4].id])
                #expect(try found([UserID(bits: 1)], limit: limit) == [])
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `rewritten events are read with their new bytes and the hash of the old ones`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(5))
            try log.save([RoomSnapshot(room: room.id, seq: 3, bytes: [1, 2, 3])])
            let before = try log.events(of: room.id, after: 0, limit: 10)
            let changed = [
                before[1].rewritten(publicBytes: bytes(#"{"seq":2}"#), privateBytes: nil),
                before[3].rewritten(publicBytes: bytes(#"{"seq":4}"#), privateBytes: bytes("{}")),
            ]
            try log.replace(changed, of: room.id, before: 4)
            try log.commit(room.next())
            let after = try log.events(of: room.id, after: 0, limit: 10)
            #expect(Array(after.prefix(5)) == [before[0], changed[0], before[2], changed[1], before[4]])
            #expect(after.map(\.isErased) == [false, true, false, true, false, false])
            let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
            #expect(loaded.snapshot == nil && loaded.events == after && loaded.head == room.head)
            // Again, and for a room that there is not.
            try log.replace(changed, of: room.id, before: 4)
            try log.replace(changed, of: SampleRoom(9).id, before: 4)
            #expect(try log.events(of: room.id, after: 0, limit: 10) == after)
            // The snapshot of a later state stays.
            try log.save([RoomSnapshot(room: room.id, seq: 6, bytes: [4])])
            try log.replace([], of: room.id, before: 6)
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot?.seq == 6)
            _ = try log.purge()
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an event that was rewritten is appended to a copy as it is`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let append = room.next(3)
            let events = append.events.enumerated().map { index, event in
                index == 1 ? event.rewritten(publicBytes: bytes("{}"), privateBytes: bytes("[]")) : event
            }
            try log.commit(
                RoomAppend(
                    room: room.id, expected: .none, events: events, profile: Samples.profile(), status: Samples.status(),
                    responses: []))
            #expect(try log.events(of: room.id, after: 0, limit: 10) == events)
            guard case .events(let feed) = try log.feed(after: .beginning, limit: 10) else { throw ScenarioError() }
            #expect(feed.map(\.event.hash) == events.map(\.hash))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `stored responses are rewritten in steps, and keep their keys`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            let responses = (1...5).map { number in
                StoredResponse(
                    key: UInt128(number), fingerprint: 1, owner: KeyOwner(bits: 7), at: Samples.noon, status: 201, headers: [],
                    body: bytes(number % 2 == 0 ? #"{"id":"\#(ann)"}"# : "{}"))
            }
            let positions = try log.commit(room.next(responses: responses))
            for limit in [2, 100] {
                var (next, seen) = (Int64?.some(0), 0)
                while let position = next {
                    next = try log.rewriteResponses(naming: [ann], after: position, limit: limit) { body in
                        seen += 1
                        return body.contains(bytes(ann.description)) ? bytes(#"{"new":"\#(ann)"}"#) : nil
                    }
                }
                #expect(seen >= 2)
            }
            let stored = try positions.map { try log.storedResponse(at: $0) }
            #expect(stored.map { $0?.key } == responses.map(\.key))
            #expect(
                stored.map { $0.map { String(decoding: $0.body, as: UTF8.self) } }
                    == (1...5).map { $0 % 2 == 0 ? #"{"new":"\#(ann)"}"# : "{}" })
            #expect(try log.rewriteResponses(naming: [ann], after: positions[4], limit: 10) { _ in nil } == nil)
        }
    }
}
