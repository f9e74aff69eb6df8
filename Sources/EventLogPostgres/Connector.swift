import EventLog
import Foundation
import Synchronization

/// Makes sessions that are ready for use, and stops trying for a while when the server cannot be reached.
final class Connector: Sendable {
    /// What a session is for.
    enum Purpose {
        /// Statements that the server ends in time.
        case statements
        /// As they may take long: migrations and whole histories.
        case longRunning
    }

    let url: String
    /// The URL without what is nobody's business.
    let store: String
    let limits: PostgresLimits
    private let state = Mutex(Backoff())

    fileprivate struct Backoff {
        var failures = 0
        /// Monotonic milliseconds before which nobody tries.
        var notBefore: Int64 = 0
        var last: SessionFailure?
    }

    init(url: String, limits: PostgresLimits) {
        self.url = url
        self.limits = limits
        store = Self.withoutSecrets(url)
    }

    /// A new session, set up; `.notSent` at once while the server was out of reach a moment ago.
    func connect(_ purpose: Purpose = .statements) throws(SessionFailure) -> Session {
        let now = Session.monotonicMilliseconds()
        let refusal = state.withLock { $0.notBefore > now ? $0.last : nil }
        if let refusal { throw refusal }
        do throws(SessionFailure) {
            let isLong = purpose == .longRunning
            let session = try Session(url, patience: isLong ? limits.longMilliseconds : limits.replyMilliseconds)
            for setting in Self.settings { try session.execute("SET \(setting)") }
            try session.execute("SET statement_timeout = \(isLong ? 0 : limits.statementMilliseconds)")
            _ = try session.run([Call(Statements.pinned)])
            state.withLock { $0 = Backoff() }
            return session
        } catch {
            state.withLock { $0.failed(error, limits, at: Session.monotonicMilliseconds()) }
            throw error
        }
    }

    /// Plans are made once and by index: what is asked for is always little, however large the tables are. Compiling a plan
    /// costs more than running it.
    ///
    /// A server waits two hours for a node whose link was cut, unless it is told otherwise: its sessions would stay, with what
    /// they have locked, until there are no more to be had.
    ///
    /// Last, what this session was promised when it was made stays: another `synchronous_commit` that an operator reloads is
    /// for sessions that have yet to be looked at (`ServerSettings`).
    private static let settings = [
        "plan_cache_mode = force_generic_plan", "enable_seqscan = off", "jit = off",
        "idle_in_transaction_session_timeout = 10000", "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2",
        "tcp_keepalives_count = 3", "tcp_user_timeout = 11000",
    ]

    /// What a message may show of the URL: no password, no parameters.
    static func withoutSecrets(_ url: String) -> String {
        guard let scheme = url.range(of: "://") else { return "PostgreSQL" }
        let rest = url[scheme.upperBound...].prefix { $0 != "?" }
        guard let at = rest.lastIndex(of: "@") else { return String(url[..<scheme.upperBound] + rest) }
        let user = rest[..<at].prefix { $0 != ":" }
        return String(url[..<scheme.upperBound] + user + rest[at...])
    }
}

extension Connector.Backoff {
    fileprivate mutating func failed(_ failure: SessionFailure, _ limits: PostgresLimits, at now: Int64) {
        failures += 1
        last = failure
        let longest = min(limits.leastBackoff << Int64(min(failures - 1, 10)), limits.mostBackoff)
        // Not all nodes at the same moment.
        notBefore = now + Int64.random(in: longest / 2...longest)
    }
}

/// Bounds of a log in PostgreSQL; the defaults are for production.
public struct PostgresLimits: Hashable, Sendable {
    /// Connections for reading. One more appends; listening and notices take one each.
    public var readers = 4
    /// After so many milliseconds the server gives up a statement.
    public var statementMilliseconds: Int64 = 2000
    /// After so many nobody waits for a reply any more. More than what a statement may take.
    public var replyMilliseconds: Int64 = 4000
    /// The same for migrations and for reading whole histories.
    public var longMilliseconds: Int64 = 600_000
    /// Milliseconds between attempts to connect: twice as long after each failure.
    public var leastBackoff: Int64 = 100
    public var mostBackoff: Int64 = 2000
    /// How often a batch is tried that two transactions in each other's way threw out.
    public var attempts = 3
    /// At most one notice to other nodes in so many milliseconds.
    public var noticeMilliseconds = 5
    /// Rooms that a notice names; it must stay below PostgreSQL's 8,000 bytes.
    public var roomsPerNotice = 200

    public init() {}
}
