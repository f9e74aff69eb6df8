import EventLog
import Foundation
import GRDB
import Synchronization

/// A few connections that only read, each used by one thread at a time.
///
/// More threads than connections wait: readers share the machine with the committer.
final class ReaderPool: Sendable {
    private let idle: Mutex<[DatabaseQueue]>
    private let all: [DatabaseQueue]
    private let available: DispatchSemaphore

    init(path: String, count: Int) throws {
        all = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: Connections.reader) }
        idle = Mutex(all)
        available = DispatchSemaphore(value: count)
    }

    /// Runs `body` in one read transaction: all its statements see the same commits.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        available.wait()
        let taken = idle.withLock { $0.popLast() }
        defer {
            if let taken { idle.withLock { $0.append(taken) } }
            available.signal()
        }
        guard let taken else { throw EventLogError(.unavailable, "no reader is idle") }
        return try taken.read(body)
    }

    func close() throws {
        for queue in all { try queue.close() }
    }
}

/// How connections are set up.
enum Connections {
    /// How long to wait for somebody who looks at the file with SQLite's own tools.
    static let busySeconds = 2.0

    static func setBusyTimeout(milliseconds: Int, _ db: Database) throws {
        _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(milliseconds)")
    }

    static var reader: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(busySeconds)
        return configuration
    }

    /// Opens what others refuse: with `writable_schema` on, which changes nothing in a connection that only reads, SQLite takes
    /// a file that is shorter than it says.
    static var archivist: Configuration {
        var configuration = reader
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        return configuration
    }

    /// `synchronous = FULL`: a commit returns after its fdatasync. The automatic checkpoint is off because it would run
    /// inside a commit now and then, and make that one many times as slow.
    static var writer: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(busySeconds)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536")
            _ = try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return configuration
    }
}
