import AuctionDomain
import EventLog
import Synchronization
import Testing

@testable import EventLogPostgres

/// Concurrent appends and notifications of several nodes.
@Suite struct PostgresRaces {
    /// Appends to all of these rooms in batches until each has `goal` events; after a conflict the room's head is read again.
    /// - Returns: The number of acknowledged appends.
    private static func race(_ log: PostgresEventLog, _ ids: [UInt64], branch: UInt64, goal: Int) throws -> Int {
        var rooms = ids.map { number in
            var room = SampleRoom(number)
            room.branch = branch
            return room
        }
        var acknowledged = 0
        while true {
            let unfinished = rooms.indices.filter { rooms[$0].head.seq < goal }
            if unfinished.isEmpty { return acknowledged }
            let verdicts = try log.append(unfinished.map { rooms[$0].next() })
            for (index, verdict) in zip(unfinished, verdicts) {
                if case .appended = verdict {
                    acknowledged += 1
                } else {
                    rooms[index].head = try log.heads(of: [rooms[index].id])[0]
                }
            }
        }
    }

    @Test func `when two nodes append to one room concurrently, every event is stored once, without gaps`() async throws {
        let store = try TestStore()
        try await raceAndCheck(store, nodes: [[1], [1]], rooms: [1], goal: 200)
    }

    @Test func `three nodes that append to the same rooms in different order do not deadlock`() async throws {
        let store = try TestStore()
        let rooms: [UInt64] = Array(1...12)
        let deadlocks = "SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()"
        let before = try store.text(deadlocks)
        try await raceAndCheck(
            store, nodes: [rooms, rooms.reversed(), Array(rooms[6...] + rooms[..<6])], rooms: rooms, goal: 40)
        #expect(try store.text(deadlocks) == before)
    }

    private func raceAndCheck(_ store: TestStore, nodes: [[UInt64]], rooms: [UInt64], goal: Int) async throws {
        let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
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
            #expect(try log.heads(of: [id]) == [RoomHead(seq: goal, headHash: events[goal - 1].hash.headHash)])
        }
        #expect(acknowledged == rooms.count * goal, "each event was acknowledged to exactly one node")
    }

    @Test func `a room locked by another node is deferred, the others of the batch are not`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var (held, free) = (try log.create(SampleRoom(1)), try log.create(SampleRoom(2)))
        let before = held
        let other = try store.session()
        try other.execute("BEGIN")
        try other.execute("SELECT 1 FROM room WHERE id = '\(held.id)' FOR UPDATE")
        #expect(try log.append([held.next(), free.next()]) == [.deferred(.locked), .appended(responsePositions: [])])
        #expect(try log.append([before.comparison(with: before.head)]) == [.appended(responsePositions: [])])
        try other.execute("ROLLBACK")
        held = before
        try log.commit(held.next())
    }

    @Test func `many appends cause few notifications, which name the rooms`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.notificationMilliseconds = 300
        let (log, other) = (try store.open(limits), try store.open())
        defer {
            log.close()
            other.close()
        }
        let node = NodeID(bits: 7)
        #expect(try other.awaitNotification(for: node, milliseconds: 1) == nil)
        var rooms = (1...50).map { SampleRoom(UInt64($0)) }
        for index in rooms.indices { try log.commit(rooms[index].next()) }
        var (received, notices): (Set<RoomID>, Int) = ([], 0)
        while received.count < rooms.count, let notice = try other.awaitNotification(for: node, milliseconds: 5000) {
            guard case .rooms(let named) = notice else { break }
            received.formUnion(named)
            notices += 1
        }
        #expect(received == Set(rooms.map(\.id)))
        #expect(notices <= 3)
        #expect(
            try log.awaitNotification(for: NodeID(bits: 8), milliseconds: 1) == nil,
            "a node does not receive its own notifications")
    }

    @Test func `a notification about too many rooms names none`() throws {
        let store = try TestStore()
        let (log, other) = (try store.open(), try store.open())
        defer {
            log.close()
            other.close()
        }
        #expect(try other.awaitNotification(for: NodeID(bits: 7), milliseconds: 1) == nil)
        var rooms = (1...300).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next() })
        #expect(try other.awaitNotification(for: NodeID(bits: 7), milliseconds: 5000) == .many)
    }
}

extension TestStore {
    func open(_ limits: PostgresLimits) throws -> PostgresEventLog { try open(validatesTime: false, limits) }
}
