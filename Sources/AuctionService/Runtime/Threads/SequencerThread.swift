internal import AuctionDomain
internal import EventLog

/// Takes the turns of one sequencer: handles what waits, ends the turn, and carries out the directives.
final class SequencerThread: ServiceShell {
    /// What the sequencers of a process share.
    struct Context: Sendable {
        let log: any EventLog
        let port: any DeliveryPort
        let committer: CommitterThread
        let pools: ServicePools
        /// The inputs of all sequencers.
        let sequencers: RoutedInputs
    }

    private static let inputsPerTurn = 16

    let inputs: SequencerInputs
    let makeCore: @Sendable () -> Sequencer
    let node: ServiceNode
    private let context: Context
    private let thread: ServiceThread

    /// - Parameter index: Which of the sequencers it is, from 0.
    init(_ index: Int, of node: ServiceNode, _ context: Context, makeCore: @escaping @Sendable () -> Sequencer) {
        thread = ServiceThread(name: context.sequencers.each.count > 1 ? "sequencer-\(index)" : "sequencer")
        self.makeCore = makeCore
        inputs = context.sequencers.each[index]
        self.node = node
        self.context = context
    }

    func start() { thread.start(isLatencySensitive: true) { self.run() } }

    /// Returns once every submitted command has been decided and its batch completed.
    func stop() {
        inputs.stop()
        thread.join()
    }

    private func run() {
        inputs.begin(makeCore) { inputs, core in self.takeTurn(inputs, &core) }
        var alarm: Timestamp?
        while true {
            inputs.wait(within: wait(alarm))
            let turn = inputs.takeTurn()
            if turn.hasStopped { break }
            alarm = turn.alarm
        }
        inputs.end()
    }

    /// Handles the inputs and due timers, and carries out the directives. Called by one thread at a time.
    func takeTurn(_ taken: [Sequencer.Input], _ core: inout Sequencer) {
        var handled = 0
        for input in taken {
            core.handle(input, now: node.clock.now())
            handled += 1
            // Short turns keep the committer busy while the rest is decided; it groups the batches that arrive meanwhile.
            if handled % Self.inputsPerTurn == 0 { for directive in core.endTurn() { perform(directive) } }
        }
        let now = node.clock.now()
        if let tick = core.nextTick, tick <= now.wall { core.handle(.tick, now: now) }
        for directive in core.endTurn() { perform(directive) }
    }

    /// Milliseconds to wait for an input; nil: without a timeout.
    private func wait(_ tick: Timestamp?) -> Int? {
        guard let tick else { return nil }
        // Read the clock at least once a second, so that a jump of the wall clock can be distinguished from elapsed time.
        return Int(min(max(tick.milliseconds(since: node.clock.now().wall), 0), 1000))
    }

    // MARK: - What carrying out directives takes

    func submit(_ batch: Batch) { context.committer.submit(batch) }

    func post(_ input: Sequencer.Input) {
        if case .sweep = input { inputs.post(input) } else { context.sequencers.post(input) }
    }

    func deliver(_ deliveries: Deliveries) { context.port.deliver(deliveries) }

    func run(_ directive: Sequencer.Directive, _ job: @escaping @Sendable (any EventLog) -> Void) {
        let pool =
            switch directive {
            // Commands wait for these.
            case .load, .catchUp, .replay: context.pools.readers
            default: context.pools.snapshots
            }
        pool.run { [log = context.log] in job(log) }
    }
}
