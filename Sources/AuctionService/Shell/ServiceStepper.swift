package import AuctionDomain
package import EventLog

/// A room service without threads: whoever owns it takes each step of the sequencer, the committer and the readers, so that nothing
/// depends on timing. For a log that is one process's alone.
///
/// Used on one thread. The service is made with `readerThreads: 0` and never started.
package final class ServiceStepper {
    private let service: RoomService
    private var sequencer: Sequencer
    private var committer: Committer
    private var round = 0
    private var jumps: ClockJumps

    /// Loads the open rooms and moves the ends that an outage ate, as `RoomService.start` does.
    package init(_ service: RoomService) throws(EventLogError) {
        self.service = service
        jumps = service.clock.now().jumps
        sequencer = service.sequencer.makeCore()
        committer = service.committer.makeCore()
        service.sequencer.recover(try service.log.openRooms())
    }

    /// When something happens by itself; nil: not before something else does.
    package var nextTick: Timestamp? { sequencer.nextTick }

    /// Takes one turn of each part; false where none had anything to do.
    package func step() -> Bool {
        let inputs = service.sequencer.inputs.takeAll()
        let isDue = sequencer.nextTick.map { $0 <= service.clock.now().wall } ?? false
        if !inputs.isEmpty || isDue { service.sequencer.takeTurn(inputs, &sequencer) }
        let items = service.committer.items.takeAll()
        if !items.isEmpty { service.committer.takeTurn(items, &committer) }
        let hasRead = [service.readers.step(), service.heavyReads.step(), service.snapshots.step()].contains(true)
        return !inputs.isEmpty || isDue || !items.isEmpty || hasRead
    }

    /// One round of housekeeping; every tenth sweeps idle rooms from memory, every sixtieth expired answers from the log.
    package func keepHouse() {
        round += 1
        service.housekeeping.takeTurn(round, &jumps)
    }
}
