internal import AuctionDomain
internal import EventLog

/// Runs the committer on its thread: one transaction at a time with all pending batches, then responses and events are delivered.
final class CommitterThread: Sendable {
    enum Item: Sendable {
        case batch(Batch)
        case stop
    }

    let items = Mailbox<Item>()
    private let thread = ServiceThread(name: "committer")
    private let node: ServiceNode
    private let log: any EventLog
    private let port: any DeliveryPort
    private let sequencers: RoutedInputs

    init(_ node: ServiceNode, log: any EventLog, port: any DeliveryPort, sequencers: RoutedInputs) {
        (self.node, self.log, self.port, self.sequencers) = (node, log, port, sequencers)
    }

    func start() { thread.start(isLatencySensitive: true) { self.run() } }

    /// Number of batches that wait for the next transaction.
    var depth: Int { items.count }

    func submit(_ batch: Batch) { items.post(.batch(batch)) }

    /// Returns once everything submitted has been appended or has failed.
    func stop() {
        items.post(.stop)
        thread.join()
    }

    private func run() {
        var core = makeCore()
        while takeTurn(items.take(), &core) {}
    }

    func makeCore() -> Committer { Committer(recoversFromFailures: log.recoversFromFailures) }

    /// Runs one transaction with all items; returns false after the last one.
    @discardableResult
    func takeTurn(_ taken: [Item], _ core: inout Committer) -> Bool {
        var isStopping = false
        for item in taken {
            switch item {
            case .batch(let batch): core.submit(batch)
            case .stop: isStopping = true
            }
        }
        let instant = node.clock.uptime()
        var step = core.begin()
        while true {
            for (batch, verdicts) in step.finished { finish(batch, verdicts, since: instant) }
            guard let appends = step.append else { return !isStopping }
            step = core.appended(append(appends))
        }
    }

    private func append(_ appends: [RoomAppend]) -> Result<[AppendVerdict], EventLogError> {
        let start = node.clock.uptime()
        do throws(EventLogError) {
            let verdicts = try log.append(appends)
            node.observer?.appended(
                rooms: appends.count, events: appends.reduce(0) { $0 + $1.events.count },
                nanoseconds: UInt64(clamping: node.clock.uptime() - start))
            return .success(verdicts)
        } catch {
            node.observer?.appendFailed(error)
            // The next successful probe clears it.
            if error.code == .unavailable || error.code == .outcomeUnknown { node.health.probed(error) }
            return .failure(error)
        }
    }

    /// - Parameter instant: A reading of `ServiceClock.uptime` from before the turn.
    private func finish(_ batch: Batch, _ verdicts: [RoomVerdict], since instant: Int64) {
        port.deliver(node.publisher.publish(batch, verdicts, readAt: instant, for: node.observer))
        // A lone command's completion is not worth waking the sequencer's thread; those of others delay what this thread has to deliver.
        let isAlone = batch.rooms.count == 1 && batch.rooms[0].entries.count == 1 && items.isEmpty
        sequencers.complete(batch, verdicts, handlesNow: isAlone)
    }
}
