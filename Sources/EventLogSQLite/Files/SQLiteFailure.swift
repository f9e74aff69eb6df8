import CSQLite
import EventLog

extension EventLogError {
    /// Translates an error of SQLite into the log's error codes.
    init(_ error: SQLiteError, while action: String, path: String) {
        let code: Code
        switch error.primaryCode {
        case nil: code = .corrupt
        case SQLITE_FULL: code = .full
        // A full disk is a reason for SQLITE_IOERR_SHMSIZE too (the -shm file cannot grow), but not `.full`, which says that nothing was
        // written: a commit gets it when its transaction is complete in the write-ahead log already, where the next start finds it.
        // Files were writable when the log was opened; losing that is treated like a disk failure.
        case SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: code = .io
        case SQLITE_CORRUPT, SQLITE_NOTADB: code = .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_NOMEM, SQLITE_MISUSE, SQLITE_INTERRUPT: code = .unavailable
        default: code = .statement
        }
        let number = error.code.map { " (SQLite \($0))" } ?? ""
        self.init(code, "cannot \(action) in \(path): \(error.message)\(number)")
    }

    /// Runs `body` and translates every error it throws.
    static func translating<Result>(
        _ action: String, path: String, _ body: () throws -> Result
    ) throws(EventLogError) -> Result {
        do {
            return try body()
        } catch let error as EventLogError {
            throw error
        } catch let error as SQLiteError {
            throw EventLogError(error, while: action, path: path)
        } catch {
            throw EventLogError(.statement, "cannot \(action) in \(path): \(error)")
        }
    }
}
