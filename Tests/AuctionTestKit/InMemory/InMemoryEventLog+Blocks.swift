package import AuctionDomain
package import EventLog

// Whom users block.
extension InMemoryEventLog {
    /// See `UserBlockStore.blocks`.
    package func blocks(of user: UserID, after: UserID?, limit: Int) throws(EventLogError) -> [UserBlock] {
        try withState { state in
            let rows = state.sortedBlocks(of: user).filter { block in after.map { block.blocked > $0 } ?? true }
            return Array(rows.prefix(max(limit, 0)))
        }
    }

    /// See `UserBlockStore.add`.
    package func add(_ block: UserBlock) throws(EventLogError) -> BlockOutcome {
        try withState { state in
            let rows = state.blocks[block.user] ?? [:]
            if let since = rows[block.blocked] { return .stands(since: since) }
            if rows.count >= UserBlock.limit { return .tooMany }
            state.blocks[block.user, default: [:]][block.blocked] = block.at
            return .begun
        }
    }

    /// See `UserBlockStore.restore`.
    package func restore(_ blocks: [UserBlock]) throws(EventLogError) {
        try withState { state in
            for block in blocks where state.blocks[block.user]?[block.blocked] == nil {
                state.blocks[block.user, default: [:]][block.blocked] = block.at
            }
        }
    }

    /// See `UserBlockStore.removeBlock`.
    package func removeBlock(of blocked: UserID, by user: UserID) throws(EventLogError) -> Bool {
        try withState { state in state.blocks[user]?.removeValue(forKey: blocked) != nil }
    }

    /// See `UserBlockStore.moveBlocks`.
    package func moveBlocks(from guest: UserID, to user: UserID) throws(EventLogError) {
        if guest == user { return }
        try withState { state in
            let oldest = state.sortedBlocks(of: guest).sorted { ($0.at, $0.blocked) < ($1.at, $1.blocked) }
            for block in oldest where block.blocked != user && state.blocks[user]?[block.blocked] == nil {
                guard state.blocks[user]?.count ?? 0 < UserBlock.limit else { break }
                state.blocks[user, default: [:]][block.blocked] = block.at
            }
            state.blocks[guest] = nil
        }
    }

    /// See `LogArchive.blocks`.
    package func blocks(after: UserBlock?, limit: Int) throws(EventLogError) -> [UserBlock] {
        try withState { state in
            let all = state.blocks.keys.sorted().flatMap { state.sortedBlocks(of: $0) }
            let rows = all.filter { block in after.map { ($0.user, $0.blocked) < (block.user, block.blocked) } ?? true }
            return Array(rows.prefix(limit))
        }
    }
}

extension InMemoryEventLog.State {
    fileprivate func sortedBlocks(of user: UserID) -> [UserBlock] {
        (blocks[user] ?? [:]).sorted { $0.key < $1.key }.map { UserBlock(user: user, blocked: $0.key, at: $0.value) }
    }
}
