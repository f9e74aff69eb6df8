internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite
internal import FoundationEssentials

/// What `--store` names.
enum ChosenStore {
    case kept(Store)
    /// `memory:`: a SQLite log in a folder of its own, which is removed at exit.
    case temporary

    init?(_ text: String) {
        if text == "memory:" {
            self = .temporary
        } else if let store = Store(text) {
            self = .kept(store)
        } else {
            return nil
        }
    }
}

/// An event log that the program opens.
enum Store {
    case sqlite(path: String)
    case postgres(url: String)

    /// The store that the option, its variable or the default names, with its password.
    /// - Throws: `ConfigurationError` also for `memory:`, which no other process can open.
    static func chosen(_ given: String?, _ option: ServeOption = .store()) throws(ConfigurationError) -> Store {
        var settings = Settings()
        try option.apply(given, to: &settings)
        try ServeOption.storePasswordFile.apply(nil, to: &settings)
        guard case .kept(let store) = settings.store else {
            throw ConfigurationError("--\(option.name) must not be memory:, which only `serve` can use")
        }
        return try store.adding(passwordFile: settings.storePasswordFile)
    }

    /// Checks that there is a log before it is opened for writing, which would create one: also at a path that is mistyped.
    func requireLog() throws(EventLogError) {
        switch self {
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw EventLogError(.unavailable, "there is no log \(path)")
            }
        case .postgres(let url): try PostgresEventLog.requireLog(url)
        }
    }

    /// Calls `body` with a SQLite log in a new folder, which is removed afterwards.
    static func withTemporary(_ body: (Store) throws -> Void) throws {
        try withTemporaryFolder { folder in try body(.sqlite(path: folder + "/rooms.db")) }
    }

    /// Adds the password in a file to the URL, unless that has a password. A file keeps the password off the process list and out of
    /// the environment, and unlike libpq's password file it may have any owner and mode.
    fileprivate func adding(passwordFile path: String) throws(ConfigurationError) -> Store {
        if path.isEmpty { return self }
        let bytes = try contents(of: path, "the store's password")
        guard (1...Self.limitPasswordBytes).contains(bytes.count),
            let text = String(validating: bytes, as: UTF8.self)?.trimming(\.isNewline), !text.isEmpty,
            !text.contains(where: \.isNewline)
        else { throw ConfigurationError("the store's password \(path) must be one line of at most 1,000 bytes") }
        // Of two passwords libpq uses the last one.
        guard case .postgres(let url) = self, ConnectionText(url)?.hasPassword == false else { return self }
        return .postgres(url: url + (url.contains("?") ? "&" : "?") + "password=" + Self.percentEncoded(text))
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            encoded += isPlain ? String(character) : "%" + [byte].hexadecimal
        }
    }

    /// The longest password that PostgreSQL accepts.
    private static let limitPasswordBytes = 1000

    init?(_ text: String) {
        if text.hasPrefix("sqlite:"), text.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
        } else {
            return nil
        }
    }

    /// - Parameters:
    ///   - validatesTime: whether a log with a clock of its own checks the times of appended events against it.
    ///   - report: receives lines for an operator.
    func open(
        validatesTime: Bool = true, report: @escaping @Sendable (String) -> Void = { complain($0) }
    ) throws(EventLogError) -> any EventLog {
        switch self {
        case .sqlite(let path): return try SQLiteEventLog(path: path, report: report)
        case .postgres(let url):
            var options = PostgresEventLog.Options()
            options.validatesTime = validatesTime
            options.report = report
            return try PostgresEventLog(url, options: options)
        }
    }

    /// The token secret beside the open SQLite log, or in a shared log; created if there is none.
    ///
    /// The log has to be open: of two processes that start on a new directory, only the one that has its lock may make a secret. A start
    /// without a log leaves none behind.
    func secret(of log: any EventLog) throws -> [UInt8] {
        if case .sqlite = self { return try TokenSecret.load(from: secretPath, creating: true) }
        guard let shared = log as? any SharedEventLog else { return TokenSecret.random() }
        return try shared.secret(named: "token", orCreate: TokenSecret.random())
    }

    /// The source of service time.
    func clock(_ log: any EventLog) throws(EventLogError) -> any ServiceClock {
        guard case .postgres = self, let shared = log as? any SharedEventLog else {
            return MachineServiceClock(newest: try log.newestEventTime(), jumps: ClockJumps(try log.clockJumps()))
        }
        return SharedClock(shared)
    }

    /// Path of the secret of a SQLite log; empty for other logs.
    var secretPath: String {
        if case .sqlite(let path) = self { path + ".token-secret" } else { "" }
    }
}

extension Settings {
    /// Calls `body` with the store, with the password from its file if that is set. A temporary store is removed afterwards.
    func withStore(_ body: (Store) throws -> Void) throws {
        switch store {
        case .kept(let store): try body(try store.adding(passwordFile: storePasswordFile))
        case .temporary: try Store.withTemporary { store in try body(try store.adding(passwordFile: storePasswordFile)) }
        }
    }
}
