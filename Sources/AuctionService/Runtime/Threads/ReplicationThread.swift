internal import AuctionDomain
internal import EventLog

/// Compares the rooms in memory with a shared log, and reports to the sequencer the lagging rooms, those that were pruned, and those
/// with expired deadlines that no node handles. Notices speed this up; polling alone suffices.
final class ReplicationThread: Sendable {
    private static let pollMilliseconds = Int(Replication.pollMilliseconds)
    /// Maximum number of rooms per comparison; with more in memory they take turns.
    private static let roomsPerComparison = 2000
    private static let expiredRoomsPerSearch = 256

    private let node: ServiceNode
    private let id: NodeID
    private let log: any SharedEventLog
    private let inputs: RoutedInputs
    private let thread = PeriodicThread(name: "replication")

    init(of node: ServiceNode, _ id: NodeID, log: any SharedEventLog, inputs: RoutedInputs) {
        (self.node, self.id, self.log, self.inputs) = (node, id, log, inputs)
    }

    func start() { thread.start { self.run() } }

    func stop() { _ = thread.stop() }

    private func run() {
        var (comparedAt, searchedAt) = (node.clock.uptime(), node.clock.uptime())
        var waiting: [RoomID] = []
        while thread.isRunning {
            let notice = awaitNotice()
            do throws(EventLogError) {
                if case .rooms(let named) = notice { try compare(named) }
                let now = node.clock.uptime()
                if notice == .many || now - comparedAt >= Replication.pollMilliseconds * 1_000_000 {
                    comparedAt = now
                    if waiting.isEmpty { waiting = node.rooms.ids }
                    try compare(Array(waiting.suffix(Self.roomsPerComparison)))
                    waiting.removeLast(min(waiting.count, Self.roomsPerComparison))
                }
                guard now - searchedAt >= Replication.expiryPollMilliseconds * 1_000_000 else { continue }
                searchedAt = now
                let expired = try log.roomsPastDeadline(by: Replication.graceMilliseconds, limit: Self.expiredRoomsPerSearch)
                if !expired.isEmpty { inputs.post(.expired(expired)) }
            } catch {
                // The log is unreachable, which the readiness check reports.
                guard thread.pause(milliseconds: 2 * Self.pollMilliseconds) else { return }
            }
        }
    }

    /// Nil after the time of a poll, also if this node cannot listen, for example because the server has no connection left for it: its
    /// other sessions may work, and polling has to suffice.
    private func awaitNotice() -> ChangeNotification? {
        do throws(EventLogError) {
            return try log.awaitNotification(for: id, milliseconds: Self.pollMilliseconds)
        } catch {
            _ = thread.pause(milliseconds: Self.pollMilliseconds)
            return nil
        }
    }

    private func compare(_ named: [RoomID]) throws(EventLogError) {
        let found = try Replication.compare(named, in: node.rooms, log, at: node.clock.uptime())
        if !found.lagging.isEmpty { inputs.post(.lagging(found.lagging)) }
        if !found.pruned.isEmpty { inputs.post(.pruned(found.pruned)) }
    }
}
