import AuctionTestKit
import EventLog
import EventLogSQLite
import Foundation
import Testing

/// A back end for the conformance suite. Add a new one to `all`.
struct LogBackEnd: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the log at a place that is unique to the test; opened there again, it must have the same content.
    let open: @Sendable (_ place: String) throws -> any EventLog
    /// Whether the content persists after `close`.
    var isDurable = true
    /// Deletes the log at a place.
    var clear: @Sendable (_ place: String) -> Void = { try? FileManager.default.removeItem(atPath: $0) }

    static let all = [
        LogBackEnd(testDescription: "memory", open: { _ in InMemoryEventLog() }, isDurable: false),
        LogBackEnd(testDescription: "SQLite", open: { try SQLiteEventLog(path: $0 + "/auctions.db") }),
        LogBackEnd(testDescription: "PostgreSQL", open: TestStores.open, clear: TestStores.remove),
    ]

    static let durable = all.filter(\.isDurable)

    /// Runs a test body with a new log and deletes it afterwards.
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

/// The tests that every `EventLog` must pass, according to the protocol's documentation.
@Suite struct LogConformance {}
