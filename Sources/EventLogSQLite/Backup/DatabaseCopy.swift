import EventLog
import Foundation
import GRDB

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
    private static let leastPause = 0.01

    /// How often the copy is begun.
    private static let attempts = 10
    /// Pause before it is begun again, in seconds: SQLite looks for the end of a reader every tenth of a second, and the server that
    /// starts has to see it before the copy reads again.
    private static let pauseOfAttempts = 2.0

    /// A server has started since the copy began.
    private struct ServerStarted: Error {}

    init(from source: String, to target: String, log: String) {
        (self.source, self.target, self.log) = (source, target, log)
    }

    /// Copies everything that is durable now. A server that starts needs the write-ahead log for itself: the copy is begun anew.
    /// - Throws: `.busy` also if servers start again and again.
    func run() throws(EventLogError) {
        try EventLogError.translating("back up", path: source) {
            for _ in 0..<Self.attempts {
                do { return try copy() } catch is ServerStarted { Thread.sleep(forTimeInterval: Self.pauseOfAttempts) }
            }
            throw EventLogError(.busy, "a server was started \(Self.attempts) times while the log was copied; try again")
        }
    }

    private func copy() throws {
        let started = LockFile.changed(of: log)
        let file = try PrivateFile.create(target)
        let from = try DatabaseQueue(path: source, configuration: Connections.reader)
        let to = try DatabaseQueue(path: target, configuration: Self.unsynced)
        try from.unsafeRead { database in
            try database.inTransaction {
                // A transaction begins to read with its first query.
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
                try to.writeWithoutTransaction { copy in
                    var begun = ContinuousClock.now
                    try database.backup(to: copy, pagesPerStep: Self.pagesPerStep) { progress in
                        if progress.isCompleted { return }
                        guard LockFile.changed(of: log) == started else { throw ServerStarted() }
                        // In small portions: a sync of much at once would delay those of the server.
                        try file.synchronize()
                        let took = Double((ContinuousClock.now - begun) / .milliseconds(1)) / 1000
                        Thread.sleep(forTimeInterval: max(took, Self.leastPause))
                        begun = .now
                    }
                }
                return .commit
            }
        }
        // A copy that is only read needs no write-ahead log beside it.
        try to.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        try from.close()
        try to.close()
        try LogFile.sync(target)
    }

    private static var unsynced: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return configuration
    }
}
