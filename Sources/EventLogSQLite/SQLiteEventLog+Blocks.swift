package import AuctionDomain
package import EventLog
import Synchronization

// Whom users block. Damage of their table does not end the log: rooms do not depend on it.
extension SQLiteEventLog {
    /// See `UserBlockStore.blocks`.
    package func blocks(of user: UserID, after: UserID?, limit: Int) throws(EventLogError) -> [UserBlock] {
        if limit <= 0 { return [] }
        return try reading("list the blocks of \(user)") { db in
            var rows = try db.rows(
                .kept("SELECT user, blocked, at FROM user_block WHERE user = ? AND blocked > ? ORDER BY blocked LIMIT ?"),
                user.description, after?.description ?? "", limit)
            return try rows.map(UserBlock.init)
        }
    }

    /// See `UserBlockStore.add`.
    package func add(_ block: UserBlock) throws(EventLogError) -> BlockOutcome {
        let (user, blocked) = (block.user.description, block.blocked.description)
        func known(_ db: Connection) throws -> BlockOutcome? {
            try db.long(.kept("SELECT at FROM user_block WHERE user = ? AND blocked = ?"), user, blocked).map {
                .stands(since: Timestamp(milliseconds: $0))
            }
        }
        // A repeat neither waits for the writer nor begins to write.
        if let kept = try reading("look for a block", { db in try known(db) }) { return kept }
        return try changing("block a user") { db in
            if let kept = try known(db) { return kept }
            let count = try db.long("SELECT count(*) FROM user_block WHERE user = ?", user) ?? 0
            if count >= UserBlock.limit { return .tooMany }
            try db.run("INSERT INTO user_block VALUES (?, ?, ?)", user, blocked, block.at)
            return .begun
        }
    }

    /// See `UserBlockStore.restore`.
    package func restore(_ blocks: [UserBlock]) throws(EventLogError) {
        if blocks.isEmpty { return }
        try changing("restore blocks") { db in
            for block in blocks {
                try db.run(
                    .kept("INSERT INTO user_block VALUES (?, ?, ?) ON CONFLICT DO NOTHING"), block.user.description,
                    block.blocked.description, block.at)
            }
        }
    }

    /// See `UserBlockStore.removeBlock`.
    package func removeBlock(of blocked: UserID, by user: UserID) throws(EventLogError) -> Bool {
        try changing("end a block") { db in
            try db.run("DELETE FROM user_block WHERE user = ? AND blocked = ?", user.description, blocked.description)
            return db.changeCount > 0
        }
    }

    /// See `UserBlockStore.moveBlocks`.
    package func moveBlocks(from guest: UserID, to user: UserID) throws(EventLogError) {
        // Most guests have none, and then nothing is written.
        if try blocks(of: guest, after: nil, limit: 1).isEmpty || guest == user { return }
        let (from, to) = (guest.description, user.description)
        try changing("move blocks") { db in
            let count = try db.long("SELECT count(*) FROM user_block WHERE user = ?", to) ?? 0
            try db.run(
                """
                INSERT INTO user_block
                SELECT ?1, blocked, at FROM user_block AS old WHERE user = ?2 AND blocked <> ?1 AND NOT EXISTS (
                    SELECT 1 FROM user_block WHERE user = ?1 AND blocked = old.blocked)
                ORDER BY at, blocked LIMIT ?3
                """, to, from, max(0, Int64(UserBlock.limit) - count))
            try db.run("DELETE FROM user_block WHERE user = ?", from)
        }
    }

    /// Runs one durable transaction on a table on which rooms do not depend: its damage does not end the log.
    func changing<Result>(_ action: String, _ body: (Connection) throws -> Result) throws(EventLogError) -> Result {
        try writing(action) {
            do throws(EventLogError) {
                return try EventLogError.translating(action, path: file.path) { try writer.change(body) }
            } catch {
                throw error.code == .corrupt ? EventLogError(.statement, error.message) : error
            }
        }
    }
}

extension SQLiteWriter {
    /// One durable transaction.
    fileprivate func change<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        pagesWritten.add(3, ordering: .relaxed)
        return try connection.use { db in try transaction(db) { _ in try body(db) } }
    }
}

extension UserBlock {
    init(_ row: borrowing Rows) throws(SQLiteError) {
        self.init(user: try row.identifier(0), blocked: try row.identifier(1), at: try row.instant(2))
    }
}
