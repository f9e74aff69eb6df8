import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// Checks of the server's settings and schema when a log is opened.
@Suite struct PostgresOpening {
    /// The error of opening a log with a setting in the URL's options.
    private func refusal(_ setting: String) throws -> EventLogError? {
        let store = try TestStore()
        let url = store.url.replacing("options=", with: "options=-c\(setting)%20")
        return #expect(throws: EventLogError.self) { try PostgresEventLog(url).close() }
    }

    @Test func `asynchronous commits are refused, with the required change in the message`() throws {
        let error = try refusal("synchronous_commit%3Doff")
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("synchronous_commit = off") == true)
        #expect(error?.message.contains("ALTER DATABASE") == true)
        #expect(error?.message.contains("@127.0.0.1") == true)
    }

    @Test func `appends fail after the server stopped being durable`() throws {
        let store = try TestStore()
        let role = store.schema
        try TestPostgres.session().execute("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'x'")
        defer { try? TestPostgres.session().execute("DROP ROLE \(role)") }
        var options = PostgresEventLog.Options()
        options.validatesTime = false
        let log = try PostgresEventLog(store.url.replacing(/\/\/[^@]*@/, with: "//\(role):x@"), options: options)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        try TestPostgres.session().execute("ALTER ROLE \(role) SET synchronous_commit = off")
        try TestPostgres.session().execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '\(role)'")
        let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("synchronous_commit = off") == true)
        #expect(throws: EventLogError.self) { try log.probe() }
        #expect(try log.seqs(room.id) == [1])
    }

    @Test func `a server that rejects writes is passed over, unless the URL asks for it or only reads are needed`() throws {
        let store = try TestStore()
        try store.open().close()
        let url = store.url.replacing("options=", with: "options=-cdefault_transaction_read_only%3Don%20")
        let failure = #expect(throws: SessionFailure.self) { try Connector(url: url, limits: PostgresLimits()).connect() }
        #expect(failure?.kind == .notSent)
        let any = try Connector(url: url + "&target_session_attrs=any", limits: PostgresLimits()).connect()
        #expect(any.isAlive)
        #expect(try PostgresArchive(url).allRooms().isEmpty)
        // Copies need the newest events, which a standby may lack.
        let lagging = #expect(throws: EventLogError.self) { try PostgresArchive(url, newest: true) }
        #expect(lagging?.code == .unavailable)
        #expect(try PostgresArchive(store.url, newest: true).allRooms().isEmpty)
    }

    @Test func `a session pins synchronous_commit and sets keepalives that detect a dead node within seconds`() throws {
        let store = try TestStore()
        let role = store.schema
        try TestPostgres.session().execute("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'x'")
        defer { try? TestPostgres.session().execute("DROP ROLE \(role)") }
        try TestPostgres.session().execute("ALTER ROLE \(role) SET synchronous_commit = remote_write")
        let url = store.url.replacing(/\/\/[^@]*@/, with: "//\(role):x@")
        let session = try Connector(url: url, limits: PostgresLimits()).connect()
        func setting(_ column: String, _ name: String) throws -> String {
            let sql = "SELECT \(column) FROM pg_settings WHERE name = '\(name)'"
            return try session.run([Call(Statement(name: "", sql: sql))])[0][0].text(0)
        }
        // Set by the session itself, so that a reload of the server's configuration does not change it.
        #expect(try setting("source", "synchronous_commit") == "session")
        #expect(try setting("setting", "synchronous_commit") == "remote_write")
        #expect(try setting("setting", "tcp_keepalives_idle") == "5")
        #expect(try setting("setting", "tcp_keepalives_interval") == "2")
        #expect(try setting("setting", "tcp_keepalives_count") == "3")
        #expect(try setting("setting", "tcp_user_timeout") == "11000")
    }

    @Test func `a newer schema is refused and not changed`() throws {
        let store = try TestStore()
        try store.open().close()
        try store.session().execute("UPDATE auction_log SET version = 99")
        for open in [{ try store.open().close() }, { _ = try PostgresArchive(store.url) }] {
            let error = #expect(throws: EventLogError.self) { try open() }
            #expect(error?.code == .newerSchema)
            #expect(error?.message.contains("schema version 99") == true)
        }
        #expect(try store.text("SELECT version::text FROM auction_log") == "99")
    }

    @Test func `a damaged schema version is refused`() throws {
        let store = try TestStore()
        try store.open().close()
        try store.session().execute("UPDATE auction_log SET version = -1")
        let error = #expect(throws: EventLogError.self) { try store.open().close() }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("schema version -1") == true)
    }

    @Test func `tables of a program that was never released are refused, and not changed`() throws {
        let store = try TestStore()
        try store.session().execute("CREATE TABLE auction_schema AS SELECT 5::bigint AS version")
        for open in [{ try store.open().close() }, { _ = try PostgresArchive(store.url) }] {
            let error = #expect(throws: EventLogError.self) { try open() }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("never released") == true)
        }
        #expect(try store.text("SELECT (to_regclass('room') IS NULL)::text") == "true")
    }

    private static let migrations =
        Schema.migrations + [
            "ALTER TABLE room ADD COLUMN later bigint", "UPDATE room SET later = 7;\nCREATE TABLE later ()",
        ]

    private func migrate(
        _ store: TestStore, _ limits: PostgresLimits = PostgresLimits(), report: (String) -> Void = { _ in }
    ) throws(EventLogError) {
        do {
            try Schema.migrate(
                try store.session(), store: "test", limits, migrations: Self.migrations, report: report)
        } catch let error as EventLogError {
            throw error
        } catch {
            throw EventLogError(.statement, "\(error)")
        }
    }

    @Test func `a migration is applied once, to a database of the version before it and to a new one`() throws {
        let store = try TestStore()
        let log = try store.open()
        try log.commit(SampleRoom(1).with { $0.next() })
        log.close()
        for _ in 0..<2 { try migrate(store) }
        #expect(try store.text("SELECT later::text FROM room") == "7")
        #expect(try store.text("SELECT version::text FROM auction_log") == "\(Schema.version + 2)")
        #expect(#expect(throws: EventLogError.self) { try store.open().close() }?.code == .newerSchema)
        let other = try TestStore()
        try migrate(other)
        #expect(try other.text("SELECT version::text FROM auction_log") == "\(Schema.version + 2)")
    }

    @Test func `a migration waits only briefly behind a dump, because appends wait behind the migration`() throws {
        let store = try TestStore()
        try store.open().close()
        let dump = try store.session()
        try dump.execute("BEGIN")
        try dump.execute("LOCK TABLE room IN ACCESS SHARE MODE")
        var limits = PostgresLimits()
        limits.longMilliseconds = 5000
        limits.migrationLockMilliseconds = 50
        limits.migrationPauseMilliseconds = 1
        limits.migrationAttempts = 2
        let lines = ReportedLines()
        let error = #expect(throws: EventLogError.self) { try migrate(store, limits, report: lines.report) }
        #expect(error?.code == .unavailable)
        for text in [error?.message, lines.all.first] { #expect(text?.contains("keeps a table locked") == true) }
        try dump.execute("COMMIT")
        try migrate(store, limits)
        #expect(try store.text("SELECT version::text FROM auction_log") == "\(Schema.version + 2)")
    }

    @Test func `several nodes may migrate concurrently`() async throws {
        let store = try TestStore()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 { group.addTask { try PostgresEventLog.migrate(store.url) } }
            for try await version in group { #expect(version == Schema.version) }
        }
        #expect(try store.text("SELECT count(*)::text FROM auction_log") == "1")
    }

    @Test func `a failed migration is rolled back`() throws {
        let store = try TestStore()
        // Conflicts with the third table.
        try store.session().execute("CREATE TABLE answer (foreign_to_us int)")
        let error = #expect(throws: EventLogError.self) { try store.open().close() }
        #expect(error?.code == .statement)
        #expect(try store.text("SELECT (to_regclass('room') IS NULL)::text") == "true")
        try store.session().execute("DROP TABLE answer")
        try store.open().close()
    }

    @Test func `opening an archive of a database without a log throws and creates nothing`() throws {
        let store = try TestStore()
        let error = #expect(throws: EventLogError.self) { try PostgresArchive(store.url) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("there is no auction log") == true)
        #expect(
            try store.text("SELECT count(*)::text FROM pg_class WHERE relnamespace = '\(store.schema)'::regnamespace") == "0")
    }

    @Test func `an archive reads complete histories as of its opening while a node appends`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        var room = SampleRoom(1)
        try log.commit(room.next(3))
        try log.save([RoomSnapshot(room: room.id, seq: 2, bytes: [1])])
        let archive = try PostgresArchive(store.url)
        let head = room.head
        try log.commit(room.next(3))
        try log.save([RoomSnapshot(room: room.id, seq: 6, bytes: [2])])
        #expect(try archive.allRooms() == [room.id])
        let record = try #require(try archive.record(of: room.id))
        #expect(record.head == head && record.lastSeq == 3)
        #expect(record.snapshot == nil, "a later snapshot covers events that are not part of the archive")
        #expect(try archive.events(of: room.id, after: 1, limit: 2).map(\.seq) == [2, 3])
        #expect(try PostgresArchive(store.url).record(of: room.id)?.snapshot?.seq == 6)
    }
}
