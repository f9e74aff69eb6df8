import CSQLite

/// Bids in a SQLite file, each in a durable transaction of its own.
actor BidStore {
    /// A statement of SQLite failed; the text is SQLite's.
    struct StoreError: Error {
        let message: String
    }

    private let database: OpaquePointer
    private let price: OpaquePointer
    private let insert: OpaquePointer

    init(path: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw StoreError(message: "cannot open \(path)") }
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
            "CREATE TABLE IF NOT EXISTS bid (room TEXT NOT NULL, amount INTEGER NOT NULL, bidder TEXT NOT NULL, "
                + "PRIMARY KEY (room, amount)) WITHOUT ROWID",
        ] where sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK {
            throw StoreError(message: String(cString: sqlite3_errmsg(handle)))
        }
        database = handle
        price = try Self.prepare(handle, "SELECT coalesce(max(amount), 0) FROM bid WHERE room = ?")
        insert = try Self.prepare(handle, "INSERT INTO bid VALUES (?, ?, ?)")
    }

    /// Places a bid, in minor units.
    /// - Returns: Whether it was above the price of its room.
    func place(_ amount: Int64, in room: String, by bidder: String) throws -> Bool {
        try bind(room, to: price, at: 1)
        guard sqlite3_step(price) == SQLITE_ROW else { throw failure }
        let current = sqlite3_column_int64(price, 0)
        sqlite3_reset(price)
        guard amount > current else { return false }
        try bind(room, to: insert, at: 1)
        sqlite3_bind_int64(insert, 2, amount)
        try bind(bidder, to: insert, at: 3)
        defer { sqlite3_reset(insert) }
        guard sqlite3_step(insert) == SQLITE_DONE else { throw failure }
        return true
    }

    private var failure: StoreError { StoreError(message: String(cString: sqlite3_errmsg(database))) }

    private func bind(_ text: String, to statement: OpaquePointer, at index: Int32) throws {
        // SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the text.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        guard sqlite3_bind_text(statement, index, text, -1, transient) == SQLITE_OK else { throw failure }
    }

    private static func prepare(_ database: OpaquePointer, _ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw StoreError(message: String(cString: sqlite3_errmsg(database)))
        }
        return statement
    }
}
