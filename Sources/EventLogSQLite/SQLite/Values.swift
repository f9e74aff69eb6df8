import AuctionDomain
import CSQLite
import EventLog

// MARK: - Binding

/// A value that can be a parameter.
protocol Bindable {
    func bind(to bindings: inout Bindings)
}

/// Binds the parameters of one execution, from left to right. Every execution binds all of them.
///
/// `@safe`: `Statement.start` uses the handle and the memory, which it owns, until it returns.
@safe struct Bindings {
    private let handle: OpaquePointer
    /// The statement's memory, and how many of its bytes are taken.
    private let scratch: UnsafeMutableRawBufferPointer
    private var taken = 0
    /// Number of parameters that were bound.
    private(set) var count: CInt = 0
    /// `SQLITE_OK`, or the code of a failure.
    private(set) var code: CInt = SQLITE_OK

    init(_ handle: OpaquePointer, _ scratch: UnsafeMutableRawBufferPointer) {
        unsafe self.handle = handle
        unsafe self.scratch = scratch
    }

    mutating func add(_ value: some Bindable) { value.bind(to: &self) }

    /// Binds UTF-8 as a text.
    mutating func add(text bytes: [UInt8]) { add(text: bytes.span) }

    /// A text that contains NUL is bound as a blob: SQL functions would take its end for that of the text.
    fileprivate mutating func add(text bytes: Span<UInt8>) {
        let isBlob = bytes.indices.contains(where: { bytes[$0] == 0 })
        unsafe bytes.withUnsafeBytes { unsafe add($0, isBlob: isBlob) }
    }

    fileprivate mutating func add(blob bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe add($0, isBlob: true) }
    }

    fileprivate mutating func add<let count: Int>(bigEndian words: InlineArray<count, UInt64>) {
        var ordered = words
        for index in words.indices { ordered[index] = words[index].bigEndian }
        unsafe ordered.span.withUnsafeBytes { unsafe add($0, isBlob: true) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, isBlob: Bool) {
        guard let size = CInt(exactly: bytes.count) else { return record(SQLITE_TOOBIG) }
        // A null pointer would mean NULL.
        guard size > 0 else {
            return unsafe record(
                isBlob ? sqlite3_bind_zeroblob(handle, next(), 0) : sqlite3_bind_text(handle, next(), "", 0, Self.copied))
        }
        // SAFETY: what fits is copied into memory that the statement owns and overwrites only when it binds again; SQLite copies the rest
        // before the call returns.
        let place = unsafe keep(bytes)
        let (start, owner) = unsafe (place ?? bytes.baseAddress, place == nil ? Self.copied : nil)
        unsafe record(
            isBlob
                ? sqlite3_bind_blob(handle, next(), start, size, owner)
                : sqlite3_bind_text(handle, next(), start?.assumingMemoryBound(to: CChar.self), size, owner))
    }

    /// Copies the bytes into the statement's memory; nil if they do not fit.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let start = bytes.baseAddress, let memory = unsafe scratch.baseAddress,
            unsafe bytes.count <= scratch.count - taken
        else { return nil }
        let place = unsafe memory + taken
        unsafe place.copyMemory(from: start, byteCount: bytes.count)
        taken += bytes.count
        return UnsafeRawPointer(place)
    }

    fileprivate mutating func add(number: Int64) { unsafe record(sqlite3_bind_int64(handle, next(), number)) }

    fileprivate mutating func addNull() { unsafe record(sqlite3_bind_null(handle, next())) }

    private mutating func next() -> CInt {
        count += 1
        return count
    }

    private mutating func record(_ result: CInt) {
        if result != SQLITE_OK { code = result }
    }

    /// SQLITE_TRANSIENT, which Swift does not import: SQLite copies the value. Its opposite, SQLITE_STATIC, is nil.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Int64: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(number: self) }
}

extension Int: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(number: Int64(self)) }
}

extension Bool: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(number: self ? 1 : 0) }
}

/// The same 64 bits as a signed integer, because SQLite has no unsigned ones.
extension UInt64: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(number: Int64(bitPattern: self)) }
}

extension Timestamp: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(number: milliseconds) }
}

extension String: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(text: utf8Span.span) }
}

extension [UInt8]: Bindable {
    func bind(to bindings: inout Bindings) { bindings.add(blob: span) }
}

/// A digest as 32 bytes.
extension EventHash: Bindable {
    func bind(to bindings: inout Bindings) {
        let words = words
        bindings.add(bigEndian: [words.0, words.1, words.2, words.3])
    }
}

/// A key as 16 bytes, most significant first.
extension UInt128: Bindable {
    func bind(to bindings: inout Bindings) {
        bindings.add(bigEndian: [UInt64(truncatingIfNeeded: self >> 64), UInt64(truncatingIfNeeded: self)])
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    func bind(to bindings: inout Bindings) {
        if let self { self.bind(to: &bindings) } else { bindings.addNull() }
    }
}

// MARK: - Reading

/// The columns of a statement's current row, numbered from 0. A value of another type than the one that is read is an error.
///
/// `@safe`: only `Rows` has one, for the time of a call; without a current row all columns are NULL.
@safe struct Columns: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func isNull(_ column: Int) -> Bool { type(of: column) == SQLITE_NULL }

    func long(_ column: Int) throws(SQLiteError) -> Int64 {
        guard type(of: column) == SQLITE_INTEGER else { throw unreadable(column, "a number") }
        return unsafe sqlite3_column_int64(handle, CInt(column))
    }

    /// The bytes of a blob, or the UTF-8 of a text.
    func bytes<Value>(_ column: Int, _ read: (UnsafeRawBufferPointer) -> Value) throws(SQLiteError) -> Value {
        let type = type(of: column)
        guard type == SQLITE_BLOB || type == SQLITE_TEXT else { throw unreadable(column, "bytes") }
        // SAFETY: SQLite owns that many bytes at this address until the next step; they are copied in `read`. It returns null for
        // none, and if it had to convert the value and had no memory for that.
        let start = unsafe sqlite3_column_blob(handle, CInt(column))
        let count = unsafe Int(sqlite3_column_bytes(handle, CInt(column)))
        guard unsafe start != nil || count == 0 else {
            throw unsafe SQLiteError(code: SQLITE_NOMEM, of: sqlite3_db_handle(handle))
        }
        return unsafe read(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func type(of column: Int) -> CInt { unsafe sqlite3_column_type(handle, CInt(column)) }

    private func unreadable(_ column: Int, _ expected: String) -> SQLiteError {
        let types = [SQLITE_INTEGER: "a number", SQLITE_FLOAT: "a fraction", SQLITE_TEXT: "a text", SQLITE_BLOB: "a blob"]
        return SQLiteError(unreadable: "column \(column) holds \(types[type(of: column)] ?? "NULL") instead of \(expected)")
    }
}

extension Rows {
    func isNull(_ column: Int) -> Bool { columns.isNull(column) }

    func long(_ column: Int) throws(SQLiteError) -> Int64 { try columns.long(column) }

    func optionalLong(_ column: Int) throws(SQLiteError) -> Int64? { isNull(column) ? nil : try long(column) }

    func integer(_ column: Int) throws(SQLiteError) -> Int { Int(try long(column)) }

    func bits(_ column: Int) throws(SQLiteError) -> UInt64 { UInt64(bitPattern: try long(column)) }

    func instant(_ column: Int) throws(SQLiteError) -> Timestamp { Timestamp(milliseconds: try long(column)) }

    func bytes(_ column: Int) throws(SQLiteError) -> [UInt8] { try unsafe columns.bytes(column) { unsafe [UInt8]($0) } }

    func text(_ column: Int) throws(SQLiteError) -> String {
        try unsafe columns.bytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
