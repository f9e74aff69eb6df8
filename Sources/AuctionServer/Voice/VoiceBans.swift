internal import AuctionDomain

/// Users whom an operator has banned from all rooms, and who are still to be removed from the RTC service's.
///
/// Bans are no events: they are compared with those of before each time that the restrictions have changed.
struct VoiceBans: Sendable {
    /// Where the search for the rooms of one user goes on.
    struct Search: Hashable, Sendable {
        let user: UserID
        /// When they were banned.
        let bannedAt: Timestamp
        /// `UserRoomPage.next`; nil at the beginning.
        let after: Int64?
    }

    /// Milliseconds that the clocks of two nodes may differ by, and that a ban takes to reach another one.
    private static let margin: Int64 = 60_000

    /// Earlier bans were taken by the node that called before.
    private let since: Timestamp
    private var version: Int64?
    private var taken: [UserID: Timestamp] = [:]
    private var pending: [Search] = []

    init(since: Timestamp) { self.since = since }

    /// The next node need not take the bans before it: their rooms are found, and not watched any more.
    /// - Parameter watching: Nanoseconds since the earliest change that is watched.
    func settled(at now: Timestamp, watching: Int64) -> Timestamp {
        let watchedSince = now.advanced(byMilliseconds: -(watching / 1_000_000))
        return min(watchedSince, pending.map(\.bannedAt).min() ?? watchedSince).advanced(byMilliseconds: -Self.margin)
    }

    /// Adds those who were banned since, which is nothing to do if the version is that of the last time.
    mutating func take(_ restricted: RestrictedUsers, version: Int64) {
        guard version != self.version else { return }
        self.version = version
        let bans = restricted.bans
        pending.removeAll { bans[$0.user] != $0.bannedAt }
        for (user, at) in bans.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) where at >= since && taken[user] != at {
            pending.append(Search(user: user, bannedAt: at, after: nil))
        }
        taken = bans
    }

    /// The next search, which `found` has to follow; nil: all are done.
    var next: Search? { pending.first }

    /// A page of the rooms of the next search was taken.
    /// - Parameter after: Where it goes on; nil at its end.
    mutating func found(after: Int64?) {
        guard let search = pending.first else { return }
        if let after {
            pending[0] = Search(user: search.user, bannedAt: search.bannedAt, after: after)
        } else {
            pending.removeFirst()
        }
    }
}
