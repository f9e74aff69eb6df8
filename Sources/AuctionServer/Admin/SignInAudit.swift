internal import AuctionDomain
internal import EventLog

/// Which sign-ins of a backend's users the audit has: the first of each user by each token, and the next one a day later.
///
/// Sign-ins come at the rate of users. An entry for each would make each wait for a write of the log, and would bury what operators do; the
/// first one alone would not show a token that is misused for users whom the backend has signed in before. A record remembers for a day that there is
/// an entry, so that further sign-ins read one record and write nothing.
enum SignInAudit {
    /// Kind of the record, whose id names user and token.
    static let recordKind = "audit-sign-in"
    /// How long there is no other entry, in milliseconds: a day.
    static let pauseMilliseconds: Int64 = 86_400_000
    /// How often an entry is tried to be written that meets another sign-in of the user.
    fileprivate static let attempts = 3
}

extension RecordStore {
    /// Writes the entry of a sign-in, unless there is one of the same user and token from the day before it.
    /// - Parameter entry: Its target is the user.
    /// - Returns: False if others were written at the same time, each time.
    func audit(signIn entry: AuditEntry) throws(EventLogError) -> Bool {
        let id = "\(entry.target).\(entry.token)"
        for _ in 0..<SignInAudit.attempts {
            let known = try record(SignInAudit.recordKind, id)
            if let end = known?.expiresAt, entry.at < end { return true }
            let marker = RecordChange.put(
                SignInAudit.recordKind, id, [], expiresAt: entry.at.advanced(byMilliseconds: SignInAudit.pauseMilliseconds),
                if: known.map { .version($0.version) } ?? .none)
            if try write([marker, entry.change]) { return true }
        }
        return false
    }
}
