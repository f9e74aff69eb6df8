import EventLog
import Synchronization

/// Opens and configures sessions, with exponential backoff while the server cannot be reached.
final class Connector: Sendable {
    /// The kind of work a session is used for.
    enum Purpose {
        /// Statements with a timeout.
        case statements
        /// Migrations and reads of complete histories, without a statement timeout.
        case longRunning
    }

    let url: String
    /// The URL without password and parameters, for messages.
    let store: String
    let limits: PostgresLimits
    private let target: String
    private let state = Mutex(Backoff())

    struct Backoff {
        /// When the server was last reached, in the same time.
        var reachedAt = Int64.min
        var failures = 0
        /// Monotonic time in milliseconds before which no attempt is made.
        var notBefore: Int64 = 0
        /// The last failure, which is reported until then.
        var last: SessionFailure?
    }

    /// - Parameter onlyReads: Whether a server that rejects writes, such as a standby, suffices. Else it is passed over, unless the URL has
    ///   another `target_session_attrs`: what is read from a standby is old, and after a failover the URL's first server may be one.
    init(url: String, limits: PostgresLimits, onlyReads: Bool = false) {
        self.url = url
        self.limits = limits
        target = onlyReads ? "any" : "read-write"
        // A text that libpq cannot read may have its password anywhere.
        store = ConnectionText(url) == nil ? "PostgreSQL" : Self.withoutSecrets(url)
    }

    /// Opens and configures a session. During a backoff it throws the last failure immediately.
    func connect(_ purpose: Purpose = .statements) throws(SessionFailure) -> Session {
        let now = Session.monotonicMilliseconds()
        let refusal = state.withLock { $0.notBefore > now ? $0.last : nil }
        if let refusal { throw refusal }
        do throws(SessionFailure) {
            let isLong = purpose == .longRunning
            let timeout = isLong ? limits.longMilliseconds : limits.replyMilliseconds
            let session = try Session(url, timeout: timeout, target: target)
            for setting in Self.settings { try session.execute("SET \(setting)") }
            try session.execute("SET statement_timeout = \(isLong ? 0 : limits.statementMilliseconds)")
            _ = try session.run([Call(Statements.pinSynchronousCommit)])
            state.withLock { $0 = Backoff(reachedAt: Session.monotonicMilliseconds()) }
            return session
        } catch {
            // What needs the session has not been sent, so its outcome is known, also of what this failure refuses during the backoff.
            let failure = error.kind == .noReply ? SessionFailure(kind: .notSent, message: error.message) : error
            state.withLock { $0.failed(failure, limits, begun: now, at: Session.monotonicMilliseconds()) }
            throw failure
        }
    }

    /// Generic plans that use indexes, in their order: every query reads few rows, however large the tables are, and planning costs more
    /// than execution. A bitmap of an index has all rows of a condition, also for a query with a limit.
    static let planning = [
        "plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off", "jit = off",
    ]

    /// Settings of every session.
    ///
    /// Keepalives and timeouts: by default a server keeps sessions of an unreachable node, with their locks, for two hours, until no
    /// more connections are available.
    ///
    /// `connect` also pins `synchronous_commit`, so that a reloaded value applies only to new sessions, which are checked
    /// (`ServerSettings`).
    private static let settings =
        planning + [
            "idle_in_transaction_session_timeout = 10000", "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2",
            "tcp_keepalives_count = 3", "tcp_user_timeout = 11000",
        ]

    /// The URL without password and parameters; "PostgreSQL" for a connection string of another form.
    static func withoutSecrets(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "PostgreSQL" }
        var rest = url[scheme.upperBound...]
        // To libpq a question mark in user or password, which end with the first at sign, begins no parameters.
        var host = rest.startIndex
        if let sign = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[sign] == "@" { host = sign }
        if let parameters = rest[host...].firstIndex(of: "?") { rest = rest[..<parameters] }
        guard let at = rest.lastIndex(of: "@") else { return String(url[..<scheme.upperBound] + rest) }
        let user = rest[..<at].prefix { $0 != ":" && $0 != "?" }
        return String(url[..<scheme.upperBound] + user + rest[at...])
    }
}

extension Connector.Backoff {
    /// - Parameter begun: When the attempt began. If the server was reached after that, as when a link is back that had been cut, the failure
    ///   says nothing about the next attempt.
    mutating func failed(_ failure: SessionFailure, _ limits: PostgresLimits, begun: Int64, at now: Int64) {
        guard begun > reachedAt else { return }
        failures += 1
        last = failure
        let longest = min(limits.minimumBackoff << Int64(min(failures - 1, 10)), limits.maximumBackoff)
        // Randomized, so that nodes do not reconnect simultaneously.
        notBefore = now + Int64.random(in: longest / 2...longest)
    }
}

/// Bounds of a log in PostgreSQL; the defaults are for production.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections for reading. Appending, heartbeats, listening and sending notifications use one more each, pictures two.
    package var readers = 4
    /// Timeout after which the server cancels a statement.
    package var statementMilliseconds: Int64 = 2000
    /// Timeout of a reply; longer than `statementMilliseconds`.
    package var replyMilliseconds: Int64 = 4000
    /// Timeout of a reply in migrations and reads of complete histories.
    package var longMilliseconds: Int64 = 600_000
    /// How long a migration waits for a table's lock; less than `statementMilliseconds`, because appends wait behind it.
    package var migrationLockMilliseconds: Int64 = 200
    /// Delay between attempts to migrate, during which appends run.
    package var migrationPauseMilliseconds: Int64 = 5000
    /// Maximum attempts to migrate while another session, such as that of a dump, keeps a table locked.
    package var migrationAttempts = 100
    /// Time per call of `maintain` in which an index by user that was emptied is filled; a call a second makes it a tenth of a core.
    package var indexingMilliseconds: Int64 = 100
    /// Maximum number of keys of stored responses that a statement reads, each with a page of the table in the worst case.
    package var keysPerStatement = 10_000
    /// Shortest delay between attempts to connect, in milliseconds; doubled after each failure.
    package var minimumBackoff: Int64 = 100
    /// Longest delay between attempts to connect, in milliseconds.
    package var maximumBackoff: Int64 = 2000
    /// Maximum attempts for a batch that fails by a serialization failure or deadlock.
    package var attempts = 3
    /// Shortest interval between notifications to other nodes.
    package var notificationMilliseconds = 5
    /// A search of all rooms for events without a number of the feed that takes less is made for every reader at the end (`FeedSearchPlan`).
    package var quickFeedSearchMicroseconds: Int64 = 2000
    /// Maximum number of rooms named in a notification, whose payload is limited to 8,000 bytes by PostgreSQL.
    package var roomsPerNotification = 200

    package init() {}
}
