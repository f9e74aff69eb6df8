import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// Deletion of old archived rooms, while other nodes and programs use the database.
struct PostgresPruningTests {
    private static let later = PruningRule(cutoff: Samples.after(1_000_000))
    private static let perRoom = ["event", "answer", "snapshot", "participation", "win", "archived_room", "feed", "feed_room"]

    private let store: TestStore
    private let log: PostgresEventLog

    init() throws {
        store = try TestStore()
        log = try store.open()
    }

    /// A room with everything that belongs to one, archived unless said otherwise.
    private func add(_ number: UInt64, archived: Bool = true) throws -> SampleRoom {
        var room = SampleRoom(number)
        var users = UserChanges()
        let user = UserID(bits: UInt128(number))
        users.participations = [Participation(user: user, role: "bidder", bidRound: 1)]
        users.wins = [Win(winner: user, round: 1, item: ItemID(bits: 1), itemName: "Teapot", price: 7, at: Samples.noon)]
        let responses = [Samples.response(UInt128(number)), Samples.response(UInt128(number) + 100)]
        try log.commit(room.next(3, responses: responses, users: users))
        room.status = Samples.status(archived: archived)
        try log.commit(room.next(2))
        try log.save([RoomSnapshot(room: room.id, seq: 4, bytes: [1, 2, 3])])
        return room
    }

    private func found() throws -> [PrunableRoom] { try log.prunableRooms(before: Self.later.cutoff, after: 0, limit: 9) }

    private func events(after position: FeedPosition = .beginning) throws -> [FeedEvent]? {
        guard case .events(let events) = try log.feed(after: position, limit: 99) else { return nil }
        return events
    }

    private func rows(of number: Int) throws -> [String] {
        try Self.perRoom.filter { try store.text("SELECT count(*)::text FROM \($0) WHERE room = \(number)") != "0" }
    }

    @Test func `the rows of a pruned room are deleted a few at a time, and nothing shows them meanwhile`() throws {
        let old = try add(1)
        let newest = try add(2)
        let rooms = try found()
        #expect(try rooms.count == 1 && log.prune(rooms[0]))
        for left in [5, 3, 1, 0] {
            #expect(try store.text("SELECT count(*)::text FROM event WHERE room = 1") == "\(left)")
            #expect(try #require(try events()).allSatisfy { $0.room == newest.id })
            #expect(try log.rooms(naming: [UserID(bits: 1)], after: 0, limit: 99).rooms.contains(old.id) == false)
            #expect(try PostgresArchive(store.url).allRooms() == [newest.id])
            #expect(try log.deletePrunedRows(2))
        }
        #expect(try rows(of: 1) == [] && log.deletePrunedRows(2) == false)
        #expect(try rows(of: 2).count >= 7)
        #expect(try log.records(RecordQuery(kind: InternalRecords.pruned, limit: 9)) == [])
    }

    @Test func `a reader of the feed is refused although the deleted events had no number when it read`() throws {
        try log.create(SampleRoom(1))
        let early = try log.feedEnd()
        let old = try add(2)
        try log.create(SampleRoom(3))
        let rooms = try found()
        #expect(rooms.map(\.id) == [old.id] && rooms[0].end.number > early.number)
        #expect(try log.prune(rooms[0]))
        #expect(try events(after: early) == nil)
        #expect(try log.prunedEnd() == rooms[0].end)
    }

    @Test func `a reader that begins after a pruning gets all that is there page by page, until the next one`() throws {
        var stays = try add(1, archived: false)
        let old = try add(2)
        _ = try log.feedEnd()
        try log.commit(stays.next(2))
        let older = try add(3)
        _ = try log.feedEnd()
        _ = try add(4)
        var rule = Self.later
        rule.kept = [older.id]
        #expect(try log.pruneAll(rule).rooms == 1)
        var (read, positions) = ([RoomID](), [FeedPosition.beginning])
        while case .events(let page) = try log.feed(after: positions[read.count], limit: 1), let event = page.first {
            read.append(event.room)
            positions.append(event.position)
        }
        #expect(read.count == 17 && !read.contains(old.id))
        #expect(try log.pruneAll(Self.later).rooms == 1)
        let end = try log.prunedEnd().number
        for position in positions.dropFirst() {
            #expect(try (events(after: position) == nil) == (position.number < end), "\(position.number)")
        }
        #expect(try #require(try events()).count == 12)
    }

    @Test func `no room is pruned while an archive is open`() throws {
        let old = try add(1)
        _ = try add(2)
        let room = try found()[0]
        do {
            let archive = try PostgresArchive(store.url)
            let error = #expect(throws: EventLogError.self) { try log.prune(room) }
            #expect(error?.code == .unavailable && error?.message.contains("reads the log") == true)
            #expect(try archive.events(of: old.id, after: 0, limit: 9).count == 5)
        }
        #expect(try log.prune(room))
    }

    @Test func `a room that another transaction changes is not pruned, and of two nodes one prunes it`() throws {
        _ = try add(1)
        _ = try add(2)
        let other = try store.open()
        defer { other.close() }
        let room = try found()[0]
        let session = try store.session()
        try session.execute("BEGIN")
        try session.execute("SELECT FROM room WHERE number = 1 FOR NO KEY UPDATE")
        #expect(try log.prune(room) == false)
        try session.execute("ROLLBACK")
        #expect(try other.prune(room))
        #expect(try log.prune(room) == false)
        #expect(try log.heads(of: [room.id]) == [.none])
        #expect(try log.changes(of: room.id, since: .none, responsesAfter: 0, limit: 9) == nil)
    }

    @Test func `rooms are found however far apart their numbers are, and one whose event is missing stays`() throws {
        let first = try add(1)
        try store.session().execute("ALTER TABLE room ALTER COLUMN number RESTART WITH 3500")
        let damaged = try add(2)
        _ = try add(3)
        try store.session().execute("DELETE FROM event WHERE room = 3500 AND seq = 2")
        #expect(try found().map(\.id) == [first.id, damaged.id])
        #expect(try log.prunableRooms(before: Self.later.cutoff, after: 1, limit: 1).map(\.id) == [damaged.id])
        let result = try log.pruneAll(Self.later)
        #expect(result.rooms == 1 && result.damaged == 1)
        #expect(try log.seqs(damaged.id) == [1, 3, 4, 5])
    }

    @Test func `no log is made where there is none`() throws {
        let empty = try TestStore()
        #expect(throws: EventLogError.self) { try PostgresEventLog.requireLog(empty.url) }
        #expect(try empty.text("SELECT count(*)::text FROM pg_tables WHERE schemaname = '\(empty.schema)'") == "0")
        try PostgresEventLog.requireLog(store.url)
    }
}
