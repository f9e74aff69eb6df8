import AuctionDomain
import EventLog
import Synchronization
import Testing

@testable import EventLogSQLite

/// Reads while a flush moves events from memory into the index.
@Suite struct SQLiteReadingBesideFlush {
    @Test func `concurrent readers see no gap while events are flushed`() async throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits.tiny
        limits.checkpointPages = 200
        let log = try scratch.open(limits)
        defer { log.close() }
        let (turns, isOver) = (400, Flag())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isOver.raise() }
                var rooms = (1...8).map { SampleRoom(UInt64($0)) }
                for turn in 0..<turns {
                    // The price follows seq, so that a row with an inconsistent head and status is detected.
                    for index in rooms.indices {
                        rooms[index].status = Samples.status(
                            turn / 50 % 2 == 0 ? "listing" : "auctioning", price: Int64(rooms[index].head.seq + 2))
                    }
                    _ = try log.append(rooms.indices.map { rooms[$0].next(2) })
                    if turn % 10 == 0 {
                        try log.save(rooms.map { RoomSnapshot(room: $0.id, seq: $0.head.seq, bytes: [1]) })
                    }
                }
            }
            group.addTask { while !isOver.isRaised { try log.maintain() } }
            for reader in 1...3 {
                group.addTask { try Self.read(SampleRoom(UInt64(reader)).id, log, until: 2 * turns, or: isOver) }
            }
            try await group.waitForAll()
        }
    }

    /// Reads until `end` events are visible, or once more after the writer has stopped.
    private static func read(_ id: RoomID, _ log: SQLiteEventLog, until end: Int, or isOver: Flag) throws {
        var last = 0
        while last < end {
            let isLastRead = isOver.isRaised
            defer { if isLastRead { last = end } }
            guard let loaded = try log.load(id, responsesSince: Samples.noon) else { continue }
            let start = loaded.snapshot?.seq ?? 0
            #expect(loaded.events.map(\.seq) == Array((start + 1)..<(loaded.head.seq + 1)))
            #expect(loaded.hashAtSnapshot == (start == 0 ? .zero : Samples.hash(start)))
            #expect(loaded.head.seq >= last && loaded.head.seq.isMultiple(of: 2))
            let read = try log.events(of: id, after: last, limit: 1000).map(\.seq)
            #expect(read == Array((last + 1)..<(last + 1 + read.count)))
            #expect(read.last ?? last >= loaded.head.seq)
            let row = try #require(try log.rooms(RoomQuery(limit: 10)).first { $0.room == id })
            #expect(row.head.seq >= read.last ?? last)
            #expect(row.status.currentPrice == Int64(row.head.seq))
            last = loaded.head.seq
        }
    }

    /// Produces each interleaving of the race in the test above deterministically.
    @Test func `appends and flushes between copying the view and reading do not change the result`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var room = SampleRoom(1)
        try log.commit(room.next(7, responses: [Samples.response(1)]))
        try log.writer.flushAll()
        try log.commit(room.next(6, responses: [Samples.response(2)]))
        func currentView(_ after: Int, _ limit: Int) -> RoomView? {
            log.writer.cache.view(of: room.id, after: after, limit: limit)
        }
        let (id, head, whole) = (room.id, room.head, currentView(0, .max))
        let pages = [0, 4, 6, 7, 9, 12, 13, 20].flatMap { after in [1, 4, 100].map { (after, $0, currentView(after, $0)) } }
        let others = (2...9).map { SampleRoom(UInt64($0)) }
        let interleavings: [() throws -> Void] = [
            {}, { _ = try log.writer.flushSlice() }, { try log.writer.flushAll() },
            {
                try log.commit(room.next(3))
                room.status = Samples.status("closed")
                try log.commit(room.next(3))
            },
            { try log.writer.flushAll() },
            {
                for other in others { try log.create(other) }
                try log.writer.flushAll()
                #expect(currentView(0, 1) == nil)
            },
        ]
        for step in interleavings {
            try step()
            try log.readers.read { db throws in
                let loaded = try SQLiteEventLog.load(id, whole, .all, db)
                #expect(loaded?.head == head)
                #expect(loaded?.events.map(\.seq) == Array(1...13))
                #expect(loaded?.responses.count == 2)
                for (after, limit, view) in pages {
                    let seqs = try SQLiteEventLog.events(1, view, after: after, limit: limit, db).events.map(\.seq)
                    #expect(seqs == Array((1...13).dropFirst(after).prefix(limit)))
                }
            }
        }
    }

    @Test func `a room without a view is read as far as it is indexed`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = SampleRoom(1)
        func loadWithoutView() throws -> LoadedHistory? {
            try log.readers.read { try SQLiteEventLog.load(room.id, nil, .all, $0) }
        }
        // The row exists already, but no event is indexed.
        try log.commit(room.next(3))
        #expect(try loadWithoutView() == nil)
        try log.writer.flushAll()
        let head = room.head
        room.status = Samples.status("closed")
        try log.commit(room.next(2))
        #expect(try loadWithoutView()?.head == head)
        // A snapshot beyond the indexed events requires a retry.
        try log.save([RoomSnapshot(room: room.id, seq: 5, bytes: [1])])
        #expect(try loadWithoutView()?.head == RoomHead.none)
        let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
        #expect(loaded.head == room.head && loaded.events.isEmpty && loaded.hashAtSnapshot == Samples.hash(5))
        try log.writer.flushAll()
        #expect(try loadWithoutView()?.head == room.head)
    }
}

/// A flag that can be set once, by any thread.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}

extension WantedKeys {
    fileprivate static let all = WantedKeys(since: Samples.noon)
}
