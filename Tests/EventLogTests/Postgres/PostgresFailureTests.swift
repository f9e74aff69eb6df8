import AuctionDomain
import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import EventLogPostgres

/// Connections that break, and servers that say no.
@Suite struct PostgresFailures {
    /// Ends the server's side of every session of this schema but the asking one, and waits until it is gone.
    private func terminate(_ store: TestStore, _ condition: String = "true") throws {
        try TestServer.session().execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND application_name = '\(store.schema.prefix(60))' AND \(condition)
            """)
    }

    /// Sessions of this log say which test they are of.
    private func named(_ store: TestStore, _ limits: PostgresLimits = PostgresLimits()) throws -> PostgresEventLog {
        var options = PostgresEventLog.Options()
        options.judgesTime = false
        options.limits = limits
        return try PostgresEventLog(store.url + "&application_name=\(store.schema.prefix(60))", options: options)
    }

    @Test func `a session that broke while idle is replaced without a word`() throws {
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

    @Test func `a session that breaks in the middle of an append leaves the outcome unknown, and the log goes on`() throws {
        let store = try TestStore()
        // The session is to break before anybody gives up, however slow the machine is.
        var limits = PostgresLimits()
        (limits.statementMilliseconds, limits.replyMilliseconds) = (60_000, 60_000)
        let log = try named(store, limits)
        defer { log.close() }
        let before = try log.create(SampleRoom(1))
        // Somebody is creating the same room: the append waits for them.
        let other = try store.session()
        try other.execute("BEGIN")
        var fresh = SampleRoom(2)
        try other.execute(
            """
            INSERT INTO room (id, seq, tip, round, opened_at, is_open, archived, state, name, host, host_nickname, currency, visibility)
            VALUES ('\(fresh.id)', 1, 1, 1, 1, false, false, 's', 'n', 'h', 'h', 'EUR', 'public')
            """)
        let batch = [
            {
                var room = before; return room.next()
            }(), fresh.next(),
        ]
        // A thread of its own: those of tasks may all be waiting in other tests.
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
        #expect(try log.load(before.id, answersSince: Samples.noon)?.head == before.head)
        var room = before
        try log.commit(room.next())
        #expect(try log.seqs(room.id) == [1, 2])
    }

    @Test func `an append that waits for too long is given up by the server, and nothing of it is there`() throws {
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
        #expect(try log.load(fresh.id, answersSince: Samples.noon) == nil)
    }

    @Test func `a server that says nothing is not waited for`() throws {
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

    @Test func `a database that cannot be written to says so, and the log finds its way back`() throws {
        let store = try TestStore()
        let log = try named(store)
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        let before = room
        let role = store.schema
        try TestServer.session().execute("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'x'")
        defer { try? TestServer.session().execute("DROP ROLE \(role)") }
        try TestServer.session().execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
        let url = store.url.replacing(/\/\/[^@]*@/, with: "//\(role):x@")
        let lame = Result { try PostgresEventLog(url) }
        let error = #expect(throws: EventLogError.self) { try lame.get() }
        #expect(error?.code == .unavailable)
        try log.commit(room.next())
        room = before
        _ = room.next()
    }

    @Test func `a wrong password and a server that is not there are told apart from a broken log`() throws {
        let wrong = try TestServer.url().replacing(/:[0-9a-f]{32}@/, with: ":wrong@")
        let refused = #expect(throws: EventLogError.self) { try PostgresEventLog(wrong) }
        #expect(refused?.code == .unavailable)
        #expect(refused?.message.contains("password authentication failed") == true)
        #expect(refused?.message.contains("wrong@") == false)
        let nobody = #expect(throws: EventLogError.self) { try PostgresEventLog("postgres://nobody@127.0.0.1:1/x") }
        #expect(nobody?.code == .unavailable)
    }

    @Test(arguments: [
        ("53100", EventLogError.Code.full), ("57014", .unavailable), ("57P01", .unavailable), ("25006", .unavailable),
        ("40P01", .unavailable), ("08006", .unavailable), ("23505", .statement), ("22001", .statement), ("XX001", .corrupt),
    ])
    func `what the server says means what it means for any log`(_ state: String, _ code: EventLogError.Code) {
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
