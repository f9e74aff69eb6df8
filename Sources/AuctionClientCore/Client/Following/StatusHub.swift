import Foundation

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
        let (readers, isOver) = state.withLock { state in
            state.latest = status
            defer { if state.isOver { state.readers = [:] } }
            return (Array(state.readers.values), state.isOver)
        }
        for reader in readers {
            reader.yield(status)
            if isOver { reader.finish() }
        }
    }

    func stream() -> AsyncStream<ConnectionStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.pending)) { continuation in
            let id = UUID()
            let (status, isOver) = state.withLock { state in
                if !state.isOver { state.readers[id] = continuation }
                return (state.latest, state.isOver)
            }
            continuation.yield(status)
            if isOver { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
            }
        }
    }
}
