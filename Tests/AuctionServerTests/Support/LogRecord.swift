import Logging
import Synchronization

/// Collects a server's log lines of every level.
final class LogRecord: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func logger() -> Logger {
        var logger = Logger(label: "test") { [self] _ in Handler(record: self) }
        logger.logLevel = .trace
        return logger
    }

    fileprivate func append(_ line: String) { lines.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let record: LogRecord
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(record: LogRecord) { self.record = record }

        func log(event: LogEvent) { record.append("\(event.level) \(event.message) \(event.metadata ?? [:]) \(metadata)") }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
