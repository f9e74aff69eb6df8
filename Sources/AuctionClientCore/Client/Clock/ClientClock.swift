import StateMachines

/// The monotonic clock of the client. It runs on while the device sleeps, and is not changed when the device's date is set.
protocol ClientClock: Sendable {
    func now() -> MachineTimestamp
    /// Returns at the instant, or earlier if the task is cancelled.
    func sleep(until instant: MachineTimestamp) async
    /// The device's date, which may be wrong; for what has no better source.
    func deviceTime() -> ServerTime
}
