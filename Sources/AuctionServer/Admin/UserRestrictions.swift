internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// The restrictions of users that are in force: those in the log, which are read again once another node has changed one.
///
/// They hold whether or not this node has service tokens. Requests ask the verifier of tokens, which has a copy.
final class UserRestrictions: Sendable {
    /// A change is in force on every node after this time, and the reading of the log.
    static let readingMilliseconds = 2000
    /// The record that every change writes anew, so that nodes read one record while nothing changes.
    private static let marker = (kind: "user-restrictions", id: "changes")
    /// Attempts at a change that another node's change of the same user defeats.
    private static let attempts = 3

    private struct State {
        var restricted = RestrictedUsers()
        /// Version of the marker; nil before the first reading.
        var version: Int64?
    }

    enum Outcome: Sendable {
        case changed(UserRestriction)
        /// As many users are restricted as may be.
        case tooMany
        case unavailable
    }

    private let log: any EventLog
    private let state = Mutex(State())
    private let thread = PeriodicThread(name: "users")
    /// Called on any thread after the restrictions have changed.
    private let changed: @Sendable () -> Void

    init(log: any EventLog, changed: @escaping @Sendable () -> Void) { (self.log, self.changed) = (log, changed) }

    var current: RestrictedUsers { state.withLock { $0.restricted } }

    /// What is in force, with a version that another one has after every change.
    var versioned: (users: RestrictedUsers, version: Int64) {
        state.withLock { (users: $0.restricted, version: $0.version ?? 0) }
    }

    /// Reads them.
    /// - Parameter isRepeated: Whether others may change them.
    func start(isRepeated: Bool) throws(EventLogError) {
        try read()
        guard isRepeated else { return }
        thread.start { [self] in
            // Until the log can be read again the last restrictions hold.
            while thread.pause(milliseconds: Self.readingMilliseconds) { try? read() }
        }
    }

    func stop() { _ = thread.stop() }

    /// Changes what is restricted of a user, with an entry of the audit; in force on this node when it returns.
    func change(
        _ user: UserID, at now: Timestamp, _ entry: AuditEntry, _ change: (inout UserRestriction) -> Void
    ) throws(EventLogError) -> Outcome {
        for _ in 0..<Self.attempts {
            let record = try log.record(UserRestriction.recordKind, user.description)
            let stored = record.flatMap(UserRestriction.init)
            var restriction = stored ?? UserRestriction(of: user)
            change(&restriction)
            let marker = RecordChange.put(Self.marker.kind, Self.marker.id, [])
            let written = restriction.change(if: record.map { .version($0.version) } ?? .none, at: now)
            let isNew = !(stored?.isCurrent(at: now) ?? false) && written.content != nil
            if isNew, isFull(at: now) { return .tooMany }
            // Of a user without a record there is nothing to delete.
            let changes = record == nil && !isNew ? [entry.change] : [written, marker, entry.change]
            guard try log.write(changes) else { continue }
            try read()
            return .changed(restriction)
        }
        return .unavailable
    }

    /// Whether as many users are restricted as may be. Those whose time is over are counted out only then.
    private func isFull(at now: Timestamp) -> Bool {
        let current = current
        return current.count >= UserRestriction.limit && current.count(at: now) >= UserRestriction.limit
    }

    /// Reads all restrictions if the marker has changed.
    private func read() throws(EventLogError) {
        // The marker first: what changes in between is read again.
        let version = try log.record(Self.marker.kind, Self.marker.id)?.version ?? 0
        guard state.withLock({ $0.version }) != version else { return }
        var (all, query) = ([UserRestriction](), RecordQuery(kind: UserRestriction.recordKind, limit: 1000))
        while true {
            let page = try log.records(query)
            all += page.compactMap(UserRestriction.init)
            guard page.count == query.limit else { break }
            query.after = page.last?.id
        }
        let restricted = RestrictedUsers(all)
        let isNews = state.withLock { state in
            // Another thread may have read later, and been faster.
            guard version > state.version ?? -1 else { return false }
            let isNews = state.restricted.count + restricted.count > 0
            (state.restricted, state.version) = (restricted, version)
            return isNews
        }
        if isNews { changed() }
    }
}
