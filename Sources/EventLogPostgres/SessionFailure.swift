import EventLog

/// Why a session could not do what it was asked.
struct SessionFailure: Error, Hashable {
    enum Kind: Hashable {
        /// There is no connection, or it broke before everything was sent: nothing was carried out.
        case notSent
        /// Everything was sent and no whole reply came.
        case noReply
        /// The server said no, with this SQLSTATE; the transaction was rolled back.
        case server(state: String)
        /// What came back is not what was asked for.
        case unreadable
    }

    let kind: Kind
    let message: String

    /// Whether the session is of no more use.
    var endsSession: Bool {
        switch kind {
        case .notSent, .noReply: true
        // The server is going away, or has become one that cannot write: its successor may be there already.
        case .server(let state): state.hasPrefix("57P") || state == "25006" || state.hasPrefix("08")
        case .unreadable: false
        }
    }

    /// Whether the same may succeed at once: two transactions were in each other's way.
    var isPassing: Bool {
        switch kind {
        case .server("40001"), .server("40P01"), .server("55P03"): true
        default: false
        }
    }
}

extension EventLogError {
    /// What a failure means to whoever uses the log.
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

    /// By the classes of appendix A of PostgreSQL's manual.
    private static func code(of state: String) -> Code {
        switch state {
        case "53100": return .full
        case "XX001", "XX002": return .corrupt
        // Cancelled by the statement time-out: rolled back.
        case "57014": return .unavailable
        case "25006", "40001", "40P01", "55P03": return .unavailable
        default:
            // Insufficient resources, the operator's doing, system errors, connection errors, who may log in.
            return ["53", "57", "58", "08", "28", "3D"].contains(String(state.prefix(2))) ? .unavailable : .statement
        }
    }
}
