import AuctionDomain
import EventLog
import Foundation
import GRDB
import Testing

@testable import EventLogSQLite

/// What a start makes of the files that a crash leaves, compared with the log in memory.
@Suite struct SQLiteCrashes {
    @Test(arguments: 1...4)
    func `at any moment a crash loses nothing that was acknowledged`(seed: UInt64) throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var story = Story(seed: seed)
        for step in 0..<120 {
            try story.goOn(log)
            if step % 10 == 0 { try story.check(log) }
            guard step % 7 == 0 else { continue }
            let copy = try scratch.crash()
            let restarted = try copy.open(.tiny)
            try story.check(restarted)
            // And it is a log like any other.
            var fork = try story.copy()
            for _ in 0..<5 { try fork.goOn(restarted) }
            try fork.check(restarted)
            restarted.close()
        }
    }

    /// Starts on what a crash leaves, again and again, until all of it is flushed.
    private func checkCrashes(of scratch: Scratch, _ story: Story) throws {
        var copy = try scratch.crash()
        // Each start that crashes again has flushed some of it.
        for _ in 0..<2 {
            let restarted = try copy.open(.tiny)
            try story.check(restarted)
            _ = try restarted.writer.flushSlice()
            try story.check(restarted)
            let next = try copy.crash()
            restarted.close()
            copy = next
        }
        let restarted = try copy.open(.tiny)
        try restarted.writer.flushAll()
        #expect(restarted.writer.live.behind == 0)
        try story.check(restarted)
        restarted.close()
    }

    @Test func `between any two slices of a flush a crash loses nothing`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var story = Story(seed: 99)
        var slices = 0
        // Where the last flush ended by itself decides how much is left for one round.
        for _ in 0..<6 {
            for _ in 0..<60 { try story.append(log) }
            while try log.writer.flushSlice() {
                slices += 1
                if slices % 2 == 0 { try story.append(log) }
                try checkCrashes(of: scratch, story)
            }
        }
        #expect(slices > 10)
        try story.check(log)
    }

    @Test func `a start after a crash writes nothing of what waited for a flush, and the first maintenance all of it`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        for _ in 0..<50 { try log.commit(room.next(answers: [Samples.answer(1)])) }
        let copy = try scratch.crash()
        let restarted = try copy.open()
        defer { restarted.close() }
        #expect(restarted.writer.live.behind == log.writer.live.behind)
        #expect(try restarted.seqs(room.id) == Array(1...51))
        try restarted.maintain()
        #expect(restarted.writer.live.behind == 0)
        #expect(try restarted.seqs(room.id) == Array(1...51))
        try restarted.commit(room.next())
    }

    @Test func `the watermark moves at the end of a round and no further than its beginning`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var rooms = (1...7).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next(2, answers: [Samples.answer(1)]) })
        while try log.writer.flushSlice() {
            #expect(try log.watermark() == [0, 0])
            _ = try log.append([rooms[6].next(answers: [Samples.answer(2)])])
        }
        #expect(try log.watermark() == [14, 7])
        #expect(log.writer.live.behind > 0)
        try log.writer.flushAll()
        #expect(log.writer.live.behind == 0)
        let all = try log.readers.read {
            [
                try Int.fetchOne($0, sql: "SELECT count(*) FROM event"),
                try Int.fetchOne($0, sql: "SELECT count(*) FROM answer"),
                try Int.fetchOne($0, sql: "SELECT count(*) FROM event_index"),
            ]
        }
        #expect(try log.watermark() == [all[0], all[1]])
        #expect(all[2] == all[0])
    }

    @Test func `closing flushes, so that a start has nothing to read`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = SampleRoom(1)
        for _ in 0..<10 { try log.commit(room.next()) }
        #expect(try log.watermark() == [0, 0])
        log.close()
        let again = try scratch.open()
        defer { again.close() }
        #expect(try again.watermark() == [10, 0])
        #expect(again.writer.live.count == 0)
        #expect(try again.seqs(room.id).count == 10)
    }

    @Test func `a room with a gap behind the watermark shows it, and the others are as they were`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var (damaged, sound) = (SampleRoom(1), SampleRoom(2))
        for _ in 0..<5 {
            try log.commit(damaged.next())
            try log.commit(sound.next())
        }
        let copy = try scratch.crash()
        try DatabaseQueue(path: copy.path).write { try $0.execute(sql: "DELETE FROM event WHERE position = 5") }
        for _ in 0..<2 {
            let again = try copy.open()
            #expect(try again.events(of: damaged.id, after: 0, limit: 10).map(\.seq) == [1, 2])
            let gap = #expect(throws: EventLogError.self) { try again.events(of: damaged.id, after: 2, limit: 10) }
            #expect(gap?.message.contains("seq 3 is missing") == true)
            #expect(try again.seqs(sound.id) == [1, 2, 3, 4, 5])
            again.close()
        }
    }

    @Test func `an end that is missing behind the watermark is found at the start`() throws {
        for statement in ["DELETE FROM event WHERE position = 5", "DELETE FROM room"] {
            let scratch = try Scratch()
            let log = try scratch.open()
            defer { log.close() }
            var room = SampleRoom(1)
            for _ in 0..<4 { try log.commit(room.next()) }
            room.status = Samples.status("closed")
            try log.commit(room.next())
            let copy = try scratch.crash()
            try DatabaseQueue(path: copy.path).write { try $0.execute(sql: statement) }
            let error = copy.refusal()
            #expect(error?.code == .corrupt, "\(statement)")
            #expect(error?.message.contains(copy.path) == true)
        }
    }
}

extension SQLiteEventLog.Limits {
    /// So that a few events take many slices, rooms are forgotten and the tail overflows.
    static let tiny = Self(
        checkpointPages: 20, restartPages: 40, rooms: 5, flushedAt: 10, callsPerFlush: 2, flushedRooms: 2,
        flushedEvents: 5, unflushed: 60)
}

extension SQLiteEventLog {
    func watermark() throws -> [Int] {
        let row = try readers.read { try Row.fetchOne($0, sql: "SELECT event, answer FROM flushed") }
        return try row.map { [try $0.integer(0), try $0.integer(1)] } ?? []
    }
}

extension Scratch {
    /// What a crash leaves: the files as they are, copied without asking SQLite, and no shared memory.
    func crash() throws -> Scratch {
        let copy = try Scratch()
        try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix) }
        return copy
    }
}
