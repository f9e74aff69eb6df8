internal import AuctionDomain
package import EventLog
internal import Synchronization

/// The exchange of presence between this node and the others through the shared log. A thread calls it, and the simulator.
package final class PresenceExchange: Sendable {
    /// Interval of the exchanges, in milliseconds.
    package static let intervalMilliseconds: Int64 = 500
    /// Maximum number of rooms per query; with more in memory they take turns.
    private static let roomsPerQuery = 2000

    private struct Turns {
        /// Rooms to ask for before all others again.
        var waiting: [RoomID] = []
        /// Whether unchanged presence is reported too until all rooms have had their turn.
        var isFull = false
        /// When all presence of other nodes was reported last, in monotonic nanoseconds.
        var lastFullReport: Int64?
    }

    private let node: NodeID
    private let rooms: CommittedRooms
    private let registry = Mutex(PresenceRegistry())
    private let turns = Mutex(Turns())

    package init(of node: NodeID, rooms: CommittedRooms) { (self.node, self.rooms) = (node, rooms) }

    /// Records changes of the users subscribed on this node; may be called while an exchange waits for the log.
    package func record(_ changes: [PresenceChange]) { registry.withLock { $0.record(changes) } }

    /// Publishes what has changed on this node, and reads what the other nodes have published.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: The reports of rooms whose users on other nodes have changed; hand them to the sequencer as `remotePresence`.
    /// - Throws: The log's error. It disconnects no user: the exchange is repeated after the interval.
    package func exchange(_ log: any SharedEventLog, at now: Int64) throws(EventLogError) -> [RoomPresenceReport] {
        try publish(to: log, at: now)
        let (queried, isFull) = nextQuery(at: now)
        guard !queried.isEmpty else { return [] }
        let found = try log.presence(in: queried, except: node)
        turns.withLock { $0.waiting.removeLast(queried.count) }
        let counts = Dictionary(found.map { ($0.room, $0.count) }, uniquingKeysWith: { _, last in last })
        for id in queried { rooms[id]?.setWatchers(remote: counts[id] ?? 0) }
        return registry.withLock { $0.merge(queried, found, isFull: isFull) }
    }

    private func publish(to log: any SharedEventLog, at now: Int64) throws(EventLogError) {
        let known = registry.withLock { $0.rooms }
        let reports = known.union(rooms.watched).sorted().compactMap { id -> RoomPresenceReport? in
            let room = rooms[id]
            let (view, watchers) = (room?.view.room, room?.watchers ?? 0)
            return registry.withLock { $0.report(of: id, view, watchers: watchers, at: now) }
        }
        guard !reports.isEmpty else { return }
        try log.setPresence(reports, of: node)
        registry.withLock { $0.markPublished(reports, at: now) }
    }

    private func nextQuery(at now: Int64) -> (rooms: [RoomID], isFull: Bool) {
        turns.withLock { turns in
            if turns.waiting.isEmpty {
                turns.waiting = rooms.ids
                turns.isFull = now - (turns.lastFullReport ?? now) >= PresenceRegistry.fullReportNanoseconds
                if turns.isFull || turns.lastFullReport == nil { turns.lastFullReport = now }
                registry.withLock { $0.removeReports { rooms[$0] == nil } }
            }
            return (Array(turns.waiting.suffix(Self.roomsPerQuery)), turns.isFull)
        }
    }
}
