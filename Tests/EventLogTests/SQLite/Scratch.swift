import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// A temporary directory for one test, with the log's file. Deleted in `deinit`.
final class Scratch {
    let directory: String
    var path: String { directory + "/auctions.db" }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func open(_ limits: SQLiteEventLog.Limits = .init()) throws -> SQLiteEventLog {
        try SQLiteEventLog(path: path, limits: limits)
    }

    /// Permission bits of a file.
    func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    func size(_ path: String) throws -> Int64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.int64Value ?? -1
    }

    /// Opens the log, expects this to fail, and returns the error.
    func refusal(_ limits: SQLiteEventLog.Limits = .init(), sourceLocation: SourceLocation = #_sourceLocation) -> EventLogError?
    {
        #expect(throws: EventLogError.self, sourceLocation: sourceLocation) { try self.open(limits).close() }
    }
}
