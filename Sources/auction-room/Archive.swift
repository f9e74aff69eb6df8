internal import ArgumentParser
internal import AuctionDomain
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite
internal import Foundation

extension Store {
    /// The store as an auditor reads it: nothing is locked, so a server may run on it.
    func archive() throws -> any LogArchive {
        switch self {
        case .sqlite(let path): return try SQLiteArchive(path: path)
        case .postgres(let url): return try PostgresArchive(url)
        case .memory: throw ConfigurationError("memory: keeps nothing that another process could read")
        }
    }
}

/// Which log a command reads, and how it fails.
struct ArchiveOptions: ParsableArguments {
    @Option(help: .setting("store", "The event log: sqlite:PATH or postgres://….", default: "sqlite:./data/rooms.db"))
    var store: String?

    /// Runs something on the archive; what goes wrong is one line and an exit code.
    func reading(_ body: (any LogArchive) throws -> Void) throws {
        do {
            try body(try Store.chosen(store).archive())
        } catch let error as ConfigurationError {
            complain(error.description)
            throw ExitCode.configuration
        } catch let error as EventLogError {
            complain(error.description)
            throw error.code == .unavailable ? ExitCode.unavailable : ExitCode.ioError
        }
    }
}
