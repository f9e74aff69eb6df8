public import AuctionDomain
public import EventLog
import Synchronization

/// A log in a PostgreSQL database, for any number of nodes.
///
/// One session appends, a few read, one listens and one tells other nodes what was appended. A session that breaks is replaced;
/// what was on its way then is `.outcomeUnknown`, and everything else goes on as soon as the server is back.
public final class PostgresEventLog: SharedEventLog {
    /// How a log is opened.
    public struct Options: Sendable {
        public var limits = PostgresLimits()
        /// Whether appends are judged by the server's clock. Off only for copies of what happened long ago, and for tests.
        public var judgesTime = true

        public init() {}
    }

    let connector: Connector
    let options: Options
    let pool: SessionPool
    let appender: Appender
    let notifier: Notifier
    let listener: Listener
    let clock = ServerClock()
    private let isClosed = Atomic<Bool>(false)
    /// How often `maintain` was called.
    private let calls = Atomic<Int>(0)
    private static let callsPerForgetting = 30

    /// Connects, makes or migrates the tables, and refuses a server whose commits are not durable.
    /// - Parameter url: `postgres://…` or what else libpq reads, with everything that libpq adds from its environment.
    /// - Throws: `.unavailable` if the server cannot be reached or must not be used, `.newerSchema`; naming it.
    public init(_ url: String, options: Options = Options()) throws(EventLogError) {
        let connector = Connector(url: url, limits: options.limits)
        try Self.prepare(connector)
        self.connector = connector
        self.options = options
        pool = SessionPool(connector, count: options.limits.readers)
        appender = Appender(connector, judgesTime: options.judgesTime, clock: clock)
        notifier = Notifier(connector)
        listener = Listener(connector, ignoring: notifier)
        try appender.probe()
    }

    private static func prepare(_ connector: Connector) throws(EventLogError) {
        let session: Session
        do throws(SessionFailure) {
            session = try connector.connect(.longRunning)
        } catch {
            throw EventLogError(error, while: "connect", in: connector.store)
        }
        try ServerSettings.check(session, store: connector.store)
        try Schema.migrate(session, store: connector.store)
    }

    /// Makes the tables or brings them up to date.
    /// - Returns: The version that they have now.
    public static func migrate(_ url: String) throws(EventLogError) -> Int {
        try prepare(Connector(url: url, limits: PostgresLimits()))
        return Schema.version
    }

    public func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if batch.isEmpty { return [] }
        let verdicts = try appender.append(batch)
        notifier.advanced(
            zip(batch, verdicts).compactMap { append, verdict in
                guard case .appended = verdict, !append.events.isEmpty else { return nil }
                return append.room
            })
        return verdicts
    }

    /// In the order of the rooms, so that two nodes that save the same ones do not wait for each other in a circle.
    public func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        if snapshots.isEmpty { return }
        let ordered = snapshots.sorted { ($0.room, $0.seq) < ($1.room, $1.seq) }
        try using("save a snapshot") { session throws(SessionFailure) in
            _ = try session.run(
                [Call(Statements.relaxed)]
                    + ordered.map { snapshot in
                        Call(Statements.saveSnapshot) {
                            $0.add(snapshot.room.description)
                            $0.add(snapshot.seq)
                            $0.add(snapshot.bytes)
                        }
                    })
        }
    }

    public func deleteAnswers(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        if limit <= 0 { return 0 }
        return try using("delete old answers") { session throws(SessionFailure) in
            let call = Call(Statements.deleteAnswers) {
                $0.add(cutoff)
                $0.add(limit)
            }
            return try session.run([Call(Statements.relaxed), call])[1][0].integer(0)
        }
    }

    /// Forgets what is over: tickets, revocations, nodes that have not been heard of for a day. Autovacuum does the rest.
    public func maintain() throws(EventLogError) {
        try guardOpen()
        guard calls.add(1, ordering: .relaxed).oldValue % Self.callsPerForgetting == 0 else { return }
        try using("forget what is over") { session throws(SessionFailure) in
            _ = try session.run([Call(Statements.relaxed)] + NodeStatements.forget.map { Call($0) })
        }
    }

    public func probe() throws(EventLogError) { try appender.probe() }

    public var outlivesFailures: Bool { true }

    public func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        notifier.close()
        listener.close()
        appender.close()
        pool.close()
    }

    // MARK: - Guards

    /// Runs something that may be run twice on one of the sessions that read.
    func using<Result>(
        _ action: String, _ body: (Session) throws(SessionFailure) -> Result
    ) throws(EventLogError) -> Result {
        try guardOpen()
        do throws(SessionFailure) {
            return try pool.use(body)
        } catch {
            let told = EventLogError(error, while: action, in: connector.store)
            // Whether something was appended is the appender's question alone.
            throw told.code == .outcomeUnknown ? EventLogError(.unavailable, told.message) : told
        }
    }

    func guardOpen() throws(EventLogError) {
        if isClosed.load(ordering: .acquiring) {
            throw EventLogError(.unavailable, "the log \(connector.store) has been closed")
        }
    }
}
