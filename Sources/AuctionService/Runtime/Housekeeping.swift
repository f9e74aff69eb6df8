internal import AuctionDomain
internal import CScheduling
internal import EventLog
internal import Synchronization

/// Periodic maintenance on its own thread: checkpoints, expired responses, idle rooms, the log's health.
final class Housekeeping: Sendable {
    private let node: ServiceNode
    private let log: any EventLog
    private let inputs: RoutedInputs
    private let hosts: ConnectedHosts
    /// Why work on which no room depends could not be done the last time, by its name.
    private let failures = Mutex<[String: EventLogError]>([:])
    private let thread = PeriodicThread(name: "housekeeping")

    init(of node: ServiceNode, log: any EventLog, inputs: RoutedInputs, _ hosts: ConnectedHosts) {
        (self.node, self.log, self.inputs, self.hosts) = (node, log, inputs, hosts)
    }

    /// Starts the thread. Whether the log can be written is known before.
    func start() {
        do throws(EventLogError) { try log.probe() } catch { node.health.probed(error) }
        measure()
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
        recordHosts()
        if round % 2 == 0 { measure() }
        if round % 10 == 5 { deleteUnusedPictures() }
        if round % 60 == 30 { deleteExpiredRecords() }
        if round % 10 == 2 { deletePrunedRows() }
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

    private func measure() {
        attempt("the size of the log is not known") { () throws(EventLogError) in
            let size = try log.size()
            guard let fullness = node.health.measured(size, limit: node.limits.logBytes) else { return }
            node.observer?.warning(fullness.warning(size, limit: node.limits.logBytes))
        }
    }

    private func recordHosts() {
        attempt("hosts who have streams are not recorded") { () throws(EventLogError) in
            try hosts.write(to: log, at: node.clock.now().wall)
        }
    }

    /// Few at a time, because uploads wait, and the disk is the log's as well.
    private func deleteUnusedPictures() {
        let cutoff = node.clock.now().instant(ofAge: Self.unusedPictureMilliseconds)
        attempt("pictures that nothing names are not deleted") { () throws(EventLogError) in
            _ = try log.pictures.deleteUnused(before: cutoff, limit: 16)
        }
    }

    private func deleteExpiredRecords() {
        let now = node.clock.now().wall
        attempt("expired records are not deleted") { () throws(EventLogError) in
            while try log.deleteExpiredRecords(at: now, limit: 1000) == 1000 {}
        }
    }

    /// Few at a time, each in a transaction of its own, since appends wait.
    private func deletePrunedRows() {
        guard let log = log as? any RoomPruning else { return }
        attempt("rows of deleted rooms are not deleted") { () throws(EventLogError) in
            for _ in 0..<Self.prunedSlices { guard try log.deletePrunedRows() else { return } }
        }
    }

    /// Transactions of one call that delete rows of rooms that were pruned.
    private static let prunedSlices = 64

    /// Does work on which no room depends: bids go on without it. A failure is no matter of the log's health, and is reported once.
    private func attempt(_ failing: String, _ work: () throws(EventLogError) -> Void) {
        var failure: EventLogError?
        do throws(EventLogError) { try work() } catch { failure = error }
        let isNew = failures.withLock { failures in
            defer { failures[failing] = failure }
            return failures[failing] != failure
        }
        if isNew, let failure { node.observer?.warning("\(failing): \(failure)") }
    }

    /// How long a picture may wait for an item that names it.
    private static let unusedPictureMilliseconds: Int64 = 24 * 3_600_000

    private func deleteExpiredResponses() throws(EventLogError) {
        // One hour after expiry, so that no response is deleted that a room in memory still refers to.
        let cutoff = node.clock.now().instant(ofAge: IdempotencyKeys.lifetimeMilliseconds + 3_600_000)
        while try log.deleteResponses(before: cutoff, limit: 1000) == 1000 {}
    }
}

extension LogFullness {
    fileprivate func warning(_ size: LogSize, limit: Int64) -> String {
        let refused =
            switch self {
            case .nothing: "the log takes everything again"
            case .rooms: "the log fills up: new rooms and imports of lots are refused"
            case .commands: "the log fills up: commands are refused, except bids in running rounds and what ends something"
            case .bids: "the log is full: bids are refused, too"
            }
        let bound = limit > 0 ? " of \(limit) (limit-log-bytes)" : ""
        return "\(refused); it has \(size.bytes) bytes\(bound)" + (size.freeBytes.map { ", its disk \($0) left" } ?? "")
    }
}
