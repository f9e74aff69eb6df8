internal import ArgumentParser
internal import AuctionDomain
internal import EventLog
internal import EventLogSQLite
internal import Foundation

/// `auction-bench fill`: writes rooms with real events into a SQLite log, many thousands of events a second.
struct BenchFill: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Writes rooms with real events into a SQLite log, to measure a server that opens it.",
        discussion:
            "Adds to the log if it has rooms. Prints the id of each new room that is open for bids; the others' rounds are over."
    )

    @Option(help: "The log's file.") var path: String
    @Option(help: "Rooms to add.") var rooms = 1
    @Option(help: "How many of them, the last ones, stay open for bids.") var open = 0
    @Option(help: "Bids in each.") var bids = 2
    @Option(help: "Members of each.") var members = 4
    @Option(help: "Seconds that a countdown takes after a bid.") var bidding = 86400

    func run() throws {
        guard rooms > 0, open >= 0, bids >= 0, AuctionRules.biddingRange.contains(bidding) else {
            throw ValidationError("nothing to write: see --help")
        }
        let log = try SQLiteEventLog(path: path)
        defer { log.close() }
        let instant = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        var batch: [RoomAppend] = []
        for number in 0..<rooms {
            // As identifiers are made: milliseconds, then 80 bits.
            let id = RoomID(bits: UInt128(UInt64(instant.milliseconds)) << 80 | UInt128(number + 1))
            var room = FilledRoom(
                try PlayedRoom(
                    id: id, name: "Room \(number)", members: members, bidding: Seconds(bidding), at: instant))
            for _ in 0..<bids {
                // Before the bid, so that there is an event for the last page, which has the index by user.
                if room.isPageFull { try room.write(to: log, &batch) }
                try room.bid()
            }
            let staysOpen = number >= rooms - open
            if !staysOpen { try room.end() }
            batch.append(room.take(isLast: true))
            if batch.count == Self.roomsPerBatch || number == rooms - 1 { try Self.write(&batch, to: log) }
            if number % 1024 == 1023 { try log.maintain() }
            if staysOpen { print(id) }
        }
    }

    private static let roomsPerBatch = 512

    fileprivate static func write(_ batch: inout [RoomAppend], to log: SQLiteEventLog) throws {
        for verdict in try log.append(batch) {
            guard case .appended = verdict else { throw EventLogError(.statement, "\(verdict): is the log in use?") }
        }
        batch = []
    }
}

/// A room that is being written, in pages, with snapshots as far apart as the service makes them.
private struct FilledRoom {
    private var played: PlayedRoom
    private var head = RoomHead.none
    private var hash = EventHash.zero
    private var unwritten = 0
    private var (snapshotBytes, bytesSince) = (0, 0)

    private static let bidsPerPage = 1000
    private static let bytesPerSnapshot = 262_144

    init(_ played: PlayedRoom) { self.played = played }

    mutating func bid() throws {
        try played.bid()
        unwritten += 1
    }

    mutating func end() throws { try played.end() }

    /// Whether enough bids have been placed for a transaction of their own.
    var isPageFull: Bool { unwritten >= Self.bidsPerPage }

    /// Writes what has happened so far, and a snapshot if one is due.
    mutating func write(to log: SQLiteEventLog, _ batch: inout [RoomAppend]) throws {
        batch.append(take(isLast: false))
        try BenchFill.write(&batch, to: log)
        try log.maintain()
        guard bytesSince >= max(Self.bytesPerSnapshot, snapshotBytes) else { return }
        let snapshot = try RoomReplay.snapshot(of: played.room)
        try log.save([snapshot])
        (snapshotBytes, bytesSince) = (snapshot.bytes.count, 0)
    }

    /// The events since the last call.
    /// - Parameter isLast: Whether the index by user is written.
    mutating func take(isLast: Bool) -> RoomAppend {
        unwritten = 0
        let room = played.room
        let events = EventCodec.encode(played.takeEvents(), currency: room.currency, after: hash)
        hash = events.last?.hash ?? hash
        bytesSince += events.reduce(0) { $0 + $1.publicBytes.count + ($1.privateBytes?.count ?? 0) }
        let append = RoomAppend(
            room: room.id, expected: head, events: events,
            profile: RoomProfile(
                name: room.details.name, host: room.host, currency: room.currency.code,
                visibility: room.details.visibility.rawValue, openedAt: room.details.openedAt, itemName: room.item?.name),
            status: RoomStatus(
                state: room.state.rawValue, round: room.round, endsAt: room.endsAt, currentPrice: room.currentPrice?.minorUnits,
                isArchived: room.isArchived, isOpen: room.dueAt != nil,
                isDueAtEnd: room.dueAt == room.endsAt),
            responses: [], dueAt: room.dueAt, users: isLast ? UserChanges(of: room) : UserChanges())
        head = append.newHead
        return append
    }
}
