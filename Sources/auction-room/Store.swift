internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite
internal import Foundation

/// The event log that `--store` names.
enum Store {
    case sqlite(path: String)
    case postgres(url: String)
    case memory

    /// The store that the option, its variable or the default names, with its password.
    static func chosen(_ given: String?, _ option: ServeOption = .store()) throws(ConfigurationError) -> Store {
        var settings = Settings()
        try option.apply(given, to: &settings)
        try ServeOption.storePasswordFile.apply(nil, to: &settings)
        return try settings.storeWithPassword()
    }

    /// Adds the password in a file to the URL, unless that has a password. A file keeps the password off the process list and out of
    /// the environment, and unlike libpq's password file it may have any owner and mode.
    fileprivate func adding(passwordFile path: String) throws(ConfigurationError) -> Store {
        if path.isEmpty { return self }
        let bytes = try contents(of: path, "the store's password")
        guard (1...Self.limitPasswordBytes).contains(bytes.count),
            let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .newlines), !text.isEmpty,
            !text.contains(where: \.isNewline), let password = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { throw ConfigurationError("the store's password \(path) must be one line of at most 1,000 bytes") }
        // Of two passwords libpq uses the last one.
        guard case .postgres(let url) = self, ConnectionText(url)?.hasPassword == false else { return self }
        return .postgres(url: url + (url.contains("?") ? "&" : "?") + "password=" + password)
    }

    /// The longest password that PostgreSQL accepts.
    private static let limitPasswordBytes = 1000

    init?(_ text: String) {
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix("sqlite:"), text.count > 7 {
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
        case .memory: return InMemoryEventLog()
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
    /// The store, with the password from its file if that is set.
    func storeWithPassword() throws(ConfigurationError) -> Store { try store.adding(passwordFile: storePasswordFile) }
}
