package import AuctionDomain
package import EventLog

/// What one node tells the others of who follows rooms through it, and what they told it. A value without I/O.
///
/// Others are told when something changed, of a number at most every `countNanoseconds`, and of everything now and then: what
/// they were told is not kept for ever.
package struct PresenceLedger: Sendable {
    /// How often others hear of a number that moves. People matter more than that: of them they hear at the next look.
    package static let countNanoseconds: Int64 = 2_000_000_000
    /// How often everything is told again: a database that crashed has forgotten it.
    package static let wholeNanoseconds: Int64 = 10_000_000_000

    private struct Told {
        let report: RoomPresenceReport
        let at: Int64
    }

    /// Event loops on which somebody has a stream.
    private var here: [RoomID: [UserID: Int]] = [:]
    private var told: [RoomID: Told] = [:]
    private var elsewhere: [RoomID: [UserID]] = [:]

    package init() {}

    /// Rooms of which others were told that somebody follows them.
    package var toldRooms: [RoomID] { told.keys.sorted() }

    /// Streams of people who are known.
    package mutating func note(_ changes: [PresenceChange]) {
        for change in changes {
            let count = (here[change.room]?[change.user] ?? 0) + (change.isPresent ? 1 : -1)
            here[change.room, default: [:]][change.user] = count > 0 ? count : nil
            if here[change.room]?.isEmpty == true { here[change.room] = nil }
        }
    }

    /// What the others are to be told of a room now; nil where they know it, or can wait.
    /// - Parameters:
    ///   - room: nil: it is not in memory.
    ///   - watchers: Streams and held polls of this node.
    ///   - monotonic: Nanoseconds.
    package func report(of id: RoomID, _ room: Room?, watchers: Int, at monotonic: Int64) -> RoomPresenceReport? {
        let people = room.map { room in here[id]?.keys.filter { room.dependsOn($0) }.sorted() ?? [] } ?? []
        let report = RoomPresenceReport(room: id, count: watchers, people: people)
        guard let last = told[id] else { return report.isEmpty ? nil : report }
        let age = monotonic - last.at
        if report.people != last.report.people || age >= Self.wholeNanoseconds { return report }
        return report.count != last.report.count && age >= Self.countNanoseconds ? report : nil
    }

    /// The others were told.
    package mutating func tell(_ reports: [RoomPresenceReport], at monotonic: Int64) {
        for report in reports { told[report.room] = report.isEmpty ? nil : Told(report: report, at: monotonic) }
    }

    /// Takes in who follows these rooms through other nodes; of rooms without anybody there is no report.
    /// - Parameter isWhole: Whether to say also what was said before.
    /// - Returns: Of which rooms the people are others than before.
    package mutating func learn(
        _ rooms: [RoomID], _ found: [RoomPresenceReport], isWhole: Bool
    ) -> [RoomPresenceReport] {
        let reports = Dictionary(found.map { ($0.room, $0) }, uniquingKeysWith: { _, last in last })
        return rooms.compactMap { id in
            let report = reports[id] ?? RoomPresenceReport(room: id, count: 0, people: [])
            let before = elsewhere[id] ?? []
            elsewhere[id] = report.people.isEmpty ? nil : report.people
            return before != report.people || isWhole && !before.isEmpty ? report : nil
        }
    }
}

extension Room {
    /// Whether it matters to the room that somebody is there: they lead it, or could, or are being called on stage.
    fileprivate func dependsOn(_ user: UserID) -> Bool {
        switch members[user]?.role {
        case .host, .auctioneer: true
        default: stage.handshakes.contains { $0.guest.id == user || $0.host?.id == user }
        }
    }
}
