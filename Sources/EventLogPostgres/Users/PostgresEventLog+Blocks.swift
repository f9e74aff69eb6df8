package import AuctionDomain
package import EventLog

// Whom users block.
extension PostgresEventLog {
    /// See `UserBlockStore.blocks`.
    package func blocks(of user: UserID, after: UserID?, limit: Int) throws(EventLogError) -> [UserBlock] {
        if limit <= 0 { return [] }
        return try using("list the blocks of \(user)") { session throws(SessionFailure) in
            let call = Call(BlockStatements.list, user.description, after?.description ?? "", limit)
            return try session.run([call])[0].map(UserBlock.init)
        }
    }

    /// See `UserBlockStore.add`.
    package func add(_ block: UserBlock) throws(EventLogError) -> BlockOutcome {
        try using("block a user") { session throws(SessionFailure) in
            let (user, blocked) = (block.user.description, block.blocked.description)
            // A repeat waits for no other transaction.
            let since = Call(BlockStatements.since, user, blocked)
            let found = try session.run([since])[0]
            if found.count == 1 { return .stands(since: try found[0].instant(0)) }
            let add = Call(BlockStatements.add, user, blocked, block.at, UserBlock.limit)
            let replies = try session.run([Call(BlockStatements.lock, user), since, add])
            if replies[1].count == 1 { return .stands(since: try replies[1][0].instant(0)) }
            return replies[2].count == 1 ? .begun : .tooMany
        }
    }

    /// See `UserBlockStore.restore`.
    package func restore(_ blocks: [UserBlock]) throws(EventLogError) {
        if blocks.isEmpty { return }
        try using("restore blocks") { session throws(SessionFailure) in
            let call = Call(BlockStatements.restore) {
                $0.add(blocks.map(\.user.description))
                $0.add(blocks.map(\.blocked.description))
                $0.add(blocks.map(\.at.milliseconds))
            }
            _ = try session.run([call])
        }
    }

    /// See `UserBlockStore.removeBlock`.
    package func removeBlock(of blocked: UserID, by user: UserID) throws(EventLogError) -> Bool {
        try using("end a block") { session throws(SessionFailure) in
            try session.run([Call(BlockStatements.remove, user.description, blocked.description)])[0].count > 0
        }
    }

    /// See `UserBlockStore.moveBlocks`.
    package func moveBlocks(from guest: UserID, to user: UserID) throws(EventLogError) {
        // Most guests have none, and then nothing is written.
        if try blocks(of: guest, after: nil, limit: 1).isEmpty || guest == user { return }
        try using("move blocks") { session throws(SessionFailure) in
            let (from, to) = (guest.description, user.description)
            _ = try session.run([Call(BlockStatements.lock, to), Call(BlockStatements.move, to, from, UserBlock.limit)])
        }
    }
}

/// SQL for whom users block.
enum BlockStatements {
    /// Until the end of the transaction no other one counts the user's blocks.
    static let lock = Statement(
        name: "lock_blocks", sql: "SELECT pg_advisory_xact_lock(\(Schema.lock), hashtext($1))")
    static let list = Statement(
        name: "list_blocks",
        sql: "SELECT user_id, blocked, at FROM user_block WHERE user_id = $1 AND blocked > $2 ORDER BY blocked LIMIT $3")
    static let all = Statement(
        name: "all_blocks",
        sql: """
            SELECT user_id, blocked, at FROM user_block WHERE (user_id, blocked) > ($1, $2) ORDER BY user_id, blocked LIMIT $3
            """)
    static let since = Statement(
        name: "block_since", sql: "SELECT at FROM user_block WHERE user_id = $1 AND blocked = $2")
    /// One row if the block was added.
    static let add = Statement(
        name: "add_block",
        sql: """
            INSERT INTO user_block (user_id, blocked, at)
            SELECT $1::text, $2::text, $3::bigint WHERE (SELECT count(*) FROM user_block WHERE user_id = $1) < $4::bigint
            ON CONFLICT DO NOTHING RETURNING at
            """)
    static let restore = Statement(
        name: "restore_blocks",
        sql: """
            INSERT INTO user_block (user_id, blocked, at)
            SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ON CONFLICT DO NOTHING
            """)
    static let remove = Statement(
        name: "remove_block", sql: "DELETE FROM user_block WHERE user_id = $1 AND blocked = $2 RETURNING at")
    /// Removes the guest's blocks, and adds those that the user may have.
    static let move = Statement(
        name: "move_blocks",
        sql: """
            WITH old AS (DELETE FROM user_block WHERE user_id = $2 RETURNING blocked, at)
            INSERT INTO user_block (user_id, blocked, at)
            SELECT $1::text, blocked, at FROM old WHERE blocked <> $1 AND NOT EXISTS (
                SELECT FROM user_block WHERE user_id = $1 AND blocked = old.blocked)
            ORDER BY at, blocked LIMIT greatest(0, $3::bigint - (SELECT count(*) FROM user_block WHERE user_id = $1))
            ON CONFLICT DO NOTHING
            """)
}

extension UserBlock {
    init(_ row: Row) throws(SessionFailure) {
        self.init(user: try row.identifier(0), blocked: try row.identifier(1), at: try row.instant(2))
    }
}
