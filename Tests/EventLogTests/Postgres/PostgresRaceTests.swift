import AuctionDomain
import EventLog
import Synchronization
import Testing

@testable import EventLogPostgres

/// Several nodes at one log.
@Suite struct PostgresRaces {
    /// Appends to all of these rooms at once until each has `goal` events; a room that lost is read again.
    private static func race(_ log: PostgresEventLog, _ ids: [UInt64], branch: UInt64, goal: Int) throws -> Int {
        var rooms = ids.map { number in
            var room = SampleRoom(number)
            room.branch = branch
            return room
        }
        var won = 0
        while true {
            let behind = rooms.indices.filter { rooms[$0].head.seq < goal }
            if behind.isEmpty { return won }
            let verdicts = try log.append(behind.map { rooms[$0].next() })
            for (index, verdict) in zip(behind, verdicts) {
                if case .appended = verdict {
                    won += 1
                } else {
                    rooms[index].head = try log.heads(of: [rooms[index].id])[0]
                }
            }
        }
    }

    @Test func `two nodes race for one room: every event is there once, in one order`() async throws {
        let store = try TestStore()
        try await raceAndCheck(store, nodes: [[1], [1]], rooms: [1], goal: 200)
    }

    @Test func `three nodes append to the same rooms in different order, and nobody waits in a circle`() async throws {
        let store = try TestStore()
        let rooms: [UInt64] = Array(1...12)
        let deadlocks = "SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()"
        let before = try store.text(deadlocks)
        try await raceAndCheck(
            store, nodes: [rooms, rooms.reversed(), Array(rooms[6...] + rooms[..<6])], rooms: rooms, goal: 40)
        #expect(try store.text(deadlocks) == before)
    }

    private func raceAndCheck(_ store: TestStore, nodes: [[UInt64]], rooms: [UInt64], goal: Int) async throws {
        let won = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, ids) in nodes.enumerated() {
                group.addTask {
                    let log = try store.open()
                    defer { log.close() }
                    return try Self.race(log, ids, branch: UInt64(number), goal: goal)
                }
            }
            return try await group.reduce(0, +)
        }
        let log = try store.open()
        defer { log.close() }
        for number in rooms {
            let id = SampleRoom(number).id
            #expect(try log.seqs(id) == Array(1...goal))
            let events = try log.events(of: id, after: 0, limit: 1000)
            #expect(try log.heads(of: [id]) == [RoomHead(seq: goal, tip: events[goal - 1].hash.tip)])
        }
        #expect(won == rooms.count * goal, "each event was acknowledged to one node")
    }

    @Test func `a room that another node holds at the moment is deferred, its neighbours are not`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var (held, free) = (try log.create(SampleRoom(1)), try log.create(SampleRoom(2)))
        let before = held
        let other = try store.session()
        try other.execute("BEGIN")
        try other.execute("SELECT 1 FROM room WHERE id = '\(held.id)' FOR UPDATE")
        #expect(try log.append([held.next(), free.next()]) == [.deferred(.locked), .appended(answerPositions: [])])
        #expect(try log.append([before.comparison(with: before.head)]) == [.appended(answerPositions: [])])
        try other.execute("ROLLBACK")
        held = before
        try log.commit(held.next())
    }

    @Test func `many appends make few notices, and one names the rooms`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.noticeMilliseconds = 300
        let (log, other) = (try store.open(limits), try store.open())
        defer {
            log.close()
            other.close()
        }
        let node = NodeID(bits: 7)
        #expect(try other.awaitNotice(for: node, milliseconds: 1) == nil)
        var rooms = (1...50).map { SampleRoom(UInt64($0)) }
        for index in rooms.indices { try log.commit(rooms[index].next()) }
        var (heard, notices): (Set<RoomID>, Int) = ([], 0)
        while heard.count < rooms.count, let notice = try other.awaitNotice(for: node, milliseconds: 5000) {
            guard case .rooms(let named) = notice else { break }
            heard.formUnion(named)
            notices += 1
        }
        #expect(heard == Set(rooms.map(\.id)))
        #expect(notices <= 3)
        #expect(try log.awaitNotice(for: NodeID(bits: 8), milliseconds: 1) == nil, "nobody hears what they said themselves")
    }

    @Test func `a notice that would name too many names none`() throws {
        let store = try TestStore()
        let (log, other) = (try store.open(), try store.open())
        defer {
            log.close()
            other.close()
        }
        #expect(try other.awaitNotice(for: NodeID(bits: 7), milliseconds: 1) == nil)
        var rooms = (1...300).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next() })
        #expect(try other.awaitNotice(for: NodeID(bits: 7), milliseconds: 5000) == .many)
    }
}

extension TestStore {
    func open(_ limits: PostgresLimits) throws -> PostgresEventLog { try open(judgesTime: false, limits) }
}
