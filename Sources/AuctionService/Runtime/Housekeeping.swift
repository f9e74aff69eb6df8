internal import AuctionDomain
internal import CScheduling
internal import EventLog
internal import Synchronization

/// Periodic maintenance on its own thread: checkpoints, expired responses, idle rooms, the log's health.
final class Housekeeping: Sendable {
    private let node: ServiceNode
    private let log: any EventLog
    private let inputs: RoutedInputs
    /// Why unused pictures could not be deleted the last time.
    private let pictureFailure = Mutex<EventLogError?>(nil)
    private let thread = PeriodicThread(name: "housekeeping")

    init(of node: ServiceNode, log: any EventLog, inputs: RoutedInputs) {
        (self.node, self.log, self.inputs) = (node, log, inputs)
    }

    /// Starts the thread. Whether the log can be written is known before.
    func start() {
        do throws(EventLogError) { try log.probe() } catch { node.health.probed(error) }
        thread.start { self.run() }
    }

    func stop() { _ = thread.stop() }

    private func run() {
        // What the start needed, such as for compressing the page and for reading the log, is not needed again.
        scheduling_return_free_memory()
        var rounds = 0
        var jumps = node.clock.now().jumps
        while thread.pause(milliseconds: 1000) {
            rounds += 1
            takeTurn(rounds, &jumps)
        }
    }

    /// Runs one round of maintenance; rounds are numbered from 1.
    /// - Parameter jumps: The clock jumps that the log has stored.
    func takeTurn(_ round: Int, _ jumps: inout ClockJumps) {
        do throws(EventLogError) {
            try write()
            // Read the clock at least once a second, even if nothing else does: a jump is measured against the previous reading.
            let now = node.clock.now()
            if now.jumps != jumps { try log.keep(now.jumps.list) }
            jumps = now.jumps
            if round % 60 == 0 { try deleteExpiredResponses() }
            node.health.probed(nil)
        } catch {
            node.health.probed(error)
        }
        // Not a matter of the log's health: bids go on without pictures.
        if round % 10 == 5 { deleteUnusedPictures() }
        if round % 10 == 0 { inputs.post(.sweep(watched: node.rooms.watched)) }
    }

    private func write() throws(EventLogError) {
        do throws(EventLogError) {
            try log.maintain()
            try log.probe()
        } catch {
            // Report it now: without commands no append would fail and detect it.
            if error.isFinal { inputs.post(.logFailed(error)) }
            throw error
        }
    }

    /// Few at a time, because uploads wait, and the disk is the log's as well.
    private func deleteUnusedPictures() {
        let cutoff = node.clock.now().instant(ofAge: Self.unusedPictureMilliseconds)
        var failure: EventLogError?
        do throws(EventLogError) {
            _ = try log.pictures.deleteUnused(before: cutoff, limit: 16)
        } catch {
            failure = error
        }
        let isNew = pictureFailure.withLock { last in
            defer { last = failure }
            return last != failure
        }
        if isNew, let failure { node.observer?.warning("pictures that nothing names are not deleted: \(failure)") }
    }

    /// How long a picture may wait for an item that names it.
    private static let unusedPictureMilliseconds: Int64 = 24 * 3_600_000

    private func deleteExpiredResponses() throws(EventLogError) {
        // One hour after expiry, so that no response is deleted that a room in memory still refers to.
        let cutoff = node.clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds + 3_600_000)
        while try log.deleteResponses(before: cutoff, limit: 1000) == 1000 {}
    }
}
