import EventLog
import Glibc

/// Copies a database that another process writes to, by SQLite's backup interface, without delaying that process.
///
/// All pages are read in one transaction: by itself the interface begins anew after every commit of another process. The write-ahead log
/// grows meanwhile, because its pages are still being read.
struct DatabaseCopy {
    let source: String
    let target: String
    /// The log whose lock a server takes before it opens the database.
    private let log: String

    /// Pages per step, so that the disk is free between two steps: a quarter of a mebibyte of a log.
    private static let pagesPerStep: CInt = 64
    /// Least pause between two steps; a step that took longer is followed by as long a pause.
    private static let leastPause = Duration.milliseconds(10)

    /// How often the copy is begun.
    private static let attempts = 10
    /// Pause before it is begun again: SQLite checks every tenth of a second whether a reader has ended, and the server that
    /// starts has to notice it before the copy reads again.
    private static let pauseOfAttempts = Duration.seconds(2)

    /// A server has started since the copy began.
    private struct ServerStarted: Error {}

    init(from source: String, to target: String, log: String) {
        (self.source, self.target, self.log) = (source, target, log)
    }

    /// Copies everything that is durable now. A server that starts needs the write-ahead log for itself: the copy is begun anew.
    /// - Parameter report: Receives a line when that happens.
    /// - Throws: `.busy` also if servers start again and again.
    func run(_ report: (String) -> Void) throws(EventLogError) {
        try EventLogError.translating("back up", path: source) {
            for attempt in 1...Self.attempts {
                do {
                    return try copy()
                } catch is ServerStarted {
                    report(
                        "a server was started, so the copy of \(source) begins anew (\(attempt) of at most \(Self.attempts) times)"
                    )
                    Self.pause(Self.pauseOfAttempts)
                }
            }
            throw EventLogError(.busy, "a server was started \(Self.attempts) times while the log was copied; try again")
        }
    }

    private func copy() throws {
        let started = LockFile.changed(of: log)
        let file = try PrivateFile(creating: target)
        let from = try Connection(source, Connections.reader)
        let to = try Connection(target, ConnectionSettings(setup: "PRAGMA synchronous = OFF"))
        try from.snapshot {
            // A transaction begins to read with its first query.
            _ = try from.long("SELECT count(*) FROM sqlite_schema")
            var begun = ContinuousClock.now
            try from.copy(to: to, pagesPerStep: Self.pagesPerStep) {
                guard LockFile.changed(of: log) == started else { throw ServerStarted() }
                // In small portions: a sync of much at once would delay those of the server.
                try file.sync()
                Self.pause(max(ContinuousClock.now - begun, Self.leastPause))
                begun = .now
            }
        }
        // A copy that is only read needs no write-ahead log beside it.
        try to.execute("PRAGMA journal_mode = DELETE")
        try file.sync()
    }

    private static func pause(_ duration: Duration) {
        usleep(useconds_t(clamping: Int64(duration / .microseconds(1))))
    }
}
