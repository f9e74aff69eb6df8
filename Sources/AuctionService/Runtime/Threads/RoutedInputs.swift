internal import AuctionDomain

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
