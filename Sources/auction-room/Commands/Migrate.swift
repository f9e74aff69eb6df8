internal import ArgumentParser
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite

/// `auction-room migrate`: creates or updates the tables of a log.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the tables of a log, or brings them up to date.",
        discussion: """
            `serve` does the same when it starts; this is for those who let another role do it, before nodes of a newer version \
            start. Any number may run at once. It fails if the index by user could not be completed, which `serve` only reports.
            """)

    @Option(help: ServeOption.store().help("The event log: `postgres://…` or `sqlite:PATH`."))
    var store: String?

    @Flag(help: "Makes the index by user anew, from the events, if it is damaged. Stop the servers first.")
    var rebuildUserIndex = false

    func run() throws {
        try failing {
            switch try Store.chosen(store) {
            case .postgres(let url):
                let version = try PostgresEventLog.migrate(url, rebuildsUserIndex: rebuildUserIndex) { complain($0) }
                print("the tables have version \(version)")
            case .sqlite(let path):
                try SQLiteEventLog.migrate(path, rebuildsUserIndex: rebuildUserIndex) { complain($0) }
                print("the file is up to date")
            }
        }
    }
}
