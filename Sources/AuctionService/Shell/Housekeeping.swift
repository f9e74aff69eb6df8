internal import AuctionDomain
internal import EventLog

/// What has to be done now and then, off everybody's way: checkpoints, expired answers, idle rooms, the log's health.
final class Housekeeping: Sendable {
    private let log: any EventLog
    private let rooms: CommittedRooms
    private let health: ServiceHealth
    private let inputs: Mailbox<Sequencer.Input>
    private let clock: any ServiceClock
    private let thread = WatchThread(name: "housekeeping")

    init(
        log: any EventLog, rooms: CommittedRooms, health: ServiceHealth, inputs: Mailbox<Sequencer.Input>,
        clock: any ServiceClock
    ) {
        self.log = log
        self.rooms = rooms
        self.health = health
        self.inputs = inputs
        self.clock = clock
    }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        var rounds = 0
        var jumps = clock.now().jumps
        while thread.pause(milliseconds: 1000) {
            rounds += 1
            takeTurn(rounds, &jumps)
        }
    }

    /// What is done in one of its rounds, numbered from 1.
    /// - Parameter jumps: those that the log knows.
    func takeTurn(_ round: Int, _ jumps: inout ClockJumps) {
        do throws(EventLogError) {
            try write()
            // Read at least once a second, whatever else does: a jump is what the two clocks differ by since the last reading.
            let now = clock.now()
            if now.jumps != jumps { try log.keep(now.jumps.list) }
            jumps = now.jumps
            if round % 60 == 0 { try expireAnswers() }
            health.probed(nil)
        } catch {
            health.probed(error)
        }
        if round % 10 == 0 { inputs.post(.sweep(watched: rooms.watched)) }
    }

    private func write() throws(EventLogError) {
        do throws(EventLogError) {
            try log.maintain()
            try log.probe()
        } catch {
            // Whoever waits for the next command to fail might wait for ever: there may be none.
            if error.isFinal { inputs.post(.logLost(error)) }
            throw error
        }
    }

    private func expireAnswers() throws(EventLogError) {
        // An hour beyond their life, so that nothing is deleted that a room in memory still points at.
        let cutoff = clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds + 3_600_000)
        while try log.deleteAnswers(before: cutoff, limit: 1000) == 1000 {}
    }
}
