import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogPostgres

/// The PostgreSQL server of this test run, started by `.ci/with-postgres.sh swift test`.
enum TestPostgres {
    struct Missing: Error, CustomStringConvertible {
        let description = "there is no PostgreSQL to test with: run `.ci/with-postgres.sh swift test …`, as `make test` does"
    }

    static func url() throws -> String {
        guard let url = ProcessInfo.processInfo.environment["AUCTION_TEST_POSTGRES"], !url.isEmpty else { throw Missing() }
        return url
    }

    /// A session outside any log, with a reply timeout of 20 s.
    static func session(_ url: String? = nil) throws -> Session { try Session(url ?? Self.url(), timeout: 20_000) }
}

/// A schema that belongs to one test, and logs in it. Dropped in `deinit`.
final class TestStore: Sendable {
    let schema: String
    let url: String

    init(schema: String = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()) throws {
        self.schema = schema
        url = try TestPostgres.url() + "?options=-csearch_path%3D\(schema)"
        try TestPostgres.session().execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
    }

    deinit { try? TestPostgres.session().execute("DROP SCHEMA IF EXISTS \(schema) CASCADE") }

    /// A log that by default accepts events with any timestamp.
    func open(
        validatesTime: Bool = false, _ limits: PostgresLimits = PostgresLimits(), indexesUsersFirst: Bool = false,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> PostgresEventLog {
        var options = PostgresEventLog.Options()
        options.validatesTime = validatesTime
        options.limits = limits
        options.report = report
        options.indexesUsersFirst = indexesUsersFirst
        return try PostgresEventLog(url, options: options)
    }

    /// Leaves the index by user as making it anew begins.
    func emptyUserIndex() throws {
        for statement in [
            "TRUNCATE participation, win, archived_room", "UPDATE room SET users_seq = 0",
            "UPDATE user_index SET walked = 0, last = (SELECT coalesce(max(number), 0) FROM room)",
        ] { try session().execute(statement) }
    }

    /// A session in this schema, outside any log.
    func session() throws -> Session { try TestPostgres.session(url) }

    /// The first column of the first row of a query; empty if there is no row.
    func text(_ sql: String) throws -> String {
        let rows = try session().run([Call(Statement(name: "", sql: sql))])[0]
        return rows.count == 0 ? "" : rows[0].text(0)
    }
}

/// Logs for the conformance suite: one schema per place.
enum TestStores {
    static func schema(of place: String) -> String {
        "test_" + place.suffix(36).replacing("-", with: "").lowercased()
    }

    static func open(_ place: String) throws -> any EventLog {
        let schema = schema(of: place)
        try TestPostgres.session().execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
        var options = PostgresEventLog.Options()
        options.validatesTime = false
        return try PostgresEventLog(try TestPostgres.url() + "?options=-csearch_path%3D\(schema)", options: options)
    }

    static func remove(_ place: String) {
        try? TestPostgres.session().execute("DROP SCHEMA IF EXISTS \(schema(of: place)) CASCADE")
    }
}

extension SharedBackEnd {
    /// Simulates the passing of time by moving the times in the tables back.
    static let postgres = SharedBackEnd(testDescription: "PostgreSQL") {
        let store = try TestStore()
        return Opened(
            log: try store.open(validatesTime: true), other: try store.open(validatesTime: true),
            advanceTime: { milliseconds in
                let session = try store.session()
                for column in [
                    "node.seen_at", "liveness.last_seen", "outage.since", "outage.until", "ticket.expires_at", "revocation.at",
                    "revocation.until", "event.at",
                ] {
                    let parts = column.split(separator: ".")
                    try session.execute("UPDATE \(parts[0]) SET \(parts[1]) = \(parts[1]) - \(milliseconds)")
                }
            }, cleanUp: { _ = store })
    }
}
