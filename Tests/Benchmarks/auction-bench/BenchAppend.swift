internal import ArgumentParser
internal import AuctionDomain
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite

/// `auction-bench append`: measures how many events per second a log makes durable, by batch size.
struct BenchAppend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Measures durable appends to an empty log by the size of the batch.",
        discussion:
            "One event of 300 bytes for each of so many rooms in one transaction. The log is of no other use afterwards.")

    @Option(help: "The empty log to write: postgres://… or sqlite:PATH.") var store: String
    @Option(help: "Rooms in a batch; repeat for more.") var batch: [Int] = [1, 16, 100]
    @Option(help: "Seconds for each.") var seconds = 3.0

    func run() throws {
        let log = try open()
        defer { log.close() }
        guard try log.rooms(RoomQuery(limit: 1)).isEmpty else { throw ValidationError("the log is not empty") }
        for size in batch where size > 0 {
            var rooms = (0..<size).map { BenchRoom(number: UInt128(size) << 64 | UInt128($0)) }
            let start = ContinuousClock.now
            var appends = 0
            while ContinuousClock.now - start < .seconds(seconds) {
                let elements = rooms.indices.map { rooms[$0].next() }
                for verdict in try log.append(elements) {
                    guard case .appended = verdict else {
                        throw EventLogError(.statement, "\(verdict): is the log in use?")
                    }
                }
                appends += 1
            }
            let elapsed = ContinuousClock.now - start
            let perSecond = Double(appends) / (elapsed / .seconds(1))
            print("\(size) rooms a batch: \(Int(perSecond)) appends/s, \(Int(perSecond * Double(size))) events/s")
        }
    }

    private func open() throws -> any EventLog {
        if store.hasPrefix("sqlite:") { return try SQLiteEventLog(path: String(store.dropFirst(7))) }
        var options = PostgresEventLog.Options()
        // The events have made-up times.
        options.validatesTime = false
        return try PostgresEventLog(store, options: options)
    }
}

/// A room to which single events are appended.
private struct BenchRoom {
    private static let profile = RoomProfile(
        name: "Bench", host: Person(id: UserID(bits: 1), nickname: "Bench"), currency: "EUR", visibility: "public",
        openedAt: Timestamp(milliseconds: 0), itemName: nil)
    private static let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 300)

    let id: RoomID
    private var head = RoomHead.none

    init(number: UInt128) { id = RoomID(bits: number) }

    mutating func next() -> RoomAppend {
        let seq = head.seq + 1
        let hash = EventHash(words: (UInt64(seq) &* 0x9E37_79B9_7F4A_7C15, 0, 0, 0))
        let at = Timestamp(milliseconds: Int64(seq))
        let event = StoredEvent(
            seq: seq, at: at, type: "bid.placed", publicBytes: Self.bytes, privateBytes: nil, hash: hash)
        let append = RoomAppend(
            room: id, expected: head, events: [event], profile: seq == 1 ? Self.profile : nil,
            status: RoomStatus(
                state: "auctioning", round: 1, endsAt: at, currentPrice: Int64(seq), isArchived: false, isOpen: false),
            responses: [])
        head = append.newHead
        return append
    }
}
