import AuctionDomain
import EventLog
import Foundation
import GRDB

extension Statement {
    /// Runs a statement with values bound straight to SQLite.
    ///
    /// GRDB's own arguments box every value and validate them by name: fine for a query, a third of the time of a bid.
    /// A statement that failed cannot be used again; the writer drops all of them with a failed transaction.
    func run(_ bind: (inout Bindings) -> Void) throws {
        setUncheckedArguments(StatementArguments())
        var bindings = Bindings(statement: self)
        bind(&bindings)
        guard bindings.code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: bindings.code)) }
        try execute()
    }
}

/// The values of one execution, left to right.
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

    /// The same 64 bits; SQLite's integers are signed.
    mutating func add(_ bits: UInt64) { bind(Int64(bitPattern: bits)) }

    mutating func add(_ instant: Timestamp) { bind(instant.milliseconds) }

    mutating func add(_ number: Int64?) {
        if let number { bind(number) } else { index += 1 }
    }

    /// Texts are bound up to a NUL, so one that has a NUL inside goes in as bytes.
    mutating func add(_ text: String) {
        if text.utf8.contains(0) { bind(Data(text.utf8)) } else { bind(text) }
    }

    mutating func add(_ text: String?) {
        if let text { add(text) } else { index += 1 }
    }

    /// An empty array goes in as an empty text: a null pointer would make it NULL.
    mutating func add(_ bytes: [UInt8]) {
        if bytes.isEmpty { bind("") } else { bind(Data(bytes)) }
    }

    mutating func add(_ bytes: [UInt8]?) {
        if let bytes { add(bytes) } else { index += 1 }
    }
}
