import AuctionDomain
import EventLog
import Testing

@testable import EventLogSQLite

/// Deletion of old archived rooms.
struct PruningTests {
    private static let later = PruningRule(cutoff: Samples.after(1_000_000))
    private static let perRoom = [
        "event", "event_index", "answer", "snapshot", "snapshot_piece", "participation", "win", "archived_room",
    ]

    /// A room with everything that belongs to one, archived unless said otherwise.
    private func add(_ number: UInt64, to log: SQLiteEventLog, archived: Bool = true) throws -> SampleRoom {
        var room = SampleRoom(number)
        try log.commit(room.next(3, responses: [Samples.response(UInt128(number)), Samples.response(UInt128(number) + 100)]))
        room.status = Samples.status(archived: archived)
        try log.commit(room.next(2, responses: [Samples.response(UInt128(number) + 200)]))
        try log.save([RoomSnapshot(room: room.id, seq: 4, bytes: [1, 2, 3])])
        return room
    }

    /// Everything in the index, as it is a second after the last event.
    @discardableResult
    private func prune(
        _ log: SQLiteEventLog, _ rule: PruningRule = later, isDryRun: Bool = false, report: (RoomID) -> Void = { _ in }
    ) throws -> PrunedRooms {
        try log.writer.flushAll()
        return try log.pruneAll(rule, isDryRun: isDryRun, report: report)
    }

    private func rows(_ log: SQLiteEventLog, of number: Int) throws -> [String] {
        try log.readers.read { db in
            try Self.perRoom.filter { table in
                try db.long("SELECT count(*) FROM \(table) WHERE room = ?", number) != 0
            }
        }
    }

    @Test func `an archived room is deleted whole, the others stay as they are`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        let old = try add(1, to: log)
        let open = try add(2, to: log, archived: false)
        let newest = try add(3, to: log)
        let others = [open, newest]
        let before = try others.map { try log.events(of: $0.id, after: 0, limit: 99) }
        var reported: [RoomID] = []
        #expect(try !rows(log, of: 1).isEmpty)
        let dry = try prune(log, isDryRun: true) { reported.append($0) }
        #expect(reported == [old.id] && dry.rooms == 1 && dry.events == 5)
        #expect(try log.seqs(old.id) == [1, 2, 3, 4, 5])
        #expect(try prune(log) == dry)
        for _ in 1...2 {
            #expect(try rows(log, of: 1) == [])
            #expect(try log.load(old.id, responsesSince: Samples.noon) == nil && log.seqs(old.id) == [])
            #expect(try log.storedResponse(at: 1) == nil)
            #expect(try others.map { try log.events(of: $0.id, after: 0, limit: 99) } == before)
            #expect(try log.load(open.id, responsesSince: Samples.noon)?.responses.count == 3)
            #expect(try prune(log).rooms == 0)
            log.close()
            log = try scratch.open()
        }
        let archive = try SQLiteArchive(path: scratch.path)
        #expect(try archive.allRooms() == others.map(\.id) && archive.damage() == [])
    }

    @Test func `a room stays while it is young, the newest, unread, or kept`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var old = try add(1, to: log)
        let kept = try add(2, to: log)
        _ = try add(3, to: log)
        #expect(try prune(log, PruningRule(cutoff: Samples.noon)).rooms == 0)
        var rule = Self.later
        rule.passed = 4
        #expect(try prune(log, rule).rooms == 0)
        #expect(try prune(log, rule).unread == 2)
        (rule.passed, rule.kept) = (10, [kept.id])
        // The room of the newest event of all stays, although it is not the newest room.
        try log.commit(old.next())
        #expect(try prune(log, rule).rooms == 0)
        #expect(try prune(log, rule).unread == 1)
        rule.kept = []
        #expect(try prune(log, rule).rooms == 1)
        #expect(try log.seqs(kept.id) == [] && log.seqs(old.id).count == 6)
    }

    @Test func `a room of which an event is missing stays`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        let old = try add(1, to: log)
        _ = try add(2, to: log)
        try log.writer.flushAll()
        try log.writer.connection.use { try $0.execute("DELETE FROM event_index WHERE room = 1 AND seq = 2") }
        let result = try prune(log)
        #expect(result.rooms == 0 && result.damaged == 1)
        #expect(try log.load(old.id, responsesSince: Samples.noon) != nil)
    }

    @Test func `a reader of the feed from before a deleted event is refused, one from after it goes on`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        _ = try add(1, to: log)
        _ = try add(2, to: log)
        var last = try add(3, to: log)
        guard case .events(let before) = try log.feed(after: .beginning, limit: 99) else { throw ScenarioFailure() }
        var rule = Self.later
        rule.passed = before[9].position.number
        #expect(try prune(log, rule).rooms == 2)
        for _ in 1...2 {
            for index in 0..<9 { #expect(try log.feed(after: before[index].position, limit: 99) == .gone) }
            for index in 9..<15 {
                #expect(try log.feed(after: before[index].position, limit: 99) == .events(Array(before[(index + 1)...])))
            }
            let wrong = FeedPosition(number: before[9].position.number, hash: 1)
            #expect(try log.feed(after: wrong, limit: 99) == .gone)
            #expect(try log.feed(after: .beginning, limit: 99) == .events(Array(before[10...])))
            log.close()
            log = try scratch.open()
        }
        // Numbers are not given again.
        try log.commit(last.next(1, responses: [Samples.response(9)]))
        #expect(try log.feedEnd().number == 16)
    }

    @Test func `a reader that stands at an event that stays is refused if one that it has not read was deleted`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        let stays = try log.create(SampleRoom(1))
        let early = try log.feedEnd()
        _ = try add(2, to: log)
        try log.create(SampleRoom(3))
        #expect(try prune(log).rooms == 1)
        #expect(try log.seqs(stays.id) == [1])
        #expect(try log.feed(after: early, limit: 9) == .gone)
    }

    @Test func `a reader that begins after a pruning gets all that is there page by page, until the next one`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var stays = try add(1, to: log, archived: false)
        var old = SampleRoom(2)
        old.status = Samples.status(archived: true)
        try log.commit(old.next(1))
        try log.commit(stays.next(2))
        // After some events of the room that stays.
        try log.commit(old.next(1))
        let older = try add(3, to: log)
        _ = try add(4, to: log)
        var rule = Self.later
        rule.kept = [older.id]
        #expect(try prune(log, rule).rooms == 1)

        var (read, positions) = ([Int64](), [FeedPosition.beginning])
        while case .events(let page) = try log.feed(after: positions[read.count], limit: 1), let event = page.first {
            read.append(event.position.number)
            positions.append(event.position)
        }
        #expect(read == [1, 2, 3, 4, 5, 7, 8] + Array(10...19))
        // The room between them is pruned as well: those who have not read all of it are refused.
        #expect(try prune(log).rooms == 1)
        for position in positions.dropFirst() {
            let isGone = try log.feed(after: position, limit: 1) == .gone
            #expect(isGone == (position.number < 14))
        }
        #expect(try log.feed(after: .beginning, limit: 9) != .gone)
    }

    @Test func `positions of deleted responses are not given again`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var stays = try log.create(SampleRoom(1))
        var old = try log.create(SampleRoom(2))
        old.status = Samples.status(archived: true)
        let positions = try log.commit(old.next(1, responses: [Samples.response(1)]))
        try log.create(SampleRoom(3))
        #expect(try prune(log).rooms == 1)
        log.close()
        log = try scratch.open()
        let next = try log.commit(stays.next(1, responses: [Samples.response(2)]))
        #expect(next == positions.map { $0 + 1 })
    }

    @Test func `the rows of a pruned room are deleted a few at a time, also after a crash`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        limits.eventsPerPruning = 2
        var log = try scratch.open(limits)
        let old = try add(1, to: log)
        let newest = try add(2, to: log)
        try log.writer.flushAll()
        let found = try log.prunableRooms(before: Self.later.cutoff, after: 0, limit: 9)
        #expect(try found.count == 1 && log.prune(found[0]))
        for left in [5, 3, 1, 0, 0] {
            #expect(try log.readers.read { try $0.long("SELECT count(*) FROM event WHERE room = 1") } == Int64(left))
            // Nothing shows what is left.
            guard case .events(let events) = try log.feed(after: .beginning, limit: 99) else { throw ScenarioFailure() }
            #expect(events.allSatisfy { $0.room == newest.id })
            #expect(try log.rooms(naming: [UserID(bits: 1)], after: 0, limit: 99).rooms.contains(old.id) == false)
            log.close()
            let archive = try SQLiteArchive(path: scratch.path)
            #expect(try archive.allRooms() == [newest.id] && archive.damage() == [])
            log = try scratch.open(limits)
            _ = try log.deletePrunedRows()
        }
        #expect(try rows(log, of: 1) == [] && log.deletePrunedRows() == false)
    }

    @Test func `a room with changes that wait for the next flush is not pruned`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var old = try add(1, to: log)
        _ = try add(2, to: log)
        #expect(try log.prunableRooms(before: Self.later.cutoff, after: 0, limit: 9) == [])
        try log.writer.flushAll()
        let found = try log.prunableRooms(before: Self.later.cutoff, after: 0, limit: 9)
        try log.commit(old.next(1, responses: [Samples.response(9)]))
        #expect(try found.count == 1 && log.prune(found[0]) == false)
        #expect(try log.seqs(old.id).count == 6)
    }

    private struct ScenarioFailure: Error {}
}
