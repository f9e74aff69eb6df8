import AuctionDomain
import CPostgres
import EventLog
import ExactJSON

/// The result of one statement, in binary format.
///
/// `@safe`: the handle never escapes. `@unchecked Sendable`: a result of libpq is immutable, and it is freed once, in `deinit`.
@safe final class Rows: @unchecked Sendable {
    private let result: OpaquePointer
    let count: Int

    /// - Parameter result: A result, of which this object takes ownership.
    init(taking result: OpaquePointer) {
        unsafe self.result = result
        // SAFETY: the result is alive until `deinit`.
        count = Int(unsafe PQntuples(result))
    }

    // SAFETY: cleared once; values are copied out of it when they are read.
    deinit { unsafe PQclear(result) }

    subscript(row: Int) -> Row { Row(rows: self, index: row) }

    /// Decodes all rows.
    func map<Value>(_ read: (Row) throws(SessionFailure) -> Value) throws(SessionFailure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try read(self[index])) }
        return values
    }

    fileprivate func isNull(_ row: Int, _ column: Int) -> Bool {
        // SAFETY: libpq returns 1 (NULL) for cells out of range.
        unsafe PQgetisnull(result, CInt(row), CInt(column)) != 0
    }

    fileprivate func bytes<Value>(_ row: Int, _ column: Int, _ read: (Span<UInt8>) -> Value) -> Value {
        // SAFETY: libpq owns `PQgetlength` bytes at this address until `deinit`; the span does not escape `read`.
        unsafe PQgetvalue(result, CInt(row), CInt(column)).withMemoryRebound(
            to: UInt8.self, capacity: Int(PQgetlength(result, CInt(row), CInt(column)))
        ) { start in
            let buffer = unsafe UnsafeBufferPointer(start: start, count: Int(PQgetlength(result, CInt(row), CInt(column))))
            return read(unsafe Span(_unsafeElements: buffer))
        }
    }
}

/// One row; columns are numbered from 0.
struct Row {
    fileprivate let rows: Rows
    fileprivate let index: Int

    func isNull(_ column: Int) -> Bool { rows.isNull(index, column) }

    /// An integer of 2, 4 or 8 bytes.
    func long(_ column: Int) throws(SessionFailure) -> Int64 {
        guard !isNull(column) else { throw unreadable(column, "a number") }
        let number: Int64? = rows.bytes(index, column) { bytes in
            switch bytes.count {
            case 2: return Int64(Int16(truncatingIfNeeded: bytes.bigEndian))
            case 4: return Int64(Int32(truncatingIfNeeded: bytes.bigEndian))
            case 8: return bytes.bigEndian
            default: return nil
            }
        }
        guard let number else { throw unreadable(column, "a number") }
        return number
    }

    func optionalLong(_ column: Int) throws(SessionFailure) -> Int64? { isNull(column) ? nil : try long(column) }

    func integer(_ column: Int) throws(SessionFailure) -> Int { Int(try long(column)) }

    func bits(_ column: Int) throws(SessionFailure) -> UInt64 { UInt64(bitPattern: try long(column)) }

    func instant(_ column: Int) throws(SessionFailure) -> Timestamp { Timestamp(milliseconds: try long(column)) }

    func flag(_ column: Int) throws(SessionFailure) -> Bool {
        let flag: Bool? = rows.bytes(index, column) { $0.count == 1 ? $0[0] != 0 : nil }
        guard let flag, !isNull(column) else { throw unreadable(column, "true or false") }
        return flag
    }

    func bytes(_ column: Int) -> [UInt8] {
        rows.bytes(index, column) { span in unsafe span.withUnsafeBufferPointer { unsafe [UInt8]($0) } }
    }

    func text(_ column: Int) -> String { StoredText.decode(String(decoding: bytes(column), as: UTF8.self)) }

    /// An array of 8-byte integers without NULLs; empty if the column is NULL.
    func longs(_ column: Int) throws(SessionFailure) -> [Int64] {
        if isNull(column) { return [] }
        let numbers: [Int64]? = rows.bytes(index, column) { bytes in
            guard bytes.count >= 20 else { return bytes.count == 12 ? [] : nil }
            let count = Int(bytes.extracting(12..<16).bigEndian)
            guard bytes.count == 20 + 12 * count else { return nil }
            return (0..<count).map { bytes.extracting(24 + 12 * $0..<32 + 12 * $0).bigEndian }
        }
        guard let numbers else { throw unreadable(column, "numbers") }
        return numbers
    }

    func identifier<Kind: IdentifierKind>(_ column: Int) throws(SessionFailure) -> Identifier<Kind> {
        let text = text(column)
        guard let identifier = Identifier<Kind>(text) else { throw unreadable(column, "an identifier") }
        return identifier
    }

    func hash(_ column: Int) throws(SessionFailure) -> EventHash {
        guard let hash = EventHash(stored: bytes(column)) else { throw unreadable(column, "a hash of 32 bytes") }
        return hash
    }

    /// Status code of a stored response.
    func status(_ column: Int) throws(SessionFailure) -> Int {
        let status = try integer(column)
        guard StoredResponse.statuses.contains(status) else { throw unreadable(column, "the status of a response") }
        return status
    }

    /// Headers of a stored response.
    func headers(_ column: Int) throws(SessionFailure) -> [ResponseHeader] {
        let bytes = bytes(column)
        do throws(JSONError) {
            return try StoredHeaders.decode(bytes)
        } catch {
            throw SessionFailure(
                kind: .unreadable, message: "a response's headers are \(String(decoding: bytes, as: UTF8.self)): \(error)")
        }
    }

    func key(_ column: Int) throws(SessionFailure) -> UInt128 {
        let bytes = bytes(column)
        guard bytes.count == 16 else { throw unreadable(column, "a key of 16 bytes") }
        return bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    func keyOwner(_ column: Int) throws(SessionFailure) -> KeyOwner { KeyOwner(bits: try bits(column)) }

    func unreadable(_ column: Int, _ expected: String) -> SessionFailure {
        SessionFailure(kind: .unreadable, message: "column \(column) does not hold \(expected)")
    }
}

extension Span<UInt8> {
    /// The bytes as one number, most significant first; of more than eight bytes only the last eight count.
    fileprivate var bigEndian: Int64 {
        var number: Int64 = 0
        for index in indices { number = number << 8 | Int64(self[index]) }
        return number
    }
}

extension UInt128 {
    /// 16 bytes, most significant first.
    var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: self >> UInt128(120 - 8 * $0)) } }
}
