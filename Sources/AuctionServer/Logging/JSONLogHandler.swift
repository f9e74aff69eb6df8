internal import AuctionDomain
internal import EventLog
internal import ExactJSON
package import Logging

/// Writes one JSON object per line: `time`, `level`, `message`, then the metadata as strings.
package struct JSONLogHandler: LogHandler {
    /// Names of the fixed members, which metadata cannot override.
    private static let own: Set<String> = ["time", "level", "message"]

    /// Lowest level that is written.
    package var logLevel = Logger.Level.info
    /// Metadata added to every line.
    package var metadata: Logger.Metadata = [:]
    /// Provides metadata at the time of logging; overrides `metadata`, and is overridden by the event's own.
    package var metadataProvider: Logger.MetadataProvider?
    private let clock: @Sendable () -> Int64
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - clock: returns milliseconds since 1970.
    ///   - write: receives a complete line including its line feed; called on any thread.
    package init(clock: @escaping @Sendable () -> Int64, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.clock = clock
        self.write = write
    }

    /// One value of `metadata`; nil if not set.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes the event as one line.
    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("time", Timestamp(milliseconds: clock()))
            json.member("level", event.level.rawValue)
            json.member("message", "\(event.message)")
            for (name, value) in all.sorted(by: { $0.key < $1.key }) where !Self.own.contains(name) {
                json.foreignName(name)
                Self.write(value, to: &json)
            }
        }
        write(json.bytes + [0x0A])
    }

    private static func write(_ value: Logger.MetadataValue, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.string(text)
        case .stringConvertible(let value): json.string(value.description)
        case .array(let values): json.array { json in for value in values { write(value, to: &json) } }
        case .dictionary(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.foreignName(name)
                    write(value, to: &json)
                }
            }
        }
    }
}
