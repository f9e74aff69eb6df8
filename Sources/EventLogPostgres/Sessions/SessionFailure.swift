import EventLog

/// The error of a call on a session.
struct SessionFailure: Error, Hashable {
    enum Kind: Hashable {
        /// There is no connection, or it broke before everything was sent: nothing was executed.
        case notSent
        /// Everything was sent but no complete reply arrived: the outcome is unknown.
        case noReply
        /// The server reported an error with this SQLSTATE and rolled the transaction back.
        case server(state: String)
        /// The reply could not be decoded.
        case unreadable
    }

    let kind: Kind
    let message: String

    /// Whether the session must be closed.
    var endsSession: Bool {
        switch kind {
        case .notSent, .noReply: true
        // The server is shutting down or has become read-only: a new session may reach its successor.
        case .server(let state): state.hasPrefix("57P") || state == "25006" || state.hasPrefix("08")
        case .unreadable: false
        }
    }

    /// Whether certainly nothing of the transaction was committed.
    var wroteNothing: Bool {
        switch kind {
        case .notSent, .server: true
        case .noReply, .unreadable: false
        }
    }

    /// Whether stored data cannot be read.
    var isDamage: Bool {
        switch kind {
        case .server("XX001"), .server("XX002"), .unreadable: true
        default: false
        }
    }

    /// Whether an immediate retry may succeed: a serialization failure, a deadlock or an unavailable lock.
    var isTransient: Bool {
        switch kind {
        case .server("40001"), .server("40P01"), .server("55P03"): true
        default: false
        }
    }
}

extension EventLogError {
    /// Translates the error of a session into the log's error codes.
    init(_ failure: SessionFailure, while action: String, in store: String) {
        var detail = ""
        let code: Code
        switch failure.kind {
        case .notSent: code = .unavailable
        case .noReply: code = .outcomeUnknown
        case .unreadable: code = .corrupt
        case .server(let state):
            code = Self.code(of: state)
            detail = " (SQLSTATE \(state))"
        }
        self.init(code, "cannot \(action) in \(store): \(failure.message)\(detail)")
    }

    /// Runs `body` and translates the error that it throws.
    static func translating<Result>(
        _ action: String, in store: String, _ body: () throws(SessionFailure) -> Result
    ) throws(EventLogError) -> Result {
        do throws(SessionFailure) { return try body() } catch { throw EventLogError(error, while: action, in: store) }
    }

    /// By the SQLSTATE classes in appendix A of PostgreSQL's manual.
    private static func code(of state: String) -> Code {
        switch state {
        case "53100": return .full
        case "XX001", "XX002": return .corrupt
        // Cancelled by the statement timeout and rolled back.
        case "57014": return .unavailable
        case "25006", "40001", "40P01", "55P03": return .unavailable
        default:
            // Classes: insufficient resources, operator intervention, system error, connection exception, invalid authorization,
            // invalid catalog name.
            return ["53", "57", "58", "08", "28", "3D"].contains(String(state.prefix(2))) ? .unavailable : .statement
        }
    }
}
