import Dispatch
import EventLog
import Synchronization

/// A fixed number of read-only connections, each used by one thread at a time; further threads wait. The number is small because
/// readers compete with the committer for the machine.
final class ConnectionPool: Sendable {
    private let idle: Mutex<[Connection]>
    private let available: DispatchSemaphore
    private let count: Int

    init(path: String, count: Int) throws(SQLiteError) {
        var connections: [Connection] = []
        for _ in 0..<count { connections.append(try Connection(path, Connections.reader)) }
        idle = Mutex(connections)
        available = DispatchSemaphore(value: count)
        self.count = count
    }

    /// Runs `body` in one read transaction, so that all its statements see the same commits.
    func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        available.wait()
        defer { available.signal() }
        guard let connection = idle.withLock({ $0.popLast() }) else {
            throw EventLogError(.unavailable, "the readers have been closed")
        }
        defer { idle.withLock { $0.append(connection) } }
        return try connection.transaction(.deferred) { try body(connection) }
    }

    /// Waits for the reads in progress; those that wait fail.
    func close() {
        for _ in 0..<count { available.wait() }
        idle.withLock { $0.removeAll() }
        for _ in 0..<count { available.signal() }
    }
}

/// Settings of the connections.
enum Connections {
    /// How long to wait for a lock held by another program, such as SQLite's command-line tool.
    static let busyMilliseconds = 2000

    static var reader: ConnectionSettings { ConnectionSettings(isReadOnly: true, busyMilliseconds: busyMilliseconds) }

    /// Read-only, for damaged files: with `writable_schema` SQLite opens a file that is shorter than its header says. It has no other
    /// effect on a read-only connection.
    static var damageTolerantReader: ConnectionSettings {
        ConnectionSettings(isReadOnly: true, busyMilliseconds: busyMilliseconds, setup: "PRAGMA writable_schema = ON")
    }

    /// With `synchronous = FULL` a commit returns after its fdatasync. Automatic checkpoints are off, because they would make some
    /// commits many times slower; `maintain` does them. A nickname that is overwritten must not stay in the file: Debian's SQLite has
    /// `secure_delete` by itself.
    static var writer: ConnectionSettings {
        ConnectionSettings(
            busyMilliseconds: busyMilliseconds,
            setup:
                "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON"
        )
    }

    /// For pictures. A commit may checkpoint, because only uploads wait for it. What an operator removes must not stay in free pages.
    static var pictureWriter: ConnectionSettings {
        ConnectionSettings(
            busyMilliseconds: busyMilliseconds,
            setup: """
                PRAGMA synchronous = FULL; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 256;
                PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216
                """)
    }
}
