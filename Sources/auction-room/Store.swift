internal import AuctionServer
internal import EventLog
internal import EventLogSQLite
internal import Foundation

/// Where the events are kept, as `--store` names it.
enum Store {
    case sqlite(path: String)
    case memory

    static var setting: Setting<Store> {
        Setting(
            option: "store", variable: Setting<Store>.variable(for: "store"), fallback: Store.sqlite(path: "./data/rooms.db"),
            parse: Store.init, expected: "sqlite:PATH or memory:")
    }

    init?(_ text: String) {
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix("sqlite:"), text.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else {
            return nil
        }
    }

    func open() throws(EventLogError) -> any EventLog {
        switch self {
        case .sqlite(let path): try SQLiteEventLog(path: path)
        case .memory: InMemoryEventLog()
        }
    }

    /// The secret in `file`; if that is empty, the one beside the data.
    func secret(file: String) throws(ServerError) -> [UInt8] {
        guard file.isEmpty else { return try TokenSecret.load(from: file, creating: false) }
        switch self {
        case .sqlite(let path): return try TokenSecret.load(from: path + ".token-secret", creating: true)
        case .memory: return TokenSecret.random()
        }
    }
}
