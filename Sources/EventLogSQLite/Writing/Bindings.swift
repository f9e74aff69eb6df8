import AuctionDomain
import EventLog
import Foundation
import GRDB

extension Statement {
    /// Executes the statement with values bound directly through SQLite's C API.
    ///
    /// GRDB's own arguments box and validate every value, which would take a third of the time of a bid. A statement that failed
    /// must not be reused; the writer discards all of them when a transaction fails.
    func run(_ bind: (inout Bindings) -> Void) throws {
        setUncheckedArguments(StatementArguments())
        var bindings = Bindings(statement: self)
        bind(&bindings)
        guard bindings.code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: bindings.code)) }
        try execute()
    }
}

/// Binds the parameters of one execution, from left to right.
struct Bindings {
    fileprivate let statement: Statement
    fileprivate var index: CInt = 0
    fileprivate var code: CInt = 0

    private mutating func bind(_ value: some StatementBinding) {
        index += 1
        // SAFETY: the statement lives as long as `statement`; SQLite copies the bytes before the call returns.
        let result = unsafe value.bind(to: statement.sqliteStatement, at: index)
        if result != 0 { code = result }
    }

    mutating func add(_ number: Int64) { bind(number) }

    mutating func add(_ number: Int) { bind(Int64(number)) }

    mutating func add(_ flag: Bool) { bind(Int64(flag ? 1 : 0)) }

    /// Binds the same 64 bits as a signed integer, because SQLite has no unsigned ones.
    mutating func add(_ bits: UInt64) { bind(Int64(bitPattern: bits)) }

    mutating func add(_ instant: Timestamp) { bind(instant.milliseconds) }

    mutating func add(_ number: Int64?) {
        if let number { bind(number) } else { index += 1 }
    }

    /// A text that contains NUL is bound as a blob, because a text would be cut off there.
    mutating func add(_ text: String) {
        if text.utf8.contains(0) { bind(Data(text.utf8)) } else { bind(text) }
    }

    mutating func add(_ text: String?) {
        if let text { add(text) } else { index += 1 }
    }

    /// An empty array is bound as an empty text, because SQLite would turn a blob with a null pointer into NULL.
    mutating func add(_ bytes: [UInt8]) {
        if bytes.isEmpty { bind("") } else { bind(Data(bytes)) }
    }

    mutating func add(_ bytes: [UInt8]?) {
        if let bytes { add(bytes) } else { index += 1 }
    }
}

extension Collection<Int64> {
    /// The numbers as the argument of `json_each`, for statements that take a list.
    var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
