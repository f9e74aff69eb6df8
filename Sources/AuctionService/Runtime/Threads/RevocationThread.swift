package import AuctionDomain
package import EventLog

/// Exchanges revocations with the other nodes periodically.
package final class RevocationThread: Sendable {
    private let exchange = RevocationExchange()
    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let changed: @Sendable (SharedRevocations) -> Void
    private let thread = PeriodicThread(name: "revocations")

    /// - Parameter changed: Called on this thread with the effective revocations whenever they change.
    package init(log: any SharedEventLog, clock: any ServiceClock, changed: @escaping @Sendable (SharedRevocations) -> Void) {
        (self.log, self.clock, self.changed) = (log, clock, changed)
    }

    /// Replaces the list of this node's operator: tokens issued before a timestamp, or all of them, by digest.
    package func list(_ ends: [UInt128: Timestamp?]) { exchange.list(ends) }

    /// Reads all revocations, then starts the thread.
    package func start() throws(EventLogError) {
        try synchronize()
        thread.start { self.run() }
    }

    /// Ends the thread.
    package func stop() { _ = thread.stop() }

    private func run() {
        // Known revocations stay in effect while the log cannot be reached, and the readiness check reports it.
        while thread.pause(milliseconds: Int(RevocationExchange.intervalMilliseconds)) { try? synchronize() }
    }

    private func synchronize() throws(EventLogError) {
        if let revoked = try exchange.exchange(log, at: clock.now()) { changed(revoked) }
    }
}
