import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogPostgres

extension EventFeed {
    /// The events after a position; records an issue if the position is gone.
    fileprivate func events(after position: FeedPosition = .beginning, limit: Int = 1000) throws -> [FeedEvent] {
        guard case .events(let events) = try feed(after: position, limit: limit) else {
            Issue.record("\(position) is gone")
            return []
        }
        return events
    }
}

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `the feed has every room's events in order, without what is private`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var (first, second) = (SampleRoom(1), SampleRoom(2))
            #expect(try log.feedEnd() == .beginning && log.events() == [])
            var opening = first.next(2)
            opening = RoomAppend(
                room: first.id, expected: .none, events: [Samples.event(1, hidden: [1]), Samples.event(2)],
                profile: opening.profile, status: opening.status, responses: [])
            _ = try log.append([opening, second.next(1)])
            _ = try log.events()
            _ = try log.append([first.next(3)])
            _ = try log.append([second.next(1), first.next(1)])
            let all = try log.events()
            #expect(all.count == 8 && all.allSatisfy { $0.event.privateBytes == nil })
            for room in [first.id, second.id] {
                let expected = try log.events(of: room, after: 0, limit: 99)
                #expect(all.filter { $0.room == room }.map(\.event.seq) == expected.map(\.seq))
                #expect(all.filter { $0.room == room }.map(\.event.publicBytes) == expected.map(\.publicBytes))
            }
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.position.number < $1.position.number })
            #expect(try log.feedEnd() == all.last?.position)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a reader goes on from any event, in pages`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = (1...3).map { SampleRoom($0) }
            for round in 0..<4 {
                for index in rooms.indices { _ = try log.append([rooms[index].next(1 + (index + round) % 3 * 150)]) }
                _ = try log.feedEnd()
            }
            let all = try log.events(limit: 9999)
            #expect(all.count == rooms.map(\.head.seq).reduce(0, +))
            var read: [FeedEvent] = []
            while let page = try? log.events(after: read.last?.position ?? .beginning, limit: 97), !page.isEmpty {
                read += page
            }
            #expect(read == all)
            for index in stride(from: 0, to: all.count, by: 31) {
                #expect(try log.events(after: all[index].position, limit: 1) == Array(all[(index + 1)...].prefix(1)))
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a reader of some types gets those only, and goes on after all that was examined`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let types = ["bid.placed", "item.sold", "chat.sent"]
            let rooms = (1...3).map { SampleRoom($0) }
            for var room in rooms {
                let opening = room.next(5)
                let events = opening.events.map { event in
                    StoredEvent(
                        seq: event.seq, at: event.at, type: types[event.seq % types.count], publicBytes: event.publicBytes,
                        privateBytes: nil, hash: event.hash)
                }
                _ = try log.append([
                    RoomAppend(
                        room: room.id, expected: .none, events: events, profile: opening.profile, status: opening.status,
                        responses: [])
                ])
            }
            let all = try log.events()
            #expect(all.count == 15)
            for wanted in [["item.sold"], ["item.sold", "chat.sent"], ["none"]] as [Set<String>] {
                for limit in [1, 2, 7, 15, 16] {
                    var query = FeedQuery(after: .beginning, limit: limit)
                    query.types = wanted
                    var (read, isAtEnd) = ([FeedEvent](), false)
                    while !isAtEnd {
                        let before = query.position.number
                        guard case .events(let events, let end, let isLast) = try log.scanFeed(query) else {
                            throw ScenarioError()
                        }
                        #expect(events.count <= limit && (end.number > before || isLast))
                        read += events
                        (query.position, isAtEnd) = (end, isLast)
                    }
                    #expect(read == all.filter { wanted.contains($0.event.type) })
                    #expect(query.position == all.last?.position)
                }
            }
            var wrong = FeedQuery(after: FeedPosition(number: 1, hash: 1), limit: 1)
            wrong.types = ["item.sold"]
            #expect(try log.scanFeed(wrong) == .gone)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a position after another event, or after none, is gone`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            _ = try log.append([room.next(2)])
            let end = try log.feedEnd()
            #expect(try log.events(after: end) == [])
            for wrong in [
                FeedPosition(number: end.number, hash: end.hash ^ 1), FeedPosition(number: end.number + 1, hash: end.hash),
                FeedPosition(number: 0, hash: 1), FeedPosition(number: .max, hash: 0), FeedPosition(number: -1, hash: 0),
            ] {
                #expect(try log.feed(after: wrong, limit: 9) == .gone)
            }
        }
    }
}

/// Nodes that append at the same time on PostgreSQL, with readers that follow.
struct SharedFeedTests {
    /// All rooms are searched every time, also if a search is slow beside other tests.
    private var limits: PostgresLimits {
        var limits = PostgresLimits()
        limits.quickFeedSearchMicroseconds = 60_000_000
        return limits
    }

    @Test func `an event that is committed late is read after those before it`() throws {
        let store = try TestStore()
        let log = try store.open(limits)
        defer { log.close() }
        var (early, late) = (SampleRoom(1), SampleRoom(2))
        _ = try log.append([early.next(1), late.next(1)])
        let seen = try log.events()
        // A transaction of another node that has written its event and not committed yet.
        let session = try store.session()
        try session.execute("BEGIN")
        try session.execute("UPDATE room SET seq = 2 WHERE id = '\(late.id)'")
        try session.execute(
            """
            INSERT INTO event (room, seq, at, hash, type, public)
            SELECT number, 2, 0, decode('\(String(repeating: "ab", count: 32))', 'hex'), 'bid.placed', 'x' FROM room WHERE id = '\(late.id)'
            """)
        _ = try log.append([early.next(1)])
        let before = try log.events(after: seen[1].position)
        #expect(before.map(\.room) == [early.id])
        try session.execute("COMMIT")
        let after = try log.events(after: before[0].position)
        #expect(after.map(\.room) == [late.id] && after.map(\.event.seq) == [2])
    }

    @Test func `readers on several nodes get each event once and in its room's order, while nodes append`() async throws {
        let store = try TestStore()
        let logs = try (0..<3).map { _ in try store.open(limits) }
        defer { for log in logs { log.close() } }
        let (roomsEach, appends) = (3, 40)
        // Appends and reads take turns: tasks that only wait for others would take the threads that the others need.
        let parts = try await withThrowingTaskGroup(of: (Int, [FeedEvent]).self) { group in
            for (node, log) in logs.enumerated() {
                group.addTask {
                    var rooms = (0..<roomsEach).map { SampleRoom(UInt64(1 + node * roomsEach + $0)) }
                    var read: [FeedEvent] = []
                    for round in 0..<appends {
                        _ = try log.append([rooms[round % roomsEach].next(1 + round % 4)])
                        read += try log.events(after: read.last?.position ?? .beginning, limit: 7)
                    }
                    return (node, read)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let histories = parts.map { node, read in
            var read = read
            while let page = try? logs[node].events(after: read.last?.position ?? .beginning, limit: 7), !page.isEmpty {
                read += page
            }
            return read
        }
        #expect(histories.count == logs.count && Set(histories.map { $0.map(\.position.number) }).count == 1)
        let history = try #require(histories.first)
        #expect(history == histories[1] && history == histories[2])
        let byRoom = Dictionary(grouping: history, by: \.room).mapValues { $0.map(\.event.seq) }
        #expect(byRoom.count == logs.count * roomsEach)
        for (room, seqs) in byRoom {
            #expect(seqs == Array(1...seqs.count))
            #expect(try logs[0].events(of: room, after: 0, limit: 999).count == seqs.count)
        }
    }
}
