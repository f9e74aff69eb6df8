internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite

/// `auction-room prune`: deletes old archived rooms from a log.
struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes archived rooms in which nothing has happened for some days.",
        discussion: """
            Stop a server on SQLite first; nodes on PostgreSQL may run. With --retain-archived-days a server does the same by itself. A room is deleted whole: events, results, members, \
            stored responses. What webhooks have not got yet stays, except for those paused for longer, as do the newest room, the room of the newest event, and all pictures. Afterwards the room is not found (404), and a cursor of the feed from before \
            a deleted event is refused (410). Prints a line per room. With --dry-run nothing is deleted. Nothing brings the rooms back but a backup.
            """)
    private static let days = 1...36_500
    private static let roomsPerStep = 256

    @Option(help: ServeOption.store().help("The event log.")) var store: String?
    @Option(help: "Only rooms whose last event is older than so many days.") var archivedBeforeDays: Int
    @Flag(help: "Only shows which rooms would be deleted.") var dryRun = false

    func run() throws {
        try failing {
            guard Self.days.contains(archivedBeforeDays) else {
                throw ConfigurationError("--archived-before-days must be from 1 to \(Self.days.upperBound)")
            }
            try prune(Store.chosen(store))
        }
    }

    private func prune(_ store: Store) throws {
        try store.requireLog()
        switch store {
        case .sqlite(let path):
            let log = try SQLiteEventLog(path: path) { complain($0) }
            defer { log.close() }
            try prune(log)
        case .postgres(let url):
            var options = PostgresEventLog.Options()
            options.report = { complain($0) }
            let log = try PostgresEventLog(url, options: options)
            defer { log.close() }
            try prune(log)
        }
    }

    private func prune(_ log: any RoomPruning) throws(EventLogError) {
        let rule = try PruningRule(days: archivedBeforeDays, at: SystemClock().now().wall, log, voiceIsOn: false)
        // What a crash has left is moved to its place, where it is found.
        try log.maintain()
        var pass = PruningPass()
        while !pass.isAtEnd {
            for room in try pass.step(rule, on: log, limit: Self.roomsPerStep, isDryRun: dryRun) { print(room) }
            if dryRun { continue }
            while try log.deletePrunedRows() {}
        }
        let result = pass.result
        if result.unread > 0 { print("\(result.unread) rooms stay until webhooks have got their events") }
        if result.damaged > 0 { print("\(result.damaged) rooms stay because events are missing: see `auction-room verify`") }
        print("\(result.rooms) rooms, \(result.events) events \(dryRun ? "would be deleted" : "deleted")")
    }
}
