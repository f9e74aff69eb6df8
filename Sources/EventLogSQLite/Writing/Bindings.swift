import AuctionDomain
import EventLog
import GRDB
import GRDBSQLite

extension Statement {
    /// Executes the statement, which returns no rows, with values bound directly through SQLite's C API.
    ///
    /// GRDB's own arguments box and validate every value, and its execution asks observers that there are none of: together half of the
    /// time that a bid's statement takes here. A statement that failed must not be reused; the writer discards all of them when a
    /// transaction fails.
    func run(_ bind: (inout Bindings) -> Void) throws {
        // SAFETY: the handle lives as long as the statement. It is used where GRDB lets it be used: inside the queue of its connection.
        let handle = unsafe sqliteStatement
        var bindings = unsafe Bindings(handle)
        bind(&bindings)
        let code = bindings.code == SQLITE_OK ? unsafe sqlite3_step(handle) : bindings.code
        // Before the statement is reset, which may replace the message.
        let message = code == SQLITE_DONE ? nil : unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        unsafe sqlite3_reset(handle)
        if let message { throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message) }
    }
}

/// Binds the parameters of one execution, from left to right. Every execution binds all of them.
@safe
struct Bindings {
    private let handle: OpaquePointer
    private var index: CInt = 0
    /// `SQLITE_OK`, or the code of a failure.
    fileprivate private(set) var code: CInt = SQLITE_OK

    fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    mutating func add(_ number: Int64) {
        // SAFETY: as in `run`, which uses the handle until it returns.
        unsafe record(sqlite3_bind_int64(handle, next(), number))
    }

    mutating func add(_ number: Int) { add(Int64(number)) }

    mutating func add(_ flag: Bool) { add(Int64(flag ? 1 : 0)) }

    /// Binds the same 64 bits as a signed integer, because SQLite has no unsigned ones.
    mutating func add(_ bits: UInt64) { add(Int64(bitPattern: bits)) }

    mutating func add(_ instant: Timestamp) { add(instant.milliseconds) }

    mutating func add(_ number: Int64?) {
        if let number { add(number) } else { addNull() }
    }

    mutating func add(_ text: String) { bind(text.utf8Span.span, asText: true) }

    mutating func add(_ text: String?) {
        if let text { add(text) } else { addNull() }
    }

    /// Binds UTF-8 as a text.
    mutating func add(text bytes: [UInt8]) { bind(bytes.span, asText: true) }

    /// An empty array is bound as an empty text, because SQLite would turn a blob with a null pointer into NULL.
    mutating func add(_ bytes: [UInt8]) { bind(bytes.span, asText: bytes.isEmpty) }

    mutating func add(_ bytes: [UInt8]?) {
        if let bytes { add(bytes) } else { addNull() }
    }

    /// Binds a digest as 32 bytes.
    mutating func add(_ hash: EventHash) {
        let words = hash.words
        addBigEndian([words.0, words.1, words.2, words.3])
    }

    /// Binds a key as 16 bytes, most significant first.
    mutating func add(_ key: UInt128) {
        addBigEndian([UInt64(truncatingIfNeeded: key >> 64), UInt64(truncatingIfNeeded: key)])
    }

    private mutating func addBigEndian<let count: Int>(_ words: InlineArray<count, UInt64>) {
        var ordered = words
        for index in words.indices { ordered[index] = words[index].bigEndian }
        // SAFETY: words are plain bytes, which SQLite copies before the call returns.
        unsafe ordered.span.withUnsafeBytes {
            unsafe record(sqlite3_bind_blob(handle, next(), $0.baseAddress, CInt($0.count), Self.copied))
        }
    }

    private mutating func addNull() { unsafe record(sqlite3_bind_null(handle, next())) }

    /// A text that contains NUL is bound as a blob, because a text would be cut off there.
    private mutating func bind(_ bytes: Span<UInt8>, asText isText: Bool) {
        let hasNul = isText && bytes.indices.contains { bytes[$0] == 0 }
        guard let size = CInt(exactly: bytes.count) else { return record(SQLITE_TOOBIG) }
        // SAFETY: SQLite copies the bytes before the call returns. An empty text must not have a null pointer.
        unsafe bytes.withUnsafeBytes { bytes in
            if isText, !hasNul {
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                unsafe record(
                    start.map { unsafe sqlite3_bind_text(handle, next(), $0, size, Self.copied) }
                        ?? sqlite3_bind_text(handle, next(), "", 0, Self.copied))
            } else {
                unsafe record(sqlite3_bind_blob(handle, next(), bytes.baseAddress, size, Self.copied))
            }
        }
    }

    private mutating func next() -> CInt {
        index += 1
        return index
    }

    private mutating func record(_ result: CInt) {
        if result != SQLITE_OK { code = result }
    }

    /// SQLITE_TRANSIENT, which Swift does not import: SQLite copies the value.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Collection<Int64> {
    /// The numbers as the argument of `json_each`, for statements that take a list.
    var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
