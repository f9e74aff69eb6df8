internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite
internal import Foundation

/// Where the events are kept, as `--store` names it.
enum Store {
    case sqlite(path: String)
    case postgres(url: String)
    case memory

    static var setting: Setting<Store> { setting("store") }

    static func setting(_ option: String) -> Setting<Store> {
        Setting(
            option: option, variable: Setting<Store>.variable(for: option),
            fallback: Store.sqlite(path: "./data/rooms.db"), parse: Store.init,
            expected: "sqlite:PATH, postgres://… or memory:")
    }

    /// The store that an option, a variable or the default names, with the password from the file that is named for it.
    static func chosen(
        _ given: String?, _ setting: Setting<Store> = setting, passwordFile: String? = nil
    ) throws(ConfigurationError) -> Store {
        try setting.value(given).adding(passwordFile: Setting.text("store-password-file", default: "").value(passwordFile))
    }

    /// A password in a file stays off the process list and out of the environment, and the file may have any owner and mode,
    /// which libpq's own does not allow.
    private func adding(passwordFile path: String) throws(ConfigurationError) -> Store {
        if path.isEmpty { return self }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("the store's password \(path) cannot be read")
        }
        guard (1...Self.limitPasswordBytes).contains(data.count),
            let text = String(bytes: data, encoding: .utf8)?.trimmingCharacters(in: .newlines), !text.isEmpty,
            !text.contains(where: \.isNewline), let password = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { throw ConfigurationError("the store's password \(path) must be one line of at most 1,000 bytes") }
        guard case .postgres(let url) = self else { return self }
        return .postgres(url: url + (url.contains("?") ? "&" : "?") + "password=" + password)
    }

    /// What PostgreSQL takes.
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

    /// - Parameter judgesTime: Whether a log that has a clock judges appends by it.
    func open(judgesTime: Bool = true) throws(EventLogError) -> any EventLog {
        switch self {
        case .sqlite(let path): return try SQLiteEventLog(path: path)
        case .postgres(let url):
            var options = PostgresEventLog.Options()
            options.judgesTime = judgesTime
            return try PostgresEventLog(url, options: options)
        case .memory: return InMemoryEventLog()
        }
    }

    /// The secret in `file`; if that is empty, the one beside the data. Nil if the log itself keeps it; see `secret(in:)`.
    func secret(file: String) throws -> [UInt8]? {
        guard file.isEmpty else { return try TokenSecret.load(from: file, creating: false) }
        return switch self {
        case .sqlite: try TokenSecret.load(from: secretPath, creating: true)
        case .memory: TokenSecret.random()
        case .postgres: nil
        }
    }

    /// The secret that nodes share through their log; made by the first of them.
    func secret(in log: any EventLog) throws -> [UInt8] {
        guard let shared = log as? any SharedEventLog else { return TokenSecret.random() }
        return try shared.secret(named: "token", orCreate: TokenSecret.random())
    }

    /// The service's time.
    func clock(_ log: any EventLog) throws(EventLogError) -> any ServiceClock {
        guard case .postgres = self, let shared = log as? any SharedEventLog else {
            return MachineServiceClock(newest: try log.newestEventTime(), jumps: ClockJumps(try log.clockJumps()))
        }
        return SharedClock(shared)
    }

    /// Where the secret of a SQLite log is.
    var secretPath: String {
        if case .sqlite(let path) = self { path + ".token-secret" } else { "" }
    }
}

extension ExitCode {
    /// By what the log said; a database that cannot be reached is not a log that failed.
    static func of(_ error: EventLogError, _ store: Store?) -> ExitCode {
        if case .postgres = store, error.code == .unavailable { return .unavailable }
        return error.code == .locked ? .unavailable : .ioError
    }
}
