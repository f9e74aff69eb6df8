package import AuctionDomain
package import EventLog

/// A room service without threads: its owner takes each step of the sequencer, the committer and the readers, so that nothing
/// depends on timing. Only for a log of one process.
///
/// Used on one thread. The service is created with `readerThreads: 0` and never started.
package final class ServiceStepper {
    private let service: RoomService
    private var sequencer: Sequencer
    private var committer: Committer
    private var round = 0
    private var jumps: ClockJumps

    /// Queues the recovery that `RoomService.start` runs: it loads the open rooms and extends deadlines that expired during an
    /// outage.
    package init(_ service: RoomService) throws(EventLogError) {
        self.service = service
        jumps = service.clock.now().jumps
        sequencer = service.sequencer.makeCore()
        committer = service.committer.makeCore()
        service.sequencer.recover(try service.log.pendingRooms())
    }

    /// When the next timer is due, in service time; nil if none is armed.
    package var nextTick: Timestamp? { sequencer.nextTick }

    /// Takes one turn of each part; returns false if none had anything to do.
    package func step() -> Bool {
        let inputs = service.sequencer.inputs.takeAll()
        let isDue = sequencer.nextTick.map { $0 <= service.clock.now().wall } ?? false
        if !inputs.isEmpty || isDue { service.sequencer.takeTurn(inputs, &sequencer) }
        let items = service.committer.items.takeAll()
        if !items.isEmpty { service.committer.takeTurn(items, &committer) }
        let hasRead = [service.readers.step(), service.heavyReads.step(), service.snapshots.step()].contains(true)
        return !inputs.isEmpty || isDue || !items.isEmpty || hasRead
    }

    /// Runs one round of housekeeping; every tenth unloads idle rooms, every sixtieth deletes expired responses from the log.
    package func runHousekeeping() {
        round += 1
        service.housekeeping.takeTurn(round, &jumps)
    }
}
