internal import EventLog

/// Exchanges presence with the other nodes periodically.
final class PresenceThread: Sendable {
    let exchange: PresenceExchange
    private let log: any SharedEventLog
    private let inputs: RoutedInputs
    private let clock: any ServiceClock
    private let thread = PeriodicThread(name: "presence")

    init(_ exchange: PresenceExchange, log: any SharedEventLog, inputs: RoutedInputs, clock: any ServiceClock) {
        (self.exchange, self.log, self.inputs, self.clock) = (exchange, log, inputs, clock)
    }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        while thread.pause(milliseconds: Int(PresenceExchange.intervalMilliseconds)) {
            // An unreachable log disconnects no user, and the readiness check reports it.
            guard let changed = try? exchange.exchange(log, at: clock.now().monotonic), !changed.isEmpty else { continue }
            inputs.post(.remotePresence(changed))
        }
    }
}
