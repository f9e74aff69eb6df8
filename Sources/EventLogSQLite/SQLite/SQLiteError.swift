import CSQLite

/// An error of SQLite, or a stored value that cannot be decoded.
struct SQLiteError: Error, Hashable {
    enum Kind: Hashable {
        /// SQLite returned this extended result code.
        case code(CInt)
        /// A column holds something else than this program stores there.
        case unreadable
    }

    let kind: Kind
    let message: String

    /// - Parameter code: An extended result code.
    init(code: CInt, _ message: String) { (kind, self.message) = (.code(code), message) }

    init(unreadable message: String) { (kind, self.message) = (.unreadable, message) }

    /// The error of the last call on a connection, before another call replaces its message.
    /// - Parameter database: Nil if SQLite could not even allocate the connection.
    init(code: CInt, of database: OpaquePointer?) {
        // SAFETY: SQLite's text is copied at once.
        let text = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) }
        self.init(code: code, text ?? "out of memory")
    }

    /// The extended result code; nil for an unreadable value.
    var code: CInt? {
        guard case .code(let code) = kind else { return nil }
        return code
    }

    /// The result code without what extends it; nil for an unreadable value.
    var primaryCode: CInt? { code.map { $0 & 0xFF } }

    /// Whether the file is damaged.
    var isDamage: Bool { kind == .unreadable || primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}

extension Error {
    /// Whether the error means that the file is damaged.
    var isDamage: Bool { (self as? SQLiteError)?.isDamage ?? false }
}
