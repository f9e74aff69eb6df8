internal import AuctionDomain
internal import Synchronization

/// The inputs of one sequencer, and its core while it runs. One thread at a time takes a turn: the sequencer's own, or one that brings
/// the only input, which saves waking another for a lone command or completion.
final class SequencerInputs: Sendable {
    /// Handles the inputs and due timers, and carries out the directives.
    typealias TurnHandler = @Sendable (_ inputs: [Sequencer.Input], _ core: inout Sequencer) -> Void

    private let waiting = Mailbox<Sequencer.Input>()
    /// Whether `stop` was called.
    private let isEnding = Atomic<Bool>(false)
    /// Held from before a turn's inputs are taken from the queue until its end, so they are handled in the order of the queue.
    private let running = Mutex<Running?>(nil)

    /// Number of inputs that wait for a turn.
    var count: Int { waiting.count }

    /// Queues an input for the sequencer's thread.
    func post(_ input: Sequencer.Input) { waiting.post(input) }

    /// Queues inputs for the sequencer's thread, or handles them.
    /// - Parameter handlesNow: Whether to handle them on this thread if possible, see `handle`.
    func add(_ inputs: some Collection<Sequencer.Input>, handlesNow: Bool) {
        if handlesNow { handle(inputs) } else { waiting.post(inputs) }
    }

    /// Queues inputs, and handles them on this thread if no other input waits and no other thread takes a turn. For few inputs: the
    /// caller's other work waits meanwhile.
    func handle(_ inputs: some Collection<Sequencer.Input>) {
        guard waiting.enqueue(inputs) else { return }
        let isInTime = running.withLockIfAvailable { $0?.takeTurn(waiting.takeAll()) ?? false } ?? false
        if !isInTime || isEnding.load(ordering: .sequentiallyConsistent) { waiting.wake() }
    }

    /// Removes and returns all inputs, for an owner without threads.
    func takeAll() -> [Sequencer.Input] { waiting.takeAll() }

    // MARK: - The sequencer's thread

    /// From now on turns can be taken.
    func begin(_ makeCore: @Sendable () -> Sequencer, _ handler: @escaping TurnHandler) {
        running.withLock { $0 = Running(core: makeCore(), handler: handler) }
    }

    /// Tells the sequencer to stop. From now on every turn wakes its thread, which ends once nothing is in flight.
    func stop() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        waiting.post(.stop)
    }

    /// No turn is taken any more.
    func end() { running.withLock { $0 = nil } }

    /// Waits until inputs may be waiting; at most for the timeout.
    /// - Parameter milliseconds: The timeout; nil: none.
    /// - Returns: False after the timeout.
    @discardableResult
    func wait(within milliseconds: Int?) -> Bool { waiting.wait(within: milliseconds) }

    /// Takes a turn.
    /// - Returns: When the next timer is due, for which the thread has to wake; and whether it has stopped.
    func takeTurn() -> (alarm: Timestamp?, hasStopped: Bool) {
        running.withLock { running in
            _ = running?.takeTurn(waiting.takeAll())
            return (running?.setAlarm(), (running?.hasStopped ?? true) && waiting.isEmpty)
        }
    }

    private struct Running: ~Copyable {
        private var core: Sequencer
        private let handler: TurnHandler
        /// The timer for which the sequencer's thread wakes by itself; nil: none.
        private var alarm: Timestamp?

        init(core: consuming Sequencer, handler: @escaping TurnHandler) {
            self.core = core
            self.handler = handler
        }

        var hasStopped: Bool { core.hasStopped }

        /// - Returns: Whether the sequencer's thread wakes in time for the next timer.
        mutating func takeTurn(_ inputs: [Sequencer.Input]) -> Bool {
            handler(inputs, &core)
            guard let next = core.nextTick else { return true }
            return alarm.map { $0 <= next } ?? false
        }

        mutating func setAlarm() -> Timestamp? {
            alarm = core.nextTick
            return alarm
        }
    }
}

/// The inputs of all sequencers of a process.
final class RoutedInputs: Sendable {
    let routing: SequencerRouting
    /// Those of each sequencer.
    let each: [SequencerInputs]

    /// - Parameter sequencers: Number of sequencers; at least 1.
    init(sequencers: Int) {
        routing = SequencerRouting(count: sequencers)
        each = (0..<routing.count).map { _ in SequencerInputs() }
    }

    /// Number of inputs that wait for a turn.
    var count: Int { each.reduce(0) { $0 + $1.count } }

    /// Queues an input, or its parts, for the threads of the sequencers that it concerns.
    func post(_ input: Sequencer.Input) {
        for part in routing.parts(of: input) { each[part.sequencer].post(part.input) }
    }

    /// Queues commands, in order.
    /// - Parameter decidesNow: See `SequencerInputs.add`.
    func submit(_ requests: [CommandRequest], decidesNow: Bool) {
        guard each.count > 1 else { return each[0].add(requests.lazy.map { .command($0) }, handlesNow: decidesNow) }
        for (index, inputs) in each.enumerated() {
            let own = requests.lazy.filter { [routing] in routing.owner(of: $0.room) == index }
            if !own.isEmpty { inputs.add(own.map { .command($0) }, handlesNow: decidesNow) }
        }
    }

    /// Returns a batch, with one verdict per room, to the sequencer that decided it.
    /// - Parameter handlesNow: See `SequencerInputs.add`.
    func complete(_ batch: Batch, _ verdicts: [RoomVerdict], handlesNow: Bool) {
        each[routing.owner(of: batch)].add(CollectionOfOne(.completed(batch, verdicts)), handlesNow: handlesNow)
    }
}
