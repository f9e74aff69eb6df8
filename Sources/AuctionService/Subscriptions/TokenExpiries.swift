internal import AuctionDomain

/// When the tokens of one loop's subscribers have to be checked again: streams and held long-polls outlive the request that carried
/// the token.
struct TokenExpiries: Sendable {
    /// Clock change that is ignored. A provider's `exp` may be missed by twice as much: by a change before the token came, and one after.
    private static let toleratedMilliseconds: UInt64 = 250

    /// Lower bound in service time of the expiry of all tokens in use; nil if none is in use.
    private var earliest: Timestamp?
    /// Milliseconds by which service time was ahead of the wall clock when `earliest` was computed.
    private var clockOffset: Int64 = 0
    /// Whether a token was added while the offset was another: no single offset says then whether `earliest` still holds.
    private var hasMixedOffsets = false

    /// Whether there is anything to check.
    var isEmpty: Bool { earliest == nil }

    /// Records the token of a new subscriber.
    mutating func add(_ principal: Principal, at now: Now) {
        if earliest == nil { clockOffset = now.clockOffset }
        if isMoved(at: now) { hasMixedOffsets = true }
        let end = principal.end(at: now)
        earliest = min(earliest ?? end, end)
    }

    /// Forgets the tokens that are not in use any more.
    mutating func removeAll() { (earliest, hasMixedOffsets) = (nil, false) }

    /// Whether a token may have expired: time has passed, or the clock was set. Independent of the number of tokens.
    func isDue(at now: Now) -> Bool {
        guard let earliest else { return false }
        return earliest <= now.wall || hasMixedOffsets || isMoved(at: now)
    }

    /// The offset changes when the wall clock is set or service time catches up: expiries of provider tokens must be recomputed.
    private func isMoved(at now: Now) -> Bool { (now.clockOffset - clockOffset).magnitude > Self.toleratedMilliseconds }
}

extension Now {
    /// Milliseconds by which service time is ahead of the wall clock.
    fileprivate var clockOffset: Int64 { wall.milliseconds(since: actual) }
}
