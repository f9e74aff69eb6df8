internal import Dispatch
package import EventLog
internal import Synchronization

/// Whether the service can acknowledge commands; thread-safe.
package final class ServiceHealth: Sendable {
    private let state = Mutex<(fatal: EventLogError?, probe: EventLogError?)>((nil, nil))
    private let recovered = DispatchSemaphore(value: 0)
    private let outcome = Mutex<RecoveryResult?>(nil)
    private let hasRecovered = Atomic<Bool>(false)
    private let logFullness = Atomic<UInt8>(LogFullness.nothing.rawValue)
    private let size = Mutex(LogSize(bytes: 0))
    private let recovery: Mutex<JointRecovery>

    /// - Parameter sequencers: Number of sequencers, all of which take part in every recovery.
    init(sequencers: Int) { recovery = Mutex(JointRecovery(of: sequencers)) }

    /// Why commands cannot be acknowledged, permanently or at present; nil if they can.
    package var failure: EventLogError? { state.withLock { $0.fatal ?? $0.probe } }

    func awaitRecovery() { recovered.wait() }
    var isRecovered: Bool { hasRecovered.load(ordering: .acquiring) }

    /// Removes and returns how the last recovery has ended; nil while it runs or after it was taken.
    package func takeRecovery() -> RecoveryResult? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }

    /// One sequencer has read its rooms of a recovery.
    /// - Returns: Whether it was the last one.
    func recoveryRead() -> Bool { recovery.withLock { $0.partRead() } }

    /// One sequencer has finished its part of a recovery.
    func recoveryFinished(_ part: RecoveryResult) {
        guard let result = recovery.withLock({ $0.partFinished(part) }) else { return }
        outcome.withLock { $0 = result }
        hasRecovered.store(true, ordering: .releasing)
        recovered.signal()
    }

    /// - Returns: Whether this is the first report of a permanent failure.
    func logFailed(_ error: EventLogError) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.fatal = state.fatal ?? error }
            return state.fatal == nil
        }
        recovered.signal()
        return isFirst
    }

    /// What the log takes no more, since it fills up.
    package var fullness: LogFullness { LogFullness(rawValue: logFullness.load(ordering: .relaxed)) ?? .nothing }
    /// What the log took of its disk when that was read last.
    package var logSize: LogSize { size.withLock { $0 } }

    /// - Returns: What the log takes no more, if that has changed.
    func measured(_ size: LogSize, limit: Int64) -> LogFullness? {
        self.size.withLock { $0 = size }
        let new = LogFullness(size, limit: limit)
        return logFullness.exchange(new.rawValue, ordering: .relaxed) == new.rawValue ? nil : new
    }

    func probed(_ error: EventLogError?) { state.withLock { $0.probe = error } }
}
