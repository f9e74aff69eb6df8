public import Foundation

/// What the connection to a room does, and since when.
public struct ConnectionStatus: Hashable, Sendable {
    /// What it does.
    public let state: ConnectionState
    /// Since when, by the device's clock.
    public let since: Date

    /// When the next attempt begins; nil unless it waits for one.
    public var retryDate: Date? {
        guard case .waiting(_, let delay) = state else { return nil }
        let parts = delay.components
        return since + (TimeInterval(parts.seconds) + TimeInterval(parts.attoseconds) / 1e18)
    }

    /// Whether events arrive as they happen.
    public var isLive: Bool { if case .live = state { true } else { false } }
}

/// The latest status, and everyone who follows it.
///
/// `@unchecked Sendable`: all mutable state is only used while `lock` is held.
final class StatusHub: @unchecked Sendable {
    /// The most statuses that wait for a slow reader; the oldest are dropped, the latest never is.
    static let pending = 16

    private let lock = NSLock()
    private var latest: ConnectionStatus
    private var readers: [UUID: AsyncStream<ConnectionStatus>.Continuation] = [:]

    init() { latest = ConnectionStatus(state: .idle, since: Date()) }

    var status: ConnectionStatus { lock.withLock { latest } }

    func publish(_ state: ConnectionState) {
        let status = ConnectionStatus(state: state, since: Date())
        let isLast = if case .stopped = state { true } else { false }
        let readers = lock.withLock {
            latest = status
            defer { if isLast { self.readers = [:] } }
            return Array(self.readers.values)
        }
        for reader in readers {
            reader.yield(status)
            if isLast { reader.finish() }
        }
    }

    func stream() -> AsyncStream<ConnectionStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.pending)) { continuation in
            let id = UUID()
            let (status, isOver) = lock.withLock {
                let isOver = if case .stopped = latest.state { true } else { false }
                if !isOver { readers[id] = continuation }
                return (latest, isOver)
            }
            continuation.yield(status)
            if isOver { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                _ = lock.withLock { readers.removeValue(forKey: id) }
            }
        }
    }
}
