internal import ArgumentParser
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import EventLogSQLite

/// `auction-room pictures`: shows what is uploaded, and removes pictures.
struct Pictures: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows how many pictures each user uploaded, and removes pictures for good, also while servers run.",
        discussion: """
            Prints a line per user, those with the most bytes first; with --user or --picture a line per picture; with --remove these are \
            removed. Bytes are those that count for the user's limit. A removed picture is not found within a minute (404), lots keep its \
            address, and an upload of the same file is refused; copies in clients and in backups stay. Each removal is a line with its \
            time, and stays in the store as a record, which --picture shows. Of a user's pictures those that others uploaded too stay.
            With --unnamed it prints the pictures that no event of any room names, such as those of rooms that were deleted; those that were uploaded within the last day are left out. \
            With --remove these are deleted, and can be uploaded again; stop the servers first.
            """)

    @OptionGroup var options: ArchiveOptions

    @Option(help: "Only what this user uploaded.") var user: String?
    @Option(help: "Only this picture: its address, or the last part of it.") var picture: String?
    @Flag(help: "Only what no event of any room names.") var unnamed = false
    @Flag(help: "Removes the pictures.") var remove = false

    func run() throws {
        try failing {
            let user = try user.map { text throws(ConfigurationError) in
                guard let id = UserID(text) else { throw ConfigurationError("--user \(text) is no user's id") }
                return id
            }
            let picture = try picture.map { text throws(ConfigurationError) in
                guard let id = PictureID(path: text) ?? PictureID(text) else {
                    throw ConfigurationError("--picture \(text) is no picture's address")
                }
                return id
            }
            if unnamed {
                guard user == nil, picture == nil else {
                    throw ConfigurationError("--unnamed is for the pictures of all users: leave out --user and --picture")
                }
                return try UnnamedPictures.run(Store.chosen(options.store), removing: remove)
            }
            guard let stored = try Store.chosen(options.store).pictures(writing: remove) else { return }
            if user == nil, picture == nil {
                if remove { throw ConfigurationError("--remove needs --user, --picture or --unnamed") }
                return try printUsers(of: stored)
            }
            var count = 0
            try stored.forEachRecord { record throws(EventLogError) in
                guard picture == nil || record.id == picture else { return }
                guard user == nil || record.uploads.contains(where: { $0.user == user }) else { return }
                if remove { count += try Self.remove(record, of: user, from: stored) ? 1 : 0 } else { print(record.line) }
            }
            if remove { print("\(count) pictures removed") }
        }
    }

    private func printUsers(of stored: any PictureStore) throws(EventLogError) {
        var users: [UserID: (pictures: Int, bytes: Int, last: Timestamp)] = [:]
        var removed = 0
        try stored.forEachRecord { record throws(EventLogError) in
            removed += record.removedAt == nil ? 0 : 1
            for upload in record.uploads {
                let sum = users[upload.user] ?? (0, 0, upload.at)
                let bytes = sum.bytes.addingSaturated(record.bytes).addingSaturated(PictureUpload.overheadBytes)
                users[upload.user] = (sum.pictures + 1, bytes, max(sum.last, upload.at))
            }
        }
        for (user, sum) in users.sorted(by: { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }) {
            print("\(user): \(sum.pictures) pictures, \(sum.bytes) bytes, the last at \(sum.last)")
        }
        print("\(users.count) users, \(removed) pictures removed by an operator")
    }

    /// - Parameter user: whose pictures are removed, unless others uploaded them too; nil: of all users.
    private static func remove(
        _ record: PictureRecord, of user: UserID?, from stored: any PictureStore
    ) throws(EventLogError) -> Bool {
        if let user, record.uploads.contains(where: { $0.user != user }) {
            print("stays, as others uploaded it too: \(record.line)")
            return false
        }
        let now = SystemClock().now().wall
        guard try stored.remove(record.id, at: now) else { return false }
        print("\(now) removed \(record.line)")
        return true
    }
}

extension PictureRecord {
    /// What an operator may want to know of it.
    fileprivate var line: String { line(isKept ? "named by an item or lot" : "not named yet") }

    /// - Parameter naming: Whether an event names it, in words.
    func line(_ naming: String) -> String {
        if let removedAt { return "\(id.path): removed at \(removedAt)" }
        let places = uploads.map { "by \($0.user) in \($0.room)" }.joined(separator: ", ")
        return "\(id.path): \(bytes) bytes, \(naming), \(places)"
    }
}

extension Store {
    /// The pictures of the log, also while servers use it; nil if it has none.
    fileprivate func pictures(writing: Bool) throws -> (any PictureStore)? {
        // Also checks that there is a log.
        let archived = try archive(newest: writing).storedPictures
        guard writing, case .sqlite(let path) = self else { return archived }
        return SQLiteEventLog.pictures(beside: path)
    }
}
