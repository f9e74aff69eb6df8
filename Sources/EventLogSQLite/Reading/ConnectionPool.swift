import EventLog
import Foundation
import GRDB
import Synchronization

/// A fixed number of read-only connections, each used by one thread at a time; further threads wait. The number is small because
/// readers compete with the committer for the machine.
final class ConnectionPool: Sendable {
    private let idle: Mutex<[DatabaseQueue]>
    private let all: [DatabaseQueue]
    private let available: DispatchSemaphore

    init(path: String, count: Int) throws {
        all = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: Connections.reader) }
        idle = Mutex(all)
        available = DispatchSemaphore(value: count)
    }

    /// Runs `body` in one read transaction, so that all its statements see the same commits.
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

/// Configurations of the connections.
enum Connections {
    /// How long to wait for a lock held by another program, such as SQLite's command-line tool.
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

    /// Read-only, for damaged files: with `writable_schema` SQLite opens a file that is shorter than its header says. It has no other
    /// effect on a read-only connection.
    static var damageTolerantReader: Configuration {
        var configuration = reader
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        return configuration
    }

    /// With `synchronous = FULL` a commit returns after its fdatasync. Automatic checkpoints are off, because they would make some
    /// commits many times slower; `maintain` does them.
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
