import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// What a room is loaded with.
@Suite struct PostgresLoading {
    @Test func `keys are read page by page`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.keysPerStatement = 3
        let log = try store.open(limits)
        defer { log.close() }
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        var positions: [Int64] = []
        for number in 0..<10 {
            let owner = KeyOwner(bits: UInt64(number % 2))
            let response = Samples.response(UInt128(number), owner: owner, at: Samples.after(Int64(number)))
            positions += try log.commit(room.next(responses: [response]))
            try log.commit(other.next(responses: [Samples.response(UInt128(100 + number))]))
        }
        func loaded(since: Int64 = 0, perOwner: Int = .max, total: Int = .max) throws -> [Int64]? {
            let keys = WantedKeys(since: Samples.after(since), perOwner: perOwner, total: total)
            return try log.load(room.id, keys: keys)?.responses.map(\.position)
        }
        #expect(try loaded() == positions)
        #expect(try loaded(since: 4) == Array(positions[4...]))
        #expect(try loaded(perOwner: 2) == Array(positions[6...]))
        #expect(try loaded(total: 7) == Array(positions[3...]))
    }

    @Test(arguments: [-1, 0, 199, 600, Int64.max])
    func `a stored response whose status cannot be sent is an error`(status: Int64) throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var room = SampleRoom(1)
        let position = try log.commit(room.next(responses: [Samples.response(1)]))[0]
        try store.session().execute("UPDATE answer SET status = \(status)")
        let error = #expect(throws: EventLogError.self) { try log.storedResponse(at: position) }
        #expect(error?.code == .corrupt)
    }

    @Test func `a page of keys is read by the room's own index, even if most responses are of one other room`() throws {
        let store = try TestStore()
        try store.open().close()
        let session = try store.session()
        try session.execute(
            """
            INSERT INTO answer (room, fingerprint, at, status, key, headers, body, owner)
            SELECT 1, n, n, 200, '', '', '', 1 FROM generate_series(1, 5000) n
            """)
        try session.execute("ANALYZE answer")
        for setting in Connector.planning { try session.execute("SET \(setting)") }
        try session.execute("PREPARE page AS \(Statements.responsesBefore.sql)")
        let rows = try session.run([Call(Statement(name: "", sql: "EXPLAIN EXECUTE page('r', 9, 9)"))])[0]
        let plan = try rows.map { row throws(SessionFailure) in row.text(0) }
        #expect(plan.contains { $0.contains("Index Scan Backward using answer_of_room") }, "\(plan)")
    }
}
