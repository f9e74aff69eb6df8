import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// An archive of one room in memory, whose parts a test can damage.
struct ArchiveStub: LogArchive {
    var room: RoomID
    var events: [StoredEvent]
    var head: RoomHead
    var snapshot: RoomSnapshot?

    init(_ scenario: Scenario, snapshotAt index: Int? = nil) throws {
        self.init(scenario.room.id, scenario.history)
        guard let index else { return }
        var room = Room(id: scenario.room.id, opening: scenario.history[0])
        for event in scenario.history.dropFirst().prefix(index) { try room?.apply(event) }
        snapshot = try room.map { room throws(EventLogError) in try RoomReplay.snapshot(of: room) }
    }

    init(_ room: RoomID, _ history: [Event]) {
        self.room = room
        events = EventCodec.encode(history, currency: .cny, after: .zero)
        head = events.last.map { RoomHead(seq: $0.seq, headHash: $0.hash.headHash) } ?? .none
    }

    func allRooms() throws(EventLogError) -> [RoomID] { [room] }

    func record(of room: RoomID) throws(EventLogError) -> ArchivedRoom? {
        room == self.room ? ArchivedRoom(head: head, lastSeq: head.seq, snapshot: snapshot) : nil
    }

    func events(of room: RoomID, after: Int, limit: Int) throws(EventLogError) -> [StoredEvent] {
        Array(events.drop { $0.seq <= after }.prefix(limit))
    }

    /// The audit's findings, without the room's identifier.
    func findings() throws -> [String] {
        try LogAudit.findings(of: room, in: self).map { $0.description.replacing("\(room): ", with: "") }
    }

    /// All rows of the index by user after the first `count` events.
    func users(after count: Int) throws -> UserChanges {
        var room: Room?
        for stored in events.prefix(count) {
            let event = try EventCodec.decode(stored, after: room)
            if room == nil { room = Room(id: self.room, opening: event) } else { try room?.apply(event) }
        }
        return UserChanges(of: try #require(room))
    }

    /// The append of all events to an empty log, with the rows that follow from them.
    func append(status: RoomStatus = Samples.status(), _ change: (inout UserChanges) -> Void = { _ in }) throws -> RoomAppend {
        var users = try users(after: events.count)
        change(&users)
        return RoomAppend(
            room: room, expected: .none, events: events, profile: Samples.profile(), status: status, responses: [], users: users
        )
    }

    /// Replaces an event's public bytes without updating its hash.
    mutating func forge(_ index: Int, _ change: (String) -> String) {
        let event = events[index]
        events[index] = StoredEvent(
            seq: event.seq, at: event.at, type: event.type,
            publicBytes: Array(change(String(decoding: event.publicBytes, as: UTF8.self)).utf8),
            privateBytes: event.privateBytes, hash: event.hash)
    }
}

extension Scenario {
    /// Two rounds: one sold after two bids, one passed.
    static func twoRounds() throws -> Scenario {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        try scenario.bid(12000, by: scenario.rival)
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 18000)
        return scenario
    }

    /// Index of the first event that matches.
    func index(of matches: (EventBody) -> Bool) throws -> Int {
        try #require(history.firstIndex { matches($0.body) })
    }
}
