internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import EventLogSQLite
internal import Glibc

/// `auction-room backup`: copies a log that a server uses.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a SQLite log into a new directory while a server uses it, and checks the copy.",
        discussion: """
            The directory gets the log with everything that was acknowledged before the command was started, the pictures, the \
            secret that tokens are signed with, and a manifest with the SHA-256 of each file. Bids go on meanwhile. It appears \
            under its name when it is complete: DIR.partial is what an interrupted backup left. Exits 0 if the copy is whole, 1 \
            with what `verify` finds. For PostgreSQL use pg_dump or its write-ahead log: see the article Operations.
            """)

    @Option(help: ServeOption.store().help("The log to copy: `sqlite:PATH`.")) var store: String?
    @Option(help: "The directory to make; it must not exist.") var to: String

    func run() throws {
        try failing {
            let directory = try to.asDirectory(of: "to")
            let backup = SQLiteBackup(of: try Store.chosen(store).sqlitePath())
            // The server's threads first; above all while the copy is checked, which takes much more processor time.
            _ = nice(10)
            guard
                let made = try backup.write(
                    to: directory, program: ServiceVersion.current, at: SystemClock().now().wall.description, report: complain,
                    audit: { archive in
                        _ = nice(9)
                        return try Verify.findings(in: archive)
                    })
            else { throw ExitCode.failure }
            print("\(made.heads.count) rooms, \(made.events) events, \(made.bytes) bytes in \(directory)")
        }
    }
}

/// `auction-room restore`: makes a log from a backup.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a SQLite log from a backup, where there is none, and checks it first.",
        discussion: """
            Compares every file with the manifest, then runs the checks of `verify` on the copy, and only then gives it its name. \
            Exits 0 if the log is restored, 1 with what `verify` finds, 74 naming each file of the backup that is missing or was \
            changed. Afterwards start `serve` on the store.
            """)

    @Option(help: "The directory that `backup` made.") var from: String
    @Option(help: ServeOption.store().help("The log to make: `sqlite:PATH`.")) var store: String?

    func run() throws {
        try failing {
            let directory = try from.asDirectory(of: "from")
            let path = try Store.chosen(store).sqlitePath()
            guard let made = try SQLiteBackup(of: path).restore(from: directory, audit: Verify.findings) else {
                throw ExitCode.failure
            }
            print("\(made.heads.count) rooms, \(made.events) events restored, as of \(made.at)")
        }
    }
}

extension Store {
    /// The path of a SQLite log.
    fileprivate func sqlitePath() throws(ConfigurationError) -> String {
        switch self {
        case .sqlite(let path): return path
        case .postgres:
            throw ConfigurationError(
                "PostgreSQL has its own tools for this, pg_dump and pg_restore: see the article Operations")
        }
    }
}

extension String {
    /// The path of a directory without slashes at its end, as the option gives it.
    fileprivate func asDirectory(of option: String) throws(ConfigurationError) -> String {
        guard !isEmpty else { throw ConfigurationError("--\(option) must name a directory, not \"\"") }
        return try hasSuffix("/") && count > 1 ? String(dropLast()).asDirectory(of: option) : self
    }
}
