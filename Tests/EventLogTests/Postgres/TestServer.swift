import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogPostgres

/// The PostgreSQL server of this test run: `.ci/with-postgres.sh swift test` starts it.
enum TestServer {
    struct Missing: Error, CustomStringConvertible {
        let description = "there is no PostgreSQL to test with: run `.ci/with-postgres.sh swift test …`, as `make test` does"
    }

    static func url() throws -> String {
        guard let url = ProcessInfo.processInfo.environment["AUCTION_TEST_POSTGRES"], !url.isEmpty else { throw Missing() }
        return url
    }

    /// A session of an operator.
    static func session(_ url: String? = nil) throws -> Session { try Session(url ?? Self.url(), patience: 20_000) }
}

/// A schema of one test on the server, and logs in it.
final class TestStore: Sendable {
    let schema: String
    let url: String

    init(schema: String = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()) throws {
        self.schema = schema
        url = try TestServer.url() + "?options=-csearch_path%3D\(schema)"
        try TestServer.session().execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
    }

    deinit { try? TestServer.session().execute("DROP SCHEMA IF EXISTS \(schema) CASCADE") }

    /// A log that takes what tests stamp with years gone by.
    func open(judgesTime: Bool = false, _ limits: PostgresLimits = PostgresLimits()) throws -> PostgresEventLog {
        var options = PostgresEventLog.Options()
        options.judgesTime = judgesTime
        options.limits = limits
        return try PostgresEventLog(url, options: options)
    }

    /// An operator's session in this schema.
    func session() throws -> Session { try TestServer.session(url) }

    /// The number that a query gives, as text.
    func text(_ sql: String) throws -> String {
        let rows = try session().run([Call(Statement(name: "", sql: sql))])[0]
        return rows.count == 0 ? "" : rows[0].text(0)
    }
}

/// One schema per place of the conformance suite.
enum TestStores {
    static func schema(of place: String) -> String {
        "test_" + place.suffix(36).replacing("-", with: "").lowercased()
    }

    static func open(_ place: String) throws -> any EventLog {
        let schema = schema(of: place)
        try TestServer.session().execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
        var options = PostgresEventLog.Options()
        options.judgesTime = false
        return try PostgresEventLog(try TestServer.url() + "?options=-csearch_path%3D\(schema)", options: options)
    }

    static func remove(_ place: String) {
        try? TestServer.session().execute("DROP SCHEMA IF EXISTS \(schema(of: place)) CASCADE")
    }
}

extension SharedBackEnd {
    /// Instants in the tables are moved back, which is as if time had passed.
    static let postgres = SharedBackEnd(testDescription: "PostgreSQL") {
        let store = try TestStore()
        return Opened(
            log: try store.open(judgesTime: true), other: try store.open(judgesTime: true),
            pass: { milliseconds in
                let session = try store.session()
                for column in [
                    "node.seen_at", "liveness.last_seen", "outage.since", "outage.until", "ticket.expires_at", "revocation.at",
                    "revocation.until",
                ] {
                    let parts = column.split(separator: ".")
                    try session.execute("UPDATE \(parts[0]) SET \(parts[1]) = \(parts[1]) - \(milliseconds)")
                }
            }, end: { _ = store })
    }
}
