package import AuctionDomain
package import EventLog
import Synchronization

/// A log in a PostgreSQL database, for any number of nodes.
///
/// One session appends, a few read, one sends heartbeats, one listens and one sends notifications to other nodes. A broken session is replaced; an append
/// in flight then fails with `.outcomeUnknown`, and everything else works again as soon as the server can be reached.
package final class PostgresEventLog: SharedEventLog {
    /// How a log is opened.
    package struct Options: Sendable {
        /// Timeouts and other bounds.
        package var limits = PostgresLimits()
        /// Whether appends are validated by the server's clock (`LogTime`). Off only for copying old events and for tests.
        package var validatesTime = true
        /// Receives lines for an operator: progress, and what failed without loss of data. Called on the threads that use the log.
        package var report: @Sendable (String) -> Void = { _ in }
        /// Whether opening waits until all rooms are in the index by user; else `maintain` indexes them beside other work.
        var indexesUsersFirst = false
        /// Whether the index by user is emptied and made anew, because it is damaged.
        var rebuildsUserIndex = false

        package init() {}
    }

    let connector: Connector
    let options: Options
    let pool: SessionPool
    /// One session, because a heartbeat that waited for the reads of a busy node would look like an outage, which extends deadlines.
    let heartbeatPool: SessionPool
    let appender: Appender
    let notices: ChangeNotices
    private let storedPictures: PostgresPictures
    let clock = ServerClock()
    private let isClosed = Atomic<Bool>(false)
    /// Number of calls of `maintain`.
    private let calls = Atomic<Int>(0)
    private static let callsPerDeletion = 30
    private static let callsPerIndexing = 10
    let userIndexWalk = UserIndexWalk()

    /// Connects, creates or migrates the tables, and rejects a server whose commits are not durable.
    /// - Parameter url: `postgres://…` or another connection string of libpq, completed by libpq from environment and files.
    /// - Throws: `.unavailable` if the server cannot be reached or has unsuitable settings, or `.newerSchema`; the message names the
    ///   database.
    package init(_ url: String, options: Options = Options()) throws(EventLogError) {
        let connector = Connector(url: url, limits: options.limits)
        try Self.prepare(connector, report: options.report)
        self.connector = connector
        self.options = options
        pool = SessionPool(connector, count: options.limits.readers)
        heartbeatPool = SessionPool(connector, count: 1)
        appender = Appender(connector, validatesTime: options.validatesTime, clock: clock)
        notices = ChangeNotices(connector)
        storedPictures = PostgresPictures(connector)
        try appender.probe()
        if options.rebuildsUserIndex { try emptyUserIndex() }
        if options.indexesUsersFirst { userIndexWalk.isBuilt = buildUserIndex() }
    }

    private static func prepare(_ connector: Connector, report: (String) -> Void) throws(EventLogError) {
        let session = try EventLogError.translating("connect", in: connector.store) { () throws(SessionFailure) in
            try connector.connect(.longRunning)
        }
        try ServerSettings.check(session, store: connector.store)
        try Schema.migrate(session, store: connector.store, connector.limits, report: report)
    }

    /// Creates or migrates the tables, and fills the index by user for rooms that are not in it.
    /// - Parameters:
    ///   - rebuildsUserIndex: Whether that index is made anew, because it is damaged.
    ///   - report: See `Options.report`.
    /// - Returns: The schema version after the migration.
    /// - Throws: See `init`; `.unavailable` also if the index could not be filled, which the next call continues.
    package static func migrate(
        _ url: String, rebuildsUserIndex: Bool = false, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(EventLogError) -> Int {
        var options = Options()
        options.report = report
        options.indexesUsersFirst = true
        options.rebuildsUserIndex = rebuildsUserIndex
        let log = try PostgresEventLog(url, options: options)
        defer { log.close() }
        guard log.userIndexWalk.isBuilt else {
            throw EventLogError(
                .unavailable, "the index by user of \(log.connector.store) is not complete; run this command again")
        }
        return Schema.version
    }

    /// See `EventLog.append`. Notifies other nodes after the commit.
    package func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        if batch.isEmpty { return [] }
        let verdicts: [AppendVerdict]
        do throws(EventLogError) {
            verdicts = try appender.append(batch)
        } catch {
            // They may be in the log all the same.
            notices.feedSearch.missed()
            throw error
        }
        notices.appended(
            zip(batch, verdicts).compactMap { append, verdict in
                guard case .appended = verdict, !append.events.isEmpty else { return nil }
                return append.room
            })
        return verdicts
    }

    /// See `EventLog.save`. Written in order of room, so that two nodes that save the same rooms cannot deadlock.
    package func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) {
        if snapshots.isEmpty { return }
        let ordered = snapshots.sorted { ($0.room, $0.seq) < ($1.room, $1.seq) }
        try using("save a snapshot") { session throws(SessionFailure) in
            _ = try session.run(
                [Call(Statements.asynchronousCommit)]
                    + ordered.map { Call(Statements.saveSnapshot, $0.room.description, $0.seq, $0.bytes) })
        }
    }

    /// See `EventLog.deleteResponses`.
    package func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        if limit <= 0 { return 0 }
        return try using("delete old answers") { session throws(SessionFailure) in
            let call = Call(Statements.deleteResponses, cutoff, limit)
            return try session.run([Call(Statements.asynchronousCommit), call])[1][0].integer(0)
        }
    }

    /// See `EventLog.discardResponses`. Nodes may name the same positions: rows that another one is deleting are skipped, so that they do
    /// not wait for each other.
    package func discardResponses(at positions: [Int64]) throws(EventLogError) {
        if positions.isEmpty { return }
        try using("discard answers") { session throws(SessionFailure) in
            let call = Call(Statements.discardResponses) {
                $0.add(positions)
                $0.add(StoredResponse.smallBytes)
            }
            _ = try session.run([Call(Statements.asynchronousCommit), call])
        }
    }

    /// On every 30th call, deletes expired tickets and revocations, and nodes and settled outages older than a day. Autovacuum does the
    /// rest. Each call continues an index by user that was emptied; after the first pass every 10th call looks for rooms that it left out.
    package func maintain() throws(EventLogError) {
        try guardOpen()
        let call = calls.add(1, ordering: .relaxed).newValue
        if !userIndexWalk.isBuilt {
            userIndexWalk.isBuilt = buildUserIndex(within: options.limits.indexingMilliseconds)
        } else if call % Self.callsPerIndexing == 0 {
            try continueUserIndex()
        }
        try deleteArchivedParticipations()
        guard call % Self.callsPerDeletion == 1 else { return }
        try using("delete expired rows") { session throws(SessionFailure) in
            _ = try session.run([Call(Statements.asynchronousCommit)] + SharedStateStatements.deleteExpired.map { Call($0) })
        }
    }

    /// Throws if the server cannot be reached, does not accept writes or is no longer durable.
    package func probe() throws(EventLogError) { try appender.probe() }

    /// True: broken sessions are replaced.
    package var recoversFromFailures: Bool { true }

    /// Closes all sessions; waits for the notification thread. Idempotent.
    package func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        notices.close()
        appender.close()
        pool.close()
        heartbeatPool.close()
        storedPictures.close()
    }

    /// See `EventLog.pictures`: in the same database, on sessions of their own.
    package var pictures: any PictureStore { storedPictures }

    // MARK: - Guards

    /// Runs `body` on a session, a second time if the first session broke, so `body` must be idempotent.
    /// - Parameter sessions: nil for those that read.
    func using<Result>(
        _ action: String, of sessions: SessionPool? = nil, _ body: (Session) throws(SessionFailure) -> Result
    ) throws(EventLogError) -> Result {
        try guardOpen()
        return try (sessions ?? pool).use(action, body)
    }

    func guardOpen() throws(EventLogError) {
        if isClosed.load(ordering: .acquiring) {
            throw EventLogError(.unavailable, "the log \(connector.store) has been closed")
        }
    }
}
