package import AuctionDomain

/// A user does not want to see another one. It concerns all rooms, so it is no event of any.
package struct UserBlock: Hashable, Sendable {
    /// The user who blocks.
    package let user: UserID
    /// The user who is blocked.
    package let blocked: UserID
    /// When it began.
    package let at: Timestamp

    /// The most users that one user may block.
    package static let limit = 1000

    package init(user: UserID, blocked: UserID, at: Timestamp) { (self.user, self.blocked, self.at) = (user, blocked, at) }
}

/// What became of a request to block a user.
package enum BlockOutcome: Hashable, Sendable {
    /// The user is blocked from now on.
    case begun
    /// The user is blocked already, since then.
    case stands(since: Timestamp)
    /// The user blocks `UserBlock.limit` others.
    case tooMany
}

/// Whom users block, beside the events of rooms. Every change is durable when its method returns.
package protocol UserBlockStore: Sendable {
    /// The user's blocks in order of the blocked users' identifiers, after `after`, at most `limit`.
    func blocks(of user: UserID, after: UserID?, limit: Int) throws(EventLogError) -> [UserBlock]

    /// Adds the block unless it is there or the user has `UserBlock.limit` of them.
    func add(_ block: UserBlock) throws(EventLogError) -> BlockOutcome

    /// Adds blocks that are not there, whatever their number: for copies of a log.
    func restore(_ blocks: [UserBlock]) throws(EventLogError)

    /// Ends a block.
    /// - Returns: false if there was none.
    func removeBlock(of blocked: UserID, by user: UserID) throws(EventLogError) -> Bool

    /// Makes the guest's blocks those of the user, the oldest first, as long as the user has fewer than `UserBlock.limit`; the rest ends.
    func moveBlocks(from guest: UserID, to user: UserID) throws(EventLogError)
}
