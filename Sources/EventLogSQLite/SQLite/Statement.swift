import CSQLite

/// A prepared statement, finalised exactly once. Only the thread that uses its connection may use it.
///
/// After a failure it is reset, and can be run again.
@safe struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let parameterCount: CInt
    /// Where the texts and blobs of a kept statement's parameters are, instead of in an allocation of SQLite's each.
    private let scratch: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - sql: One statement.
    ///   - database: An open connection.
    ///   - isKept: Whether it will be run many times.
    init(_ sql: String, on database: OpaquePointer, isKept: Bool) throws(SQLiteError) {
        var handle: OpaquePointer?
        var isOne = true
        // SAFETY: the string lives for the call, and `rest` points into it.
        let code = unsafe sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            let flags = isKept ? CUnsignedInt(SQLITE_PREPARE_PERSISTENT) : 0
            let code = unsafe sqlite3_prepare_v3(database, text, -1, flags, &handle, &rest)
            if let rest = unsafe rest { isOne = unsafe rest.pointee == 0 }
            return code
        }
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: database) }
        guard let handle = unsafe handle, isOne else {
            // SAFETY: the handle is not used any more; null is allowed.
            unsafe sqlite3_finalize(handle)
            throw SQLiteError(code: SQLITE_MISUSE, "this is not one statement: \(sql)")
        }
        unsafe self.handle = handle
        parameterCount = unsafe sqlite3_bind_parameter_count(handle)
        unsafe scratch = .allocate(byteCount: isKept ? Self.scratchBytes : 0, alignment: 8)
    }

    /// Most events of a bid fit.
    private static let scratchBytes = 1024

    // SAFETY: finalised only here, before the bytes that it may refer to are freed. The result is the code of the last run, which was thrown then.
    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe scratch.deallocate()
    }

    /// Executes the statement; rows that it returns are ignored.
    /// - Parameter bind: Binds all parameters.
    func run(_ bind: (inout Bindings) -> Void = { _ in }) throws(SQLiteError) {
        try start(bind)
        while try step() {}
    }

    /// Binds all parameters; `step` then begins to execute.
    func start(_ bind: (inout Bindings) -> Void) throws(SQLiteError) {
        var bindings = unsafe Bindings(handle, scratch)
        bind(&bindings)
        let code = bindings.code == SQLITE_OK && bindings.count != parameterCount ? SQLITE_RANGE : bindings.code
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Executes until the next row; false, and reset, at the end.
    func step() throws(SQLiteError) -> Bool {
        // SAFETY: the handle is alive until `deinit`.
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        default: throw failure(code)
        }
    }

    /// Whether an execution has begun, and neither reached its end nor been reset.
    var isBusy: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

    /// Ends the execution. Its result is the code of `step`, which was thrown then.
    func reset() { unsafe _ = sqlite3_reset(handle) }

    /// The columns of the current row.
    var columns: Columns { unsafe Columns(handle) }

    /// The error, with its message before the reset replaces it.
    private func failure(_ code: CInt) -> SQLiteError {
        // A code that this wrapper made has no message of the connection's.
        let error =
            code == SQLITE_RANGE || code == SQLITE_TOOBIG
            ? SQLiteError(code: code, unsafe String(cString: sqlite3_errstr(code)))
            : unsafe SQLiteError(code: code, of: sqlite3_db_handle(handle))
        reset()
        return error
    }
}

/// The rows of one execution, one after the other; the reading functions are about the current one.
struct Rows: ~Copyable {
    private let owner: StatementOwner
    private var isOver = false

    init(_ owner: StatementOwner, _ bind: (inout Bindings) -> Void) throws(SQLiteError) {
        self.owner = owner
        try owner.statement.start(bind)
    }

    deinit { if !isOver { owner.statement.reset() } }

    /// Goes on to the next row; false after the last one.
    mutating func next() throws(SQLiteError) -> Bool {
        if isOver { return false }
        isOver = true
        guard try owner.statement.step() else { return false }
        isOver = false
        return true
    }

    var columns: Columns { owner.statement.columns }

    /// Decodes all remaining rows.
    mutating func map<Value>(_ read: (borrowing Rows) throws(SQLiteError) -> Value) throws(SQLiteError) -> [Value] {
        var values: [Value] = []
        while try next() { values.append(try read(self)) }
        return values
    }

    /// Decodes the next row; nil if there is none.
    mutating func first<Value>(_ read: (borrowing Rows) throws(SQLiteError) -> Value) throws(SQLiteError) -> Value? {
        try next() ? try read(self) : nil
    }
}

/// Keeps a statement for a connection, or for its rows.
final class StatementOwner {
    let statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }
}
