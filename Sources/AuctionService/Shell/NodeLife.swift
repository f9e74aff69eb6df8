internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// Says to a shared log that this node lives, and sees to outages: a time in which no node did.
///
/// Whoever claims an outage moves the ends that it ate; until then the log lets nobody close what fell due in it. A node that
/// starts while another one lives moves nothing.
final class NodeLife: Sendable {
    private static let beatMilliseconds: Int64 = 500
    /// How soon after a recovery the outage is settled.
    private static let lookMilliseconds = 50

    private struct State {
        /// The outage whose ends this node moves.
        var claimed: Int64?
        var isRecovering = false
    }

    private let log: any SharedEventLog
    private let node: NodeID
    private let health: ServiceHealth
    private let inputs: Mailbox<Sequencer.Input>
    private let observer: any ServiceObserver
    private let state = Mutex(State())
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
    }

    /// The first heartbeat.
    /// - Returns: Whether this node has to move the ends of open rounds before it serves.
    func begin() throws(EventLogError) -> Bool {
        let beat = try log.heartbeat(of: node)
        if let outage = beat.outage {
            guard try claim(outage) else { return false }
        } else if beat.liveNodes > 1 {
            return false
        }
        state.withLock { $0.isRecovering = true }
        return true
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
                guard ContinuousClock.now - last >= .milliseconds(Self.beatMilliseconds) else { continue }
                last = .now
                let beat = try log.heartbeat(of: node)
                guard let outage = beat.outage, !state.withLock({ $0.isRecovering }), try claim(outage) else { continue }
                try recover()
            } catch {
                // Others say the same of the log; it is asked again in a moment.
                continue
            }
        }
    }

    private func claim(_ outage: Outage) throws(EventLogError) -> Bool {
        if let other = outage.claimedBy, other != node { return false }
        guard try log.claimOutage(outage.id, by: node) else { return false }
        state.withLock { $0.claimed = outage.id }
        return true
    }

    private func recover() throws(EventLogError) {
        let open = try log.openRooms()
        state.withLock { $0.isRecovering = true }
        inputs.post(.recover(open))
    }

    private func settleIfRecovered() throws(EventLogError) {
        guard state.withLock({ $0.isRecovering }), let isComplete = health.takeRecovery() else { return }
        // Otherwise the next heartbeat finds the outage unsettled, and this node's.
        state.withLock { $0.isRecovering = false }
        guard isComplete, let id = state.withLock({ $0.claimed }) else { return }
        try log.settleOutage(id, by: node)
    }
}
