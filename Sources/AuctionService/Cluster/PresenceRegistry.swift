package import AuctionDomain
package import EventLog

/// The presence reports that one node publishes to the other nodes, and those that it received. A value without I/O.
///
/// Changes of users are published at the next opportunity, changes of the count at most every `countReportNanoseconds`, and the full
/// report every `fullReportNanoseconds`.
package struct PresenceRegistry: Sendable {
    /// Minimum interval between reports in which only the count changes. Changed users are reported at once.
    package static let countReportNanoseconds: Int64 = 2_000_000_000
    /// Interval after which unchanged reports are published again, because a database that crashed has lost them.
    package static let fullReportNanoseconds: Int64 = 10_000_000_000

    private struct Published {
        let report: RoomPresenceReport
        let at: Int64
    }

    /// Number of event loops on which each user has a stream.
    private var local: [RoomID: [UserID: Int]] = [:]
    private var published: [RoomID: Published] = [:]
    private var remote: [RoomID: [UserID]] = [:]

    package init() {}

    /// Rooms that may need a report: one is published, or users are present. A user whose long-poll was just answered still is, though
    /// their room may have no subscriber at that instant.
    package var rooms: Set<RoomID> { Set(published.keys).union(local.keys) }

    /// Applies changes of the streams of identified users.
    package mutating func record(_ changes: [PresenceChange]) {
        for change in changes {
            let count = (local[change.room]?[change.user] ?? 0) + (change.isPresent ? 1 : -1)
            local[change.room, default: [:]][change.user] = count > 0 ? count : nil
            if local[change.room]?.isEmpty == true { local[change.room] = nil }
        }
    }

    /// The report of a room to publish now; nil if it is unchanged or throttled.
    /// - Parameters:
    ///   - room: nil if the room is not in memory.
    ///   - watchers: Number of streams and waiting polls on this node.
    ///   - monotonic: Monotonic nanoseconds.
    package func report(of id: RoomID, _ room: Room?, watchers: Int, at monotonic: Int64) -> RoomPresenceReport? {
        let people = room.map { room in local[id]?.keys.filter { room.dependsOn($0) }.sorted() ?? [] } ?? []
        let report = RoomPresenceReport(room: id, count: watchers, people: people)
        guard let last = published[id] else { return report.isEmpty ? nil : report }
        let age = monotonic - last.at
        if report.people != last.report.people || age >= Self.fullReportNanoseconds { return report }
        return report.count != last.report.count && age >= Self.countReportNanoseconds ? report : nil
    }

    /// Records that these reports have been published.
    package mutating func markPublished(_ reports: [RoomPresenceReport], at monotonic: Int64) {
        for report in reports { published[report.room] = report.isEmpty ? nil : Published(report: report, at: monotonic) }
    }

    /// Removes the reports of other nodes on rooms that are no longer in memory: a room that is read again needs the current one.
    package mutating func removeReports(where isGone: (RoomID) -> Bool) {
        for id in remote.keys where isGone(id) { remote[id] = nil }
    }

    /// Applies the reports of other nodes; rooms without watchers have none.
    /// - Parameter isFull: Whether to return unchanged reports with users too.
    /// - Returns: The reports of rooms whose users changed.
    package mutating func merge(_ rooms: [RoomID], _ found: [RoomPresenceReport], isFull: Bool) -> [RoomPresenceReport] {
        let reports = Dictionary(found.map { ($0.room, $0) }, uniquingKeysWith: { _, last in last })
        return rooms.compactMap { id in
            let report = reports[id] ?? RoomPresenceReport(room: id, count: 0, people: [])
            let before = remote[id] ?? []
            remote[id] = report.people.isEmpty ? nil : report.people
            return before != report.people || isFull && !before.isEmpty ? report : nil
        }
    }
}

extension Room {
    /// Whether the room depends on the user's presence: the user is host or auctioneer, or part of a stage handshake.
    fileprivate func dependsOn(_ user: UserID) -> Bool {
        switch members[user]?.role {
        case .host, .auctioneer: true
        default: stage.handshakes.contains { $0.guest.id == user || $0.host?.id == user }
        }
    }
}
