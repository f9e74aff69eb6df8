import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogPostgres

/// The index by user is built for all rooms after it was emptied, and for those that the first pass left out.
@Suite struct PostgresUserIndexTests {
    private func findings(_ stub: ArchiveStub, in store: TestStore) throws -> [String] {
        try LogAudit.findings(of: stub.room, in: try PostgresArchive(store.url)).map(\.text)
    }

    private func listed(_ log: PostgresEventLog, _ stub: ArchiveStub) throws -> [[RoomID]] {
        try stub.users(after: stub.events.count).participations.map { participation in
            try log.rooms(UserRoomQuery(user: participation.user, .memberships, limit: 10)).rows.map(\.room.room)
        }
    }

    @Test(arguments: [false, true])
    func `an index that was emptied is filled, on request before the log is opened`(_ isFirst: Bool) throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds(), snapshotAt: 9)
        let first = try store.open()
        try first.commit(stub.append())
        try first.commit(SampleRoom(1).with { $0.next() })
        try first.save([try #require(stub.snapshot)])
        first.close()
        try store.emptyUserIndex()
        let log = try store.open(indexesUsersFirst: isFirst)
        defer { log.close() }
        if !isFirst {
            #expect(try listed(log, stub).allSatisfy { $0.isEmpty })
            try log.maintain()
        }
        let users = try stub.users(after: stub.events.count)
        #expect(try listed(log, stub) == users.participations.map { _ in [stub.room] })
        #expect(try users.wins.allSatisfy { win in try log.wins(WinQuery(user: win.winner, limit: 10)).map(\.win) == [win] })
        #expect(users.wins.count == 1)
        #expect(try findings(stub, in: store) == [])
        // The sample's events are none, so its history cannot be read: it stays out of the index.
        #expect(try store.text("SELECT count(*)::text FROM room WHERE users_seq = 0") == "1")
    }

    @Test func `rooms that the first pass left out are indexed later`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let log = try store.open()
        defer { log.close() }
        try log.commit(stub.append())
        for change in ["DELETE FROM participation", "DELETE FROM win", "UPDATE room SET users_seq = seq - 2"] {
            try store.session().execute(change)
        }
        #expect(try findings(stub, in: store) == [], "verify leaves out a room whose index lags behind")
        for _ in 0..<300 { try log.maintain() }
        #expect(try listed(log, stub).allSatisfy { $0 == [stub.room] })
        #expect(try findings(stub, in: store) == [])
        try store.session().execute("DELETE FROM participation WHERE role = 'host'")
        #expect(try findings(stub, in: store).count == 1)
    }

    @Test func `a sale in the index whose buyer is another one now is replaced when a lagging room is indexed`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let log = try store.open()
        defer { log.close() }
        try log.commit(stub.append())
        let guest = UserID(bits: 0x9E57)
        for change in ["UPDATE win SET user_id = '\(guest)'", "UPDATE room SET users_seq = seq - 2"] {
            try store.session().execute(change)
        }
        for _ in 0..<300 { try log.maintain() }
        #expect(try log.wins(WinQuery(user: guest, limit: 10)).isEmpty)
        #expect(try store.text("SELECT count(*)::text FROM win") == "1")
        #expect(try findings(stub, in: store) == [])
    }

    @Test func `rows of an archived room that cannot be deleted are reported once, with the repair`() throws {
        let store = try TestStore()
        let lines = ReportedLines()
        let log = try store.open(report: lines.report)
        defer { log.close() }
        try log.commit(ArchiveStub(try Scenario.twoRounds()).append())
        for statement in Self.refusal(of: "DELETE", on: "participation") + ["INSERT INTO archived_room SELECT number FROM room"]
        {
            try store.session().execute(statement)
        }
        for _ in 0..<100 { try log.maintain() }
        let archived = lines.all.filter { $0.contains("archived rooms") }
        #expect(archived.count == 1)
        #expect(archived.first?.contains("invalid page in block 7") == true)
        #expect(archived.first?.contains("migrate --rebuild-user-index") == true)
    }

    @Test func `a migration that cannot complete the index fails, and the next one continues`() throws {
        let store = try TestStore()
        let log = try store.open()
        try log.commit(ArchiveStub(try Scenario.twoRounds()).append())
        log.close()
        for statement in ["UPDATE user_index SET walked = 0, last = 1"] + Self.refusal(of: "UPDATE", on: "user_index") {
            try store.session().execute(statement)
        }
        let refused = #expect(throws: EventLogError.self) { _ = try PostgresEventLog.migrate(store.url) }
        #expect(refused?.message.contains("run this command again") == true)
        try store.session().execute("DROP TRIGGER refuse ON user_index")
        _ = try PostgresEventLog.migrate(store.url)
    }

    /// Statements that make the server refuse changes to a table as if a page of it was damaged.
    private static func refusal(of operation: String, on table: String) -> [String] {
        [
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = 'XX001'; END $$
            """,
            "CREATE TRIGGER refuse BEFORE \(operation) ON \(table) FOR EACH ROW EXECUTE FUNCTION refuse()",
        ]
    }

    @Test func `a page of the index that cannot be written stops neither maintenance nor opening, and is reported once`() throws
    {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let lines = ReportedLines()
        let log = try store.open(report: lines.report)
        defer { log.close() }
        try log.commit(stub.append())
        let deletion = ["DELETE FROM participation", "UPDATE room SET users_seq = 0"]
        for statement in Self.refusal(of: "INSERT", on: "participation") + deletion { try store.session().execute(statement) }
        for _ in 0..<60 { try log.maintain() }
        #expect(lines.all.count == 1)
        let next = SampleRoom(2).with {
            $0.next(users: UserChanges(Participation(user: UserID(bits: 1), role: "host", bidRound: nil)))
        }
        let refused = #expect(throws: EventLogError.self) { try log.commit(next) }
        #expect(refused?.message.contains("migrate --rebuild-user-index") == true)
        #expect(lines.all.first?.contains("invalid page in block 7") == true)
        // As if the index was to be filled again.
        try store.session().execute("UPDATE user_index SET walked = 0, last = 1")
        try store.open(indexesUsersFirst: true, report: lines.report).close()
        #expect(lines.all.count { $0.contains("stays out of the index") } == 2)
        // Another event of the room, or another process, is a reason to try again.
        try store.session().execute("DROP TRIGGER refuse ON participation")
        let other = try store.open()
        defer { other.close() }
        for _ in 0..<10 { try other.maintain() }
        #expect(try listed(other, stub).allSatisfy { $0 == [stub.room] })
        #expect(try findings(stub, in: store) == [])
    }

    @Test func `a restart continues indexing where the previous one stopped`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let first = try store.open()
        try first.commit(SampleRoom(1).with { $0.next() })
        try first.commit(stub.append())
        first.close()
        try store.emptyUserIndex()
        try store.open(indexesUsersFirst: true).close()
        #expect(try store.text("SELECT walked || ' of ' || last FROM user_index") == "2 of 2")
        // An opening examines no room that the previous one did: that is left to `maintain`.
        try store.session().execute("UPDATE room SET users_seq = 0")
        let log = try store.open(indexesUsersFirst: true)
        defer { log.close() }
        #expect(try store.text("SELECT count(*)::text FROM room WHERE users_seq = 0") == "2")
        for _ in 0..<10 { try log.maintain() }
        #expect(try store.text("SELECT count(*)::text FROM room WHERE users_seq = 0") == "1")
    }

    @Test func `a room that takes too long to load at once is indexed page by page`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds(), snapshotAt: 9)
        let first = try store.open()
        try first.commit(stub.append())
        try first.save([try #require(stub.snapshot)])
        first.close()
        for statement in [
            "ALTER TABLE snapshot RENAME TO stored", "CREATE VIEW snapshot AS SELECT stored.* FROM stored, pg_sleep(60)",
            "DELETE FROM participation", "UPDATE room SET users_seq = 0", "UPDATE user_index SET walked = 0, last = 1",
        ] { try store.session().execute(statement) }
        var limits = PostgresLimits()
        // Enough for the other statements on a busy machine.
        limits.statementMilliseconds = 10_000
        // One call begins the room, however long it takes to find it.
        limits.indexingMilliseconds = 60_000
        let log = try store.open(limits)
        defer { log.close() }
        let load = #expect(throws: EventLogError.self) { try log.load(stub.room, responsesSince: Samples.noon) }
        #expect(load?.code == .unavailable)
        try log.maintain()
        #expect(try listed(log, stub).allSatisfy { $0 == [stub.room] })
    }

    @Test func `a damaged index can be made anew`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let log = try store.open()
        defer { log.close() }
        try log.commit(stub.append())
        try store.session().execute("UPDATE participation SET role = 'ghost'")
        try store.session().execute("UPDATE win SET price = price + 1")
        #expect(try findings(stub, in: store).count == 1)
        #expect(try PostgresEventLog.migrate(store.url, rebuildsUserIndex: true) == Schema.version)
        #expect(try findings(stub, in: store) == [])
        #expect(try listed(log, stub).allSatisfy { $0 == [stub.room] })
    }

    @Test func `an append does not hide that the index lagged behind`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var room = SampleRoom(1)
        try log.commit(room.next())
        #expect(try store.text("SELECT users_seq::text FROM room") == "1")
        try store.session().execute("UPDATE room SET users_seq = 0")
        try log.commit(room.next(2))
        #expect(try store.text("SELECT users_seq::text FROM room") == "0")
        try store.session().execute("UPDATE room SET users_seq = seq")
        try log.commit(room.next())
        #expect(try store.text("SELECT users_seq::text FROM room") == "4")
    }
}

extension SampleRoom {
    func with(_ change: (inout SampleRoom) -> RoomAppend) -> RoomAppend {
        var room = self
        return change(&room)
    }
}
