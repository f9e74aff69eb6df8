import CPostgres
import CScheduling
import EventLog
import Glibc

/// A statement, prepared on its first use in each session. An empty name means that it is not kept prepared.
struct Statement: Hashable {
    let name: String
    let sql: String

    static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One execution of a statement, with its parameters.
struct Call {
    let statement: Statement
    let parameters: Parameters

    init(_ statement: Statement, _ values: any ParameterValue...) {
        self.init(statement) { parameters in
            for value in values { value.add(to: &parameters) }
        }
    }

    init(_ statement: Statement, _ fill: (inout Parameters) -> Void) {
        self.statement = statement
        var parameters = Parameters()
        fill(&parameters)
        self.parameters = parameters
    }
}

/// One connection in pipeline mode: calls that are run together are sent together and form one transaction.
///
/// `@safe`: the handle is created here and never escapes. `@unchecked Sendable`: used by one thread at a time, which each owner ensures.
@safe final class Session: @unchecked Sendable {
    private let connection: OpaquePointer
    private var prepared: Set<Statement> = []
    /// Timeout of a reply in milliseconds; the server cancels statements earlier (`statement_timeout`).
    private let timeout: Int64

    /// Connects. libpq supplies everything that the URL does not specify (PGPASSWORD, ~/.pgpass, PGSSLMODE and so on).
    /// - Parameters:
    ///   - timeout: Timeout of a reply in milliseconds.
    ///   - target: Which of the URL's servers are suitable, as `target_session_attrs` of libpq, which the URL may have instead.
    init(_ url: String, timeout: Int64, target: String = "any") throws(SessionFailure) {
        self.timeout = timeout
        guard ConnectionText(url) != nil else { throw SessionFailure(kind: .notSent, message: ConnectionText.unreadable) }
        // Settings before `dbname` can be overridden by the URL; those after it cannot.
        let settings = [
            ("connect_timeout", "3"), ("application_name", "auction-room"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("target_session_attrs", target), ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        let connection = unsafe Self.withCStrings(settings.map(\.0)) { keywords in
            unsafe Self.withCStrings(settings.map(\.1)) { values in
                // SAFETY: both arrays end with a null and live for the call.
                unsafe PQconnectdbParams(keywords, values, 1)
            }
        }
        guard let connection = unsafe connection else { throw SessionFailure(kind: .notSent, message: "out of memory") }
        unsafe self.connection = connection
        // SAFETY: the handle is alive until `deinit`.
        guard unsafe PQstatus(connection) == CONNECTION_OK else { throw failure(.notSent) }
        guard unsafe PQsetnonblocking(connection, 1) == 0, unsafe PQenterPipelineMode(connection) == 1 else {
            throw failure(.notSent)
        }
    }

    // SAFETY: the handle is closed only here.
    deinit { unsafe PQfinish(connection) }

    /// Process ID of the server's backend for this session.
    var backend: CInt { unsafe PQbackendPID(connection) }

    /// Whether a transaction that a call began has neither been committed nor rolled back.
    var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

    /// Whether the connection is open as far as known without a round trip: detects that the server closed it while it was idle.
    var isAlive: Bool {
        // Read pending messages first, because the end of the stream comes after them.
        while isReady(POLLIN, milliseconds: 0) {
            if unsafe PQconsumeInput(connection) != 1 { return false }
        }
        return unsafe PQstatus(connection) == CONNECTION_OK
    }

    /// Runs all calls in one transaction; returns the result of each call after the commit.
    func run(_ calls: [Call]) throws(SessionFailure) -> [Rows] {
        for call in calls where !prepared.contains(call.statement) {
            // One at a time: a statement outlives the failure of a later one, and cannot be prepared again.
            try prepare(call.statement)
            _ = try finish(1)
            // The unnamed statement is prepared anew each time.
            if !call.statement.name.isEmpty { prepared.insert(call.statement) }
        }
        for call in calls { try send(call) }
        return try finish(calls.count)
    }

    /// Waits up to `milliseconds` for notifications (`NOTIFY`) of any session; returns all that arrived.
    func notifications(within milliseconds: Int64) throws(SessionFailure) -> [(backend: CInt, payload: String)] {
        var notifications = takeNotifications()
        if notifications.isEmpty, isReady(POLLIN, milliseconds: milliseconds) {
            guard unsafe PQconsumeInput(connection) == 1 else { throw failure(.noReply) }
            notifications = takeNotifications()
        }
        return notifications
    }

    private func takeNotifications() -> [(backend: CInt, payload: String)] {
        var notifications: [(backend: CInt, payload: String)] = []
        // SAFETY: this function owns each notification until it frees it; the text is copied before that.
        while let notification = unsafe PQnotifies(connection) {
            unsafe notifications.append((notification.pointee.be_pid, String(cString: notification.pointee.extra)))
            unsafe PQfreemem(notification)
        }
        return notifications
    }

    // MARK: - Sending

    private func prepare(_ statement: Statement) throws(SessionFailure) {
        // SAFETY: the strings live for the call; libpq copies them.
        guard unsafe PQsendPrepare(connection, statement.name, statement.sql, 0, nil) == 1 else { throw failure(.notSent) }
    }

    private func send(_ call: Call) throws(SessionFailure) {
        let parameters = call.parameters
        let count = parameters.values.count
        let sent = unsafe parameters.bytes.withUnsafeBufferPointer { buffer in
            // SAFETY: every pointer is into `buffer`, which lives for the call; libpq copies what it sends. A null means NULL, so
            // an empty value points at the name instead.
            unsafe call.statement.name.withCString { name in
                let values: [UnsafePointer<CChar>?] = unsafe parameters.values.map { range -> UnsafePointer<CChar>? in
                    guard let range else { return nil }
                    guard let start = buffer.baseAddress, !range.isEmpty else { return unsafe name }
                    return unsafe UnsafeRawPointer(start + range.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = parameters.values.map { CInt($0?.count ?? 0) }
                let formats = [CInt](repeating: 1, count: count)
                return unsafe PQsendQueryPrepared(connection, name, CInt(count), values, lengths, formats, 1)
            }
        }
        guard sent == 1 else { throw failure(.notSent) }
    }

    /// Ends the transaction, sends all pending messages and collects `count` results.
    private func finish(_ count: Int) throws(SessionFailure) -> [Rows] {
        // SAFETY: the handle is alive.
        guard unsafe PQpipelineSync(connection) == 1 else { throw failure(.notSent) }
        let deadline = Self.monotonicMilliseconds() + timeout
        try flush(until: deadline)
        var results: [Rows] = []
        var refusal: SessionFailure?
        while true {
            guard let result = unsafe try next(until: deadline) else {
                if Self.monotonicMilliseconds() > deadline { throw failure(.noReply) }
                continue
            }
            switch unsafe PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                unsafe PQclear(result)
                if let refusal { throw refusal }
                guard results.count == count else {
                    throw SessionFailure(kind: .noReply, message: "\(results.count) replies to \(count) statements")
                }
                return results
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: results.append(unsafe Rows(taking: result))
            case PGRES_PIPELINE_ABORTED: unsafe PQclear(result)
            default:
                if refusal == nil { refusal = unsafe Self.refusal(result) }
                unsafe PQclear(result)
                if unsafe PQstatus(connection) != CONNECTION_OK { throw failure(.noReply) }
            }
        }
    }

    private func flush(until deadline: Int64) throws(SessionFailure) {
        while true {
            switch unsafe PQflush(connection) {
            case 0: return
            case 1:
                let left = deadline - Self.monotonicMilliseconds()
                guard left > 0, isReady(POLLIN | POLLOUT, milliseconds: left) else {
                    throw SessionFailure(kind: .notSent, message: "the server does not read")
                }
                // It sends before it reads: by the time that the read fails, everything may have been sent.
                guard unsafe PQconsumeInput(connection) == 1 else { throw failure(.noReply) }
            default: throw failure(.notSent)
            }
        }
    }

    /// The next result; nil between the results of two statements.
    private func next(until deadline: Int64) throws(SessionFailure) -> OpaquePointer? {
        while unsafe PQisBusy(connection) == 1 {
            let left = deadline - Self.monotonicMilliseconds()
            guard left > 0, isReady(POLLIN, milliseconds: left) else {
                throw SessionFailure(kind: .noReply, message: "no reply within \(timeout) ms")
            }
            guard unsafe PQconsumeInput(connection) == 1 else { throw failure(.noReply) }
        }
        let result = unsafe PQgetResult(connection)
        if unsafe result == nil, unsafe PQstatus(connection) != CONNECTION_OK { throw failure(.noReply) }
        return unsafe result
    }

    // MARK: - The connection

    private func isReady(_ events: CInt, milliseconds: Int64) -> Bool {
        var descriptor = pollfd(fd: unsafe PQsocket(connection), events: Int16(events), revents: 0)
        // SAFETY: one descriptor, and it is a local.
        return unsafe poll(&descriptor, 1, CInt(clamping: milliseconds)) > 0
    }

    private func failure(_ kind: SessionFailure.Kind) -> SessionFailure {
        // SAFETY: libpq's text is copied at once.
        let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        return SessionFailure(kind: kind, message: Self.oneLine(text.isEmpty ? "the connection is closed" : text))
    }

    private static func refusal(_ result: OpaquePointer) -> SessionFailure {
        // SAFETY: libpq's texts are copied at once. 'C' and 'M' are PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
        let state = unsafe PQresultErrorField(result, 67).map { unsafe String(cString: $0) }
        let text = unsafe PQresultErrorField(result, 77).map { unsafe String(cString: $0) }
        guard let state else { return SessionFailure(kind: .noReply, message: text ?? "the connection broke") }
        return SessionFailure(kind: .server(state: state), message: text ?? "no message")
    }

    /// Joins the lines of a message, because each line of the operator's log is one message.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { String($0.drop { $0 == "\t" || $0 == " " }) }.joined(separator: "; ")
    }

    static func monotonicMilliseconds() -> Int64 { monotonicNanoseconds() / 1_000_000 }

    static func monotonicNanoseconds() -> Int64 { scheduling_nanoseconds(CLOCK_MONOTONIC) }

    /// Calls `body` with a null-terminated array of C strings, valid during the call.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        // SAFETY: each copy is freed after its only use.
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
