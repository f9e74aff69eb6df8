internal import AuctionDomain
internal import EventLog
internal import Synchronization

/// Runs a node's heartbeats and outage recovery on a thread.
final class OutageLease: Sendable {
    /// Interval of the checks for a finished recovery, in milliseconds.
    private static let checkMilliseconds = 50

    private let node: ServiceNode
    private let id: NodeID
    private let log: any SharedEventLog
    private let inputs: RoutedInputs
    private let tasks: Mutex<NodeTasks>
    private let thread = PeriodicThread(name: "node")

    init(of node: ServiceNode, _ id: NodeID, log: any SharedEventLog, inputs: RoutedInputs) {
        (self.node, self.id, self.log, self.inputs) = (node, id, log, inputs)
        tasks = Mutex(NodeTasks(id))
    }

    /// Sends the first heartbeat. Waits until it is known whether another node is alive: at most two seconds.
    /// - Returns: Whether this node has to extend deadlines of open rounds before it serves clients.
    func begin() throws(EventLogError) -> Bool {
        let pause = MonotonicSemaphore()
        while true {
            let recovers = try tasks.withLock { tasks throws(EventLogError) in try tasks.begin(log, at: node.clock.uptime()) }
            if let recovers { return recovers }
            _ = pause.wait(milliseconds: Self.checkMilliseconds)
        }
    }

    func start() { thread.start { self.run() } }

    /// Stops the heartbeats and retires the node, so that other nodes need not wait for its heartbeat to expire.
    func stop() {
        guard thread.stop() else { return }
        do throws(EventLogError) {
            try log.retire(id)
        } catch {
            node.observer?.warning("could not retire this node; other nodes will notice its missing heartbeats: \(error)")
        }
    }

    private func run() {
        var last = node.clock.uptime()
        while thread.pause(milliseconds: Self.checkMilliseconds) {
            do throws(EventLogError) {
                try settleIfRecovered()
                guard node.clock.uptime() - last >= NodeTasks.beatMilliseconds * 1_000_000 else { continue }
                last = node.clock.uptime()
                let open = try tasks.withLock { tasks throws(EventLogError) in try tasks.beat(log) }
                if let open { inputs.post(.recover(open)) }
            } catch {
                // The committer and the probe report that the log is unreachable; the heartbeat is retried.
                continue
            }
        }
    }

    private func settleIfRecovered() throws(EventLogError) {
        guard let result = node.health.takeRecovery() else { return }
        try tasks.withLock { tasks throws(EventLogError) in try tasks.recovered(result, log) }
    }
}
