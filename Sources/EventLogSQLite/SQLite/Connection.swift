import CSQLite

/// The text of a statement. A kept one stays prepared with its connection: not for a PRAGMA, some of which SQLite executes when it
/// prepares them.
struct SQL: ExpressibleByStringInterpolation {
    let text: String
    let isKept: Bool

    init(stringLiteral text: String) { (self.text, isKept) = (text, false) }

    private init(kept text: String) { (self.text, isKept) = (text, true) }

    static func kept(_ text: String) -> SQL { SQL(kept: text) }
}

/// A connection to a SQLite database, closed exactly once: when nothing refers to it, and its last statement has been finalised.
///
/// `@safe`: the handle is created here and never escapes. `@unchecked Sendable`: used by one thread at a time, which each owner ensures;
/// so it needs no lock of SQLite's (`SQLITE_OPEN_NOMUTEX`).
@safe final class Connection: @unchecked Sendable {
    private let handle: OpaquePointer
    private var kept: [String: StatementOwner] = [:]

    /// Once for the process, before its first connection. SQLite works as well if it refuses.
    private static let configured: Void = { _ = csqlite_without_memory_statistics() }()

    /// Opens the file, which is created if it may be written, and reads its first page.
    init(_ path: String, _ settings: ConnectionSettings = ConnectionSettings()) throws(SQLiteError) {
        Self.configured
        let access = settings.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        // SAFETY: the string lives for the call. A connection that could not be opened has to be closed, too; null is allowed.
        let code = unsafe sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let error = unsafe SQLiteError(code: code, of: opened)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.handle = handle
        try setBusyTimeout(milliseconds: settings.busyMilliseconds)
        try execute(settings.setup)
        _ = try long("SELECT count(*) FROM sqlite_schema")
    }

    deinit {
        kept.removeAll()
        // SAFETY: closed only here. It always succeeds: a statement that is left closes the connection when it is finalised.
        unsafe sqlite3_close_v2(handle)
    }

    // MARK: - Statements

    /// Executes statements without parameters; rows that they return are ignored.
    func execute(_ sql: String) throws(SQLiteError) {
        // SAFETY: the string lives for the call.
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Executes one statement.
    func run(_ sql: SQL, _ values: any Bindable...) throws(SQLiteError) {
        try owner(of: sql).statement.run { bindings in for value in values { value.bind(to: &bindings) } }
    }

    /// Begins to execute a query.
    func rows(_ sql: SQL, _ values: any Bindable...) throws(SQLiteError) -> Rows { try rows(sql, binding: values) }

    /// Begins to execute a query.
    func rows(_ sql: SQL, binding values: [any Bindable]) throws(SQLiteError) -> Rows {
        try Rows(owner(of: sql)) { bindings in for value in values { value.bind(to: &bindings) } }
    }

    /// The number in the first column of a query's first row; nil if there is none, or it is NULL.
    func long(_ sql: SQL, _ values: any Bindable...) throws(SQLiteError) -> Int64? {
        var rows = try rows(sql, binding: values)
        return try rows.next() ? try rows.optionalLong(0) : nil
    }

    /// The text in the first column of a query's first row; nil if there is none.
    func text(_ sql: SQL, _ values: any Bindable...) throws(SQLiteError) -> String? {
        var rows = try rows(sql, binding: values)
        return try rows.next() ? try rows.text(0) : nil
    }

    /// Prepares a statement that is run many times.
    func prepare(_ sql: String) throws(SQLiteError) -> Statement { unsafe try Statement(sql, on: handle, isKept: true) }

    private func owner(of sql: SQL) throws(SQLiteError) -> StatementOwner {
        guard sql.isKept else { return StatementOwner(unsafe try Statement(sql.text, on: handle, isKept: false)) }
        if let owner = kept[sql.text] {
            // Another execution would end the one whose rows are being read.
            guard !owner.statement.isBusy else {
                throw SQLiteError(code: SQLITE_MISUSE, "a kept statement is run within its own rows: \(sql.text)")
            }
            return owner
        }
        let owner = StatementOwner(try prepare(sql.text))
        kept[sql.text] = owner
        return owner
    }

    // MARK: - State

    // SAFETY of all that follow: the handle is alive until `deinit`.

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Rows that were changed since the connection was opened.
    var totalChangeCount: Int { unsafe Int(sqlite3_total_changes64(handle)) }

    /// Row number of the last INSERT.
    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction has begun and not ended; SQLite itself ends one after some errors.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How long a call waits for a lock that another connection has.
    func setBusyTimeout(milliseconds: Int) throws(SQLiteError) {
        try check(unsafe sqlite3_busy_timeout(handle, CInt(clamping: milliseconds)))
    }

    /// Frees cached pages and kept statements.
    func releaseMemory() {
        kept.removeAll()
        unsafe _ = sqlite3_db_release_memory(handle)
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: handle) }
    }

    // MARK: - Transactions

    enum TransactionKind: String {
        /// Begins to read with its first query.
        case deferred = "BEGIN DEFERRED"
        /// Takes the lock for writing at once.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Runs `body` in a transaction, which is committed, or rolled back if `body` throws.
    func transaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        try run(.kept(kind.rawValue))
        do {
            let result = try body()
            guard isInTransaction else { throw SQLiteError(code: SQLITE_ABORT, "the transaction was aborted") }
            try run(.kept("COMMIT"))
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` in a transaction that is rolled back, because SQLite refuses to commit after reading a damaged page.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run(.kept(TransactionKind.deferred.rawValue))
        defer { rollBack() }
        return try body()
    }

    /// Ends the transaction, if there is one. Errors are ignored: SQLite ends it nevertheless.
    func rollBack() {
        if isInTransaction { try? execute("ROLLBACK") }
    }

    // MARK: - Copies

    /// Copies all pages to another database.
    /// - Parameters:
    ///   - count: Pages per step.
    ///   - pause: Is called after each step but the last; the copy ends if it throws.
    func copy(to target: Connection, pagesPerStep count: CInt, _ pause: () throws -> Void) throws {
        // SAFETY: both connections outlive the copy, which is finished exactly once.
        guard let copy = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw unsafe SQLiteError(code: sqlite3_extended_errcode(target.handle), of: target.handle)
        }
        var code = SQLITE_OK
        do {
            code = unsafe sqlite3_backup_step(copy, count)
            while code == SQLITE_OK {
                try pause()
                code = unsafe sqlite3_backup_step(copy, count)
            }
        } catch {
            unsafe sqlite3_backup_finish(copy)
            throw error
        }
        let finished = unsafe sqlite3_backup_finish(copy)
        if code == SQLITE_DONE { code = finished }
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: target.handle) }
    }
}

/// How a connection is opened.
struct ConnectionSettings {
    var isReadOnly = false
    /// How long a call waits for a lock that another connection has.
    var busyMilliseconds = 0
    /// Statements that are executed first.
    var setup = ""
}
