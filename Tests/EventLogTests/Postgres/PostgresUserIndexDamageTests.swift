import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogPostgres

/// Damaged pages, locked rooms and large rooms while the index by user is built, and archived rooms in it.
@Suite struct PostgresUserIndexDamageTests {
    /// Makes a table raise an error as PostgreSQL does for a damaged page, where `condition` holds for a row.
    private func damage(_ table: String, where condition: String, in store: TestStore) throws {
        for statement in [
            """
            CREATE OR REPLACE FUNCTION refuse() RETURNS boolean LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = 'XX001'; END $$
            """,
            "ALTER TABLE \(table) RENAME TO \(table)_stored",
            """
            CREATE VIEW \(table) AS SELECT * FROM \(table)_stored
            WHERE CASE WHEN \(condition) THEN refuse() ELSE true END
            """,
        ] { try store.session().execute(statement) }
    }

    private func repair(_ table: String, in store: TestStore) throws {
        for statement in ["DROP VIEW \(table)", "ALTER TABLE \(table)_stored RENAME TO \(table)"] {
            try store.session().execute(statement)
        }
    }

    private func indexedCount(_ store: TestStore) throws -> Int? {
        Int(try store.text("SELECT count(*)::text FROM room_stored WHERE users_seq = seq"))
    }

    @Test func `a damaged page of rooms leaves out the rooms around it, and stops no maintenance`() throws {
        let store = try TestStore()
        let history = try Scenario.withMembers().history
        let log = try store.open()
        _ = try log.append((1...30).map { try ArchiveStub(SampleRoom(UInt64($0)).id, history).append() })
        log.close()
        for statement in ["DELETE FROM participation", "UPDATE room SET users_seq = 0", "UPDATE user_index SET last = 30"] {
            try store.session().execute(statement)
        }
        try damage("room", where: "number = 15", in: store)
        let lines = ReportedLines()
        var limits = PostgresLimits()
        limits.indexingMilliseconds = 60_000
        let other = try store.open(limits, report: lines.report)
        defer { other.close() }
        try other.maintain()
        #expect(try indexedCount(store) == 20, "\(lines.all)")
        #expect(lines.all.first?.contains("rooms number 11 to 20 stay out of the index by user") == true)
        // Rooms that are not in the index are looked for in every later pass.
        try store.session().execute("UPDATE room_stored SET users_seq = 0 WHERE number > 20")
        for _ in 0..<40 { try other.maintain() }
        #expect(try indexedCount(store) == 20)
        // The last room's page: not even the end of the pass is known.
        try repair("room", in: store)
        try damage("room", where: "number = 30", in: store)
        for _ in 0..<20 { try other.maintain() }
        #expect(lines.all.contains { $0.contains("the index by user cannot be continued") })
    }

    @Test func `a room that an append has locked is left for the next pass, without waiting`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let lines = ReportedLines()
        let log = try store.open(report: lines.report)
        defer { log.close() }
        try log.maintain()
        try log.commit(stub.append())
        for statement in ["DELETE FROM participation", "UPDATE room SET users_seq = 0"] {
            try store.session().execute(statement)
        }
        let append = try store.session()
        try append.execute("BEGIN")
        try append.execute("SELECT FROM room FOR NO KEY UPDATE")
        for _ in 0..<10 { try log.maintain() }
        #expect(try store.text("SELECT count(*)::text FROM participation") == "0")
        try append.execute("ROLLBACK")
        for _ in 0..<10 { try log.maintain() }
        #expect(try LogAudit.findings(of: stub.room, in: try PostgresArchive(store.url)) == [])
        #expect(try store.text("SELECT count(*)::text FROM room WHERE users_seq = seq") == "1")
        #expect(lines.all == [])
    }

    @Test func `the rows of a large room become those of its events, whatever they were`() throws {
        let store = try TestStore()
        var scenario = try Scenario.withMembers()
        for number in 0..<1100 {
            let person = Person(id: UserID(bits: UInt128(5000 + number)), nickname: "Guest \(number)")
            scenario.given(.memberJoined(person, role: .viewer))
        }
        let stub = try ArchiveStub(scenario)
        // Long timeouts, so that a slow machine does not leave the room out.
        var limits = PostgresLimits()
        (limits.statementMilliseconds, limits.replyMilliseconds) = (60_000, 60_000)
        let log = try store.open(limits)
        defer { log.close() }
        try log.commit(stub.append())
        for change in [
            "DELETE FROM participation WHERE role = 'viewer' AND user_id > (SELECT max(user_id) FROM participation WHERE role = 'bidder')",
            "UPDATE participation SET role = 'viewer', bid_round = 3 WHERE role = 'bidder'",
            "INSERT INTO participation (user_id, room, role) SELECT 'usr_gone' || i, 1, 'bidder' FROM generate_series(1, 700) i",
            "UPDATE room SET users_seq = 0",
        ] { try store.session().execute(change) }
        for _ in 0..<11 { try log.maintain() }
        #expect(try store.text("SELECT count(*)::text FROM room WHERE users_seq = seq") == "1")
        #expect(try LogAudit.findings(of: stub.room, in: try PostgresArchive(store.url)) == [])
    }

    @Test func `a damaged index by user is a finding of each room, and the events are audited nevertheless`() throws {
        let store = try TestStore()
        let stub = try ArchiveStub(try Scenario.twoRounds())
        let log = try store.open()
        try log.commit(stub.append())
        log.close()
        try damage("participation", where: "true", in: store)
        try store.session().execute("UPDATE event SET hash = decode(repeat('00', 32), 'hex') WHERE seq = 3")
        let archive = try PostgresArchive(store.url)
        for _ in 0..<2 {
            let findings = try LogAudit.findings(of: stub.room, in: archive).map(\.text)
            #expect(findings.contains { $0.contains("migrate --rebuild-user-index") })
            #expect(findings.contains { $0.contains("hash") })
        }
    }

    @Test func `the participations of an archived room are deleted later, a part at a time`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        let users = (0..<700).map { Participation(user: UserID(bits: UInt128($0)), role: "viewer", bidRound: nil) }
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        var changes = UserChanges()
        changes.participations = users
        try log.commit(room.next(users: changes))
        try log.commit(other.next(users: changes))
        room.status = Samples.status(archived: true)
        try log.commit(room.next(users: UserChanges(archives: true)))
        #expect(try log.roomCount(of: users[0].user) == 1)
        let counts = try (0..<4).map { _ in
            defer { try? log.maintain() }
            return try store.text("SELECT count(*)::text || ' of ' || (SELECT count(*) FROM archived_room) FROM participation")
        }
        #expect(counts == ["1400 of 1", "900 of 1", "700 of 0", "700 of 0"])
        #expect(try log.rooms(UserRoomQuery(user: users[0].user, .memberships, limit: 9)).rows.map(\.room.room) == [other.id])
    }
}
