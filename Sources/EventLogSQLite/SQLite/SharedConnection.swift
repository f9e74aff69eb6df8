import CSQLite
import Synchronization

/// A connection that several threads use, one at a time.
///
/// The lock of the standard library inherits priority, and the kernel hands it to the thread that has waited longest: the committer waits for
/// one short transaction of `maintain` at most, not for a row of them. Taking it twice in one thread traps.
final class SharedConnection: Sendable {
    private let connection: Mutex<Connection?>

    init(_ path: String, _ settings: ConnectionSettings = ConnectionSettings()) throws(SQLiteError) {
        connection = Mutex(try Connection(path, settings))
    }

    /// Runs `body` when no other thread uses the connection, which it must not keep.
    /// - Throws: What `body` throws, or `SQLITE_MISUSE` if the connection has been closed.
    func use<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        var result: Result?
        try connection.withLock { connection in
            if let connection { result = try body(connection) }
        }
        guard let result else { throw SQLiteError(code: SQLITE_MISUSE, "the connection has been closed") }
        return result
    }

    /// Waits for the thread that uses the connection, then closes it.
    func close() { connection.withLock { $0 = nil } }
}
