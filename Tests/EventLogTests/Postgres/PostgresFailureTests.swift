import AuctionDomain
import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import EventLogPostgres

/// Broken connections and server errors.
@Suite struct PostgresFailures {
    /// Terminates the server's backends of this test's sessions that match a condition, and waits until they have exited.
    private func terminate(_ store: TestStore, _ condition: String = "true") throws {
        try TestPostgres.session().execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND application_name = '\(store.schema.prefix(60))' AND \(condition)
            """)
    }

    /// A log whose sessions have the test's schema as application name.
    private func named(_ store: TestStore, _ limits: PostgresLimits = PostgresLimits()) throws -> PostgresEventLog {
        var options = PostgresEventLog.Options()
        options.validatesTime = false
        options.limits = limits
        return try PostgresEventLog(store.url + "&application_name=\(store.schema.prefix(60))", options: options)
    }

    @Test func `statements prepared before one that cannot be prepared remain usable`() throws {
        let session = try TestStore().session()
        let good = Call(Statement(name: "good", sql: "SELECT 7::text"))
        let bad = Call(Statement(name: "bad", sql: "SELECT FROM missing"))
        #expect(throws: SessionFailure.self) { try session.run([good, bad]) }
        #expect(try session.run([good])[0][0].text(0) == "7")
    }

    @Test func `a session that broke while idle is replaced without an error`() throws {
        let store = try TestStore()
        let log = try named(store)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        #expect(try log.seqs(room.id) == [1])
        try terminate(store)
        try log.commit(room.next())
        #expect(try log.seqs(room.id) == [1, 2])
        try log.probe()
    }

    @Test func `a session that breaks during an append leaves the outcome unknown, and the log remains usable`() throws {
        let store = try TestStore()
        // Long timeouts, so that the session breaks first even on a slow machine.
        var limits = PostgresLimits()
        (limits.statementMilliseconds, limits.replyMilliseconds) = (60_000, 60_000)
        let log = try named(store, limits)
        defer { log.close() }
        let before = try log.create(SampleRoom(1))
        // Another transaction inserts the same room, so that the append waits for it.
        let other = try store.session()
        try other.execute("BEGIN")
        var fresh = SampleRoom(2)
        try other.execute(
            """
            INSERT INTO room (id, seq, tip, round, opened_at, is_open, archived, state, name, host, host_nickname, currency, visibility,
                users_seq)
            VALUES ('\(fresh.id)', 1, 1, 1, 1, false, false, 's', 'n', 'h', 'h', 'EUR', 'public', 1)
            """)
        let batch = [
            {
                var room = before; return room.next()
            }(), fresh.next(),
        ]
        // A separate thread, because all threads of the task pool may be blocked in other tests.
        let outcome = Mutex<EventLogError?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do throws(EventLogError) {
                _ = try log.append(batch)
            } catch {
                outcome.withLock { $0 = error }
            }
            ended.signal()
        }
        try waitUntil("an append waits") {
            try store.text(
                "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '\(store.schema.prefix(60))'"
            ) == "1"
        }
        try terminate(store, "wait_event_type = 'Lock'")
        ended.wait()
        #expect(outcome.withLock { $0?.code } == .outcomeUnknown)
        try other.execute("ROLLBACK")
        #expect(try log.load(before.id, responsesSince: Samples.noon)?.head == before.head)
        var room = before
        try log.commit(room.next())
        #expect(try log.seqs(room.id) == [1, 2])
    }

    @Test func `an append that exceeds the statement timeout is cancelled and rolled back`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.statementMilliseconds = 200
        let log = try named(store, limits)
        defer { log.close() }
        var (room, fresh) = (try log.create(SampleRoom(1)), SampleRoom(2))
        let before = room
        let other = try store.session()
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        let error = #expect(throws: EventLogError.self) { try log.append([room.next(), fresh.next()]) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("statement timeout") == true)
        try other.execute("ROLLBACK")
        room = before
        try log.commit(room.next())
        #expect(try log.load(fresh.id, responsesSince: Samples.noon) == nil)
    }

    @Test func `an append without a reply in time has an unknown outcome`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.replyMilliseconds = 200
        let log = try named(store, limits)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        let other = try store.session()
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        let error = #expect(throws: EventLogError.self) { try log.commit(room.next()) }
        #expect(error?.code == .outcomeUnknown)
        try other.execute("ROLLBACK")
    }

    @Test func `a server that does not reply to a new session has got nothing of what the session is for`() throws {
        var limits = PostgresLimits()
        limits.replyMilliseconds = 0
        let connector = Connector(url: try TestPostgres.url(), limits: limits)
        // The second one is refused during the backoff.
        for _ in 0..<2 {
            let failure = #expect(throws: SessionFailure.self) { try connector.connect() }
            #expect(failure?.kind == .notSent)
        }
    }

    @Test func `opening a read-only database is refused, and a log that is already open remains usable`() throws {
        let store = try TestStore()
        let log = try named(store)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        let before = room
        let role = store.schema
        try TestPostgres.session().execute("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'x'")
        defer { try? TestPostgres.session().execute("DROP ROLE \(role)") }
        try TestPostgres.session().execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
        let url = store.url.replacing(/\/\/[^@]*@/, with: "//\(role):x@")
        let readOnlyLog = Result { try PostgresEventLog(url) }
        let error = #expect(throws: EventLogError.self) { try readOnlyLog.get() }
        #expect(error?.code == .unavailable)
        try log.commit(room.next())
        room = before
        _ = room.next()
    }

    @Test func `a wrong password and an unreachable server are reported as unavailable`() throws {
        let wrong = try TestPostgres.url().replacing(/:[0-9a-f]{32}@/, with: ":wrong@")
        let refused = #expect(throws: EventLogError.self) { try PostgresEventLog(wrong) }
        #expect(refused?.code == .unavailable)
        #expect(refused?.message.contains("password authentication failed") == true)
        #expect(refused?.message.contains("wrong@") == false)
        let unreachable = #expect(throws: EventLogError.self) { try PostgresEventLog("postgres://nobody@127.0.0.1:1/x") }
        #expect(unreachable?.code == .unavailable)
    }

    @Test(arguments: [
        ("53100", EventLogError.Code.full), ("57014", .unavailable), ("57P01", .unavailable), ("25006", .unavailable),
        ("40P01", .unavailable), ("08006", .unavailable), ("23505", .statement), ("22001", .statement), ("XX001", .corrupt),
    ])
    func `an SQLSTATE is translated into the log's error code`(_ state: String, _ code: EventLogError.Code) {
        let failure = SessionFailure(kind: .server(state: state), message: "no")
        let error = EventLogError(failure, while: "append", in: "postgres://db/x")
        #expect(error.code == code)
        #expect(error.message == "cannot append in postgres://db/x: no (SQLSTATE \(state))")
    }

    private func waitUntil(_ what: String, _ holds: () throws -> Bool) throws {
        for _ in 0..<3000 {
            if try holds() { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        Issue.record("\(what): not within 30 s")
    }
}
