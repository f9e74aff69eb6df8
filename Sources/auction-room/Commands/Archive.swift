internal import ArgumentParser
internal import AuctionDomain
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite
internal import Foundation

extension Store {
    /// Opens the store read-only and without a lock, so that a server may use it at the same time.
    func archive() throws -> any LogArchive {
        switch self {
        case .sqlite(let path): return try SQLiteArchive(path: path)
        case .postgres(let url): return try PostgresArchive(url)
        case .memory: throw ConfigurationError("memory: keeps nothing that another process could read")
        }
    }
}

/// The option for the log that a command reads.
struct ArchiveOptions: ParsableArguments {
    @Option(help: ServeOption.store().help("The event log: `sqlite:PATH` or `postgres://…`."))
    var store: String?

    /// Calls `body` with the archive; prints an error as one line and exits with its code.
    func reading(_ body: (any LogArchive) throws -> Void) throws {
        try failing { try body(try Store.chosen(store).archive()) }
    }
}
