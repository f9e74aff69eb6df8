import StateMachines

/// The estimate of the server's clock, shared by everything that receives its times.
final class SharedServerClock: Sendable {
    private let clock = Locked(ServerClock())

    func observe(_ sample: ClockSample) {
        clock.withLock { $0.observe(sample.time, sentAt: sample.sentAt, receivedAt: sample.receivedAt) }
    }

    func estimate(at now: MachineTimestamp) -> ServerTimeEstimate? { clock.withLock { $0.estimate(at: now) } }
}
