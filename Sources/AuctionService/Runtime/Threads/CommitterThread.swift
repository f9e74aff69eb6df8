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
    private let log: any EventLog
    private let publisher: Publisher
    private let port: any DeliveryPort
    private let sequencers: RoutedInputs
    private let health: ServiceHealth
    private let observer: (any ServiceObserver)?
    private let clock: any ServiceClock

    init(
        log: any EventLog, publisher: Publisher, port: any DeliveryPort, sequencers: RoutedInputs,
        health: ServiceHealth, observer: (any ServiceObserver)?, clock: any ServiceClock
    ) {
        self.clock = clock
        self.health = health
        self.log = log
        self.publisher = publisher
        self.port = port
        self.sequencers = sequencers
        self.observer = observer
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
            case .batch(let batch): _ = core.handle(.submitted(batch))
            case .stop: isStopping = true
            }
        }
        perform(core.handle(.begin), on: &core, since: clock.uptime())
        return !isStopping
    }

    /// - Parameter instant: A reading of `ServiceClock.uptime` from before the turn.
    private func perform(_ directives: [Committer.Directive], on core: inout Committer, since instant: Int64) {
        for directive in directives {
            switch directive {
            case .append(let appends): perform(append(appends, on: &core), on: &core, since: instant)
            case .finished(let batch, let verdicts): finish(batch, verdicts, since: instant)
            }
        }
    }

    private func append(_ appends: [RoomAppend], on core: inout Committer) -> [Committer.Directive] {
        let start = clock.uptime()
        do {
            let verdicts = try log.append(appends)
            observer?.appended(
                rooms: appends.count, events: appends.reduce(0) { $0 + $1.events.count },
                nanoseconds: UInt64(clamping: clock.uptime() - start))
            return core.handle(.appended(verdicts))
        } catch {
            observer?.appendFailed(error)
            // The next successful probe clears it.
            if error.code == .unavailable || error.code == .outcomeUnknown { health.probed(error) }
            return core.handle(.failed(error))
        }
    }

    private func finish(_ batch: Batch, _ verdicts: [RoomVerdict], since instant: Int64) {
        port.deliver(publisher.publish(batch, verdicts, readAt: instant, for: observer))
        // A lone command's completion is not worth waking the sequencer's thread; those of others delay what this thread has to deliver.
        let isAlone = batch.rooms.count == 1 && batch.rooms[0].entries.count == 1 && items.isEmpty
        sequencers.complete(batch, verdicts, handlesNow: isAlone)
    }
}
