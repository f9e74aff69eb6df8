import AuctionDomain
import AuctionTestKit
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

@Suite struct SQLiteFlushing {
    @Test func `an append writes only its events, and readers see its effects before the flush`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = try log.create(SampleRoom(1), status: Samples.status("auctioning", endsAt: Samples.noon))
        for turn in 1...40 {
            room.status = Samples.status("auctioning", endsAt: Samples.after(Int64(turn)), price: Int64(turn))
            try log.commit(room.next(responses: [Samples.response(UInt128(turn))]))
        }
        let stored = try log.readers.read { db in
            [
                try db.long("SELECT seq FROM room"), try db.long("SELECT last_answer FROM room"),
                try db.long("SELECT count(*) FROM event_index"),
            ]
        }
        #expect(stored == [1, 0, 0])
        for _ in 0..<2 {
            let row = try #require(try log.rooms(RoomQuery(state: "auctioning", limit: 1)).first)
            #expect(row.head == room.head)
            #expect(row.status == room.status)
            #expect(try log.openRooms() == [room.id])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.responses.count == 40)
            #expect(try log.seqs(room.id) == Array(1...41))
            try log.writer.flushAll()
        }
        #expect(try log.readers.read { try $0.long("SELECT seq FROM room") } == 41)
    }

    @Test func `the number of pending changes is bounded without a call of maintain`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var rooms = (1...9).map { SampleRoom(UInt64($0)) }
        for turn in 0..<60 {
            _ = try log.append(rooms.indices.map { rooms[$0].next(turn % 9 == $0 ? 5 : 1) })
            #expect(log.writer.cache.pendingCount <= SQLiteEventLog.Limits.tiny.maximumPending + 13)
        }
        for room in rooms { #expect(try log.seqs(room.id) == Array(1...room.head.seq)) }
    }

    @Test func `the number of cached rooms is bounded once they are flushed`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var rooms = (1...200).map { SampleRoom(UInt64($0)) }
        for index in rooms.indices { try log.commit(rooms[index].next()) }
        try log.writer.flushAll()
        for index in rooms.indices {
            try log.commit(rooms[index].comparison(with: rooms[index].head))
            #expect(log.writer.cache.count <= SQLiteEventLog.Limits.tiny.rooms)
        }
        for index in rooms.indices { try log.commit(rooms[index].next()) }
        #expect(try log.rooms(RoomQuery(limit: 1000)).map(\.head) == rooms.reversed().map(\.head))
        for room in rooms { #expect(try log.seqs(room.id) == [1, 2]) }
    }

    @Test func `a failed batch changes no head`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        let before = room
        var malformed = room.next(2)
        malformed = RoomAppend(
            room: room.id, expected: room.head, events: [Samples.event(9)], profile: nil, status: room.status, responses: [])
        var again = before
        #expect(throws: EventLogError.self) { try log.append([again.next(2, responses: [Samples.response(1)]), malformed]) }
        #expect(log.writer.cache.pendingCount == 1)
        #expect(try log.append([before.comparison(with: before.head)]) == [.appended(responsePositions: [])])
        #expect(try log.append([malformed]) == [.conflict(actual: before.head)])
        room = before
        #expect(try log.commit(room.next(responses: [Samples.response(1)])) == [1])
        try log.writer.flushAll()
        #expect(try log.seqs(room.id) == [1, 2])
    }

    @Test func `maintain flushes at a number of pending changes or after a number of calls`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        (limits.flushThreshold, limits.callsPerFlush) = (10, 3)
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = SampleRoom(1)
        try log.commit(room.next(9))
        for expected in [9, 9, 0] {
            try log.maintain()
            #expect(log.writer.cache.pendingCount == expected)
        }
        try log.commit(room.next(10))
        try log.maintain()
        #expect(log.writer.cache.pendingCount == 0)
    }

    @Test func `an index entry that exists already is reported as corruption and stops writes`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        try log.writer.connection.use { try $0.execute("INSERT INTO event_index VALUES (1, 2, 1)") }
        try log.commit(room.next())
        for _ in 1..<log.limits.callsPerFlush { try log.maintain() }
        #expect(#expect(throws: EventLogError.self) { try log.maintain() }?.code == .corrupt)
        #expect(#expect(throws: EventLogError.self) { try log.commit(room.next()) }?.code == .corrupt)
    }

    @Test func `the write-ahead log's file is reused instead of growing`() throws {
        let scratch = try Scratch()
        var limits = SQLiteEventLog.Limits()
        (limits.checkpointPages, limits.restartPages) = (20, 100)
        let log = try scratch.open(limits)
        defer { log.close() }
        var room = SampleRoom(1)
        for _ in 0..<200 {
            try log.commit(room.next(bytes: [UInt8](repeating: 1, count: 40_000)))
            try log.maintain()
        }
        // Eight megabytes were written in total.
        #expect(try scratch.size(scratch.path + "-wal") < 1 << 20)
    }

    @Test func `the space of discarded responses is used again`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = SampleRoom(1)
        for turn in 0..<40 {
            let responses = (0..<50).map { Samples.response(UInt128(50 * turn + $0), bytes: 20_000) }
            let positions = try log.commit(room.next(responses: responses))
            try log.discardResponses(at: positions)
        }
        func pragma(_ name: String) throws -> Int64? {
            try log.writer.connection.use { try $0.long("PRAGMA \(name)") }
        }
        // 40 megabytes were stored in total.
        let bytes = try #require(try pragma("page_count")) * Int64(Schema.pageBytes)
        #expect(bytes < 4 << 20)
        #expect(try pragma("synchronous") == 2)
    }

    @Test func `commits are synchronous again after a flush`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        try log.create(SampleRoom(1))
        try log.writer.flushAll()
        #expect(try log.writer.connection.use { try $0.long("PRAGMA synchronous") } == 2)
    }
}
