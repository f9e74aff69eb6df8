internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// A node's duty on its thread: says to a shared log that the node lives, and sees to outages.
final class NodeLife: Sendable {
    /// How soon after a recovery the outage is settled.
    private static let lookMilliseconds = 50

    private let log: any SharedEventLog
    private let node: NodeID
    private let health: ServiceHealth
    private let inputs: Mailbox<Sequencer.Input>
    private let observer: any ServiceObserver
    private let duty: Mutex<NodeDuty>
    private let thread = WatchThread(name: "node")

    init(
        log: any SharedEventLog, node: NodeID, health: ServiceHealth, inputs: Mailbox<Sequencer.Input>,
        observer: any ServiceObserver
    ) {
        self.log = log
        self.node = node
        self.health = health
        self.inputs = inputs
        self.observer = observer
        duty = Mutex(NodeDuty(node))
    }

    /// The first heartbeat.
    /// - Returns: Whether this node has to move the ends of open rounds before it serves.
    func begin() throws(EventLogError) -> Bool {
        try duty.withLock { duty throws(EventLogError) in try duty.begin(log) }
    }

    func start() { thread.start { self.run() } }

    /// The others need not wait to see that it is gone.
    func stop() {
        guard thread.stop() else { return }
        do throws(EventLogError) {
            try log.retire(node)
        } catch {
            observer.warning("the log was not told that this node stops; the others will notice: \(error)")
        }
    }

    private func run() {
        var last = ContinuousClock.now
        while thread.pause(milliseconds: Self.lookMilliseconds) {
            do throws(EventLogError) {
                try settleIfRecovered()
                guard ContinuousClock.now - last >= .milliseconds(NodeDuty.beatMilliseconds) else { continue }
                last = .now
                let open = try duty.withLock { duty throws(EventLogError) in try duty.beat(log) }
                if let open { inputs.post(.recover(open)) }
            } catch {
                // Others say the same of the log; it is asked again in a moment.
                continue
            }
        }
    }

    private func settleIfRecovered() throws(EventLogError) {
        guard let isComplete = health.takeRecovery() else { return }
        try duty.withLock { duty throws(EventLogError) in try duty.recovered(isComplete: isComplete, log) }
    }
}
