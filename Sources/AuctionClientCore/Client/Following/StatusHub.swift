#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The latest connection status of a room, and its readers.
final class StatusHub: Sendable {
    /// The most statuses that wait for a slow reader; the oldest are dropped, the latest never is.
    static let pending = 16

    private struct State {
        var latest: ConnectionStatus
        var readers: [UUID: AsyncStream<ConnectionStatus>.Continuation] = [:]

        var isOver: Bool { if case .stopped = latest.state { true } else { false } }
    }

    private let state = Locked(State(latest: ConnectionStatus(state: .idle, since: Date())))

    var status: ConnectionStatus { state.withLock { $0.latest } }

    func publish(_ connection: ConnectionState) {
        let status = ConnectionStatus(state: connection, since: Date())
        let ended: [AsyncStream<ConnectionStatus>.Continuation] = state.withLock { state in
            state.latest = status
            // Under the lock, so that every reader gets the statuses in the order in which they were published.
            for reader in state.readers.values { reader.yield(status) }
            guard state.isOver else { return [] }
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        // Not under the lock: finishing calls `onTermination`, which takes it.
        for reader in ended { reader.finish() }
    }

    func stream() -> AsyncStream<ConnectionStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.pending)) { continuation in
            let id = UUID()
            let isOver = state.withLock { state in
                if !state.isOver { state.readers[id] = continuation }
                // Under the lock: a newer status that is published meanwhile comes after it.
                continuation.yield(state.latest)
                return state.isOver
            }
            if isOver { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
            }
        }
    }
}
