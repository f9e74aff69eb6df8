package import AuctionDomain
package import EventLog

/// A room service without threads: its owner takes each step of the sequencers, the committer and the readers, so that nothing
/// depends on timing. Only for a log of one process.
///
/// Used on one thread. The service is created with `readerThreads: 0` and never started.
package final class ServiceStepper {
    private let service: RoomService
    private let sequencers: [Core]
    private var committer: Committer
    private var round = 0
    private var jumps: ClockJumps

    /// A sequencer, in a class because arrays have no noncopyable elements.
    private final class Core {
        let thread: SequencerThread
        var sequencer: Sequencer

        init(_ thread: SequencerThread) {
            self.thread = thread
            sequencer = thread.makeCore()
        }

        /// Takes a turn; false if there was nothing to do.
        func step(at now: Timestamp) -> Bool {
            let inputs = thread.inputs.takeAll()
            let isDue = sequencer.nextTick.map { $0 <= now } ?? false
            guard !inputs.isEmpty || isDue else { return false }
            thread.takeTurn(inputs, &sequencer)
            return true
        }
    }

    /// Queues the recovery that `RoomService.start` runs.
    package init(_ service: RoomService) throws(EventLogError) {
        self.service = service
        jumps = service.clock.now().jumps
        sequencers = service.sequencers.map(Core.init)
        committer = service.committer.makeCore()
        for input in try service.recoveryInputs() { service.inputs.post(input) }
    }

    /// When the next timer is due, in service time; nil if none is armed.
    package var nextTick: Timestamp? { sequencers.compactMap { $0.sequencer.nextTick }.min() }

    /// Takes one turn of each part; returns false if none had anything to do.
    package func step() -> Bool {
        let now = service.clock.now().wall
        let hasDecided = sequencers.map { $0.step(at: now) }.contains(true)
        let items = service.committer.items.takeAll()
        if !items.isEmpty { service.committer.takeTurn(items, &committer) }
        let hasRead = service.pools.step()
        return hasDecided || !items.isEmpty || hasRead
    }

    /// Runs one round of housekeeping; every tenth unloads idle rooms, in every sixty expired responses and records are deleted from the log.
    package func runHousekeeping() {
        round += 1
        service.housekeeping.takeTurn(round, &jumps)
    }
}
