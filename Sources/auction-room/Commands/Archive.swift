internal import ArgumentParser
internal import AuctionDomain
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite

extension Store {
    /// Opens the store read-only and without a lock, so that a server may use it at the same time.
    /// - Parameter newest: whether a standby of PostgreSQL, which may lag behind and rejects writes, does not suffice.
    func archive(newest: Bool = false) throws -> any LogArchive {
        switch self {
        case .sqlite(let path): return try SQLiteArchive(path: path)
        case .postgres(let url): return try PostgresArchive(url, newest: newest)
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
