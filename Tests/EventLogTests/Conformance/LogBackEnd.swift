import EventLog
import EventLogSQLite
import Foundation
import Testing

/// A back end that the conformance suite runs against: one line in `all` adds another.
struct LogBackEnd: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens a log at a place that is new for each test; opened again there, it must hold what it held.
    let open: @Sendable (_ place: String) throws -> any EventLog
    /// Whether what is stored outlives `close`.
    var isDurable = true
    /// Takes away what was opened at a place.
    var clear: @Sendable (_ place: String) -> Void = { try? FileManager.default.removeItem(atPath: $0) }

    static let all = [
        LogBackEnd(testDescription: "memory", open: { _ in InMemoryEventLog() }, isDurable: false),
        LogBackEnd(testDescription: "SQLite", open: { try SQLiteEventLog(path: $0 + "/auctions.db") }),
        LogBackEnd(testDescription: "PostgreSQL", open: TestStores.open, clear: TestStores.remove),
    ]

    static let durable = all.filter(\.isDurable)

    /// Runs a test body on a fresh log and tidies up.
    func withLog(_ body: (any EventLog) throws -> Void) throws {
        try withPlace { place throws in
            let log = try open(place)
            defer { log.close() }
            try body(log)
        }
    }

    func withPlace(_ body: (String) throws -> Void) throws {
        let place = temporaryPlace()
        defer { remove(place) }
        try body(place)
    }

    func temporaryPlace() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path
    }

    func remove(_ place: String) { clear(place) }
}

/// The tests that every log must pass; the sentences are those of the protocol's documentation.
@Suite struct LogConformance {}
