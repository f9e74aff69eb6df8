import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// Starts on the files that a crash leaves behind, compared with the in-memory log.
@Suite struct SQLiteCrashes {
    @Test(arguments: 1...4)
    func `a crash at any step loses nothing that was acknowledged`(seed: UInt64) throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var history = RandomHistory(seed: seed)
        for step in 0..<120 {
            try history.performRandomOperation(log)
            if step % 10 == 0 { try history.check(log) }
            guard step % 7 == 0 else { continue }
            let copy = try scratch.crash()
            let restarted = try copy.open(.tiny)
            try history.check(restarted)
            // The restarted log remains usable.
            var fork = try history.copy()
            for _ in 0..<5 { try fork.performRandomOperation(restarted) }
            try fork.check(restarted)
            restarted.close()
        }
    }

    /// Crashes and restarts several times, checking the content before and after each part of a flush.
    private func checkCrashes(of scratch: Scratch, _ history: RandomHistory) throws {
        var copy = try scratch.crash()
        // Each restart flushes one slice and crashes again.
        for _ in 0..<2 {
            let restarted = try copy.open(.tiny)
            try history.check(restarted)
            _ = try restarted.writer.flushSlice()
            try history.check(restarted)
            let next = try copy.crash()
            restarted.close()
            copy = next
        }
        let restarted = try copy.open(.tiny)
        try restarted.writer.flushAll()
        #expect(restarted.writer.cache.pendingCount == 0)
        try history.check(restarted)
        restarted.close()
    }

    @Test func `a crash between two slices of a flush loses nothing`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var history = RandomHistory(seed: 99)
        var slices = 0
        // Repeated, because the number of rooms in a round depends on where the previous flush ended.
        for _ in 0..<6 {
            for _ in 0..<60 { try history.append(log) }
            while try log.writer.flushSlice() {
                slices += 1
                if slices % 2 == 0 { try history.append(log) }
                try checkCrashes(of: scratch, history)
            }
        }
        #expect(slices > 10)
        try history.check(log)
    }

    @Test func `after a crash pending changes are flushed by the first maintain, not by the start`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var room = try log.create(SampleRoom(1))
        for _ in 0..<50 { try log.commit(room.next(responses: [Samples.response(1)])) }
        let copy = try scratch.crash()
        let restarted = try copy.open()
        defer { restarted.close() }
        #expect(restarted.writer.cache.pendingCount == log.writer.cache.pendingCount)
        #expect(try restarted.seqs(room.id) == Array(1...51))
        try restarted.maintain()
        #expect(restarted.writer.cache.pendingCount == 0)
        #expect(try restarted.seqs(room.id) == Array(1...51))
        try restarted.commit(room.next())
    }

    @Test func `the watermark moves when a round ends, to the position at which the round began`() throws {
        let scratch = try Scratch()
        let log = try scratch.open(.tiny)
        defer { log.close() }
        var rooms = (1...7).map { SampleRoom(UInt64($0)) }
        _ = try log.append(rooms.indices.map { rooms[$0].next(2, responses: [Samples.response(1)]) })
        while try log.writer.flushSlice() {
            #expect(try log.watermark() == [0, 0])
            _ = try log.append([rooms[6].next(responses: [Samples.response(2)])])
        }
        #expect(try log.watermark() == [14, 7])
        #expect(log.writer.cache.pendingCount > 0)
        try log.writer.flushAll()
        #expect(log.writer.cache.pendingCount == 0)
        let all = try log.readers.read {
            [
                try $0.long("SELECT count(*) FROM event"),
                try $0.long("SELECT count(*) FROM answer"),
                try $0.long("SELECT count(*) FROM event_index"),
            ]
        }
        #expect(try log.watermark() == [all[0], all[1]])
        #expect(all[2] == all[0])
    }

    @Test func `closing flushes all pending changes`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = SampleRoom(1)
        for _ in 0..<10 { try log.commit(room.next()) }
        #expect(try log.watermark() == [0, 0])
        log.close()
        let again = try scratch.open()
        defer { again.close() }
        #expect(try again.watermark() == [10, 0])
        #expect(again.writer.cache.count == 0)
        #expect(try again.seqs(room.id).count == 10)
    }

    @Test func `a gap after the watermark makes only its own room unreadable`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        var (damaged, sound) = (SampleRoom(1), SampleRoom(2))
        for _ in 0..<5 {
            try log.commit(damaged.next())
            try log.commit(sound.next())
        }
        let copy = try scratch.crash()
        try Connection(copy.path).execute("DELETE FROM event WHERE position = 5")
        for _ in 0..<2 {
            let again = try copy.open()
            #expect(try again.events(of: damaged.id, after: 0, limit: 10).map(\.seq) == [1, 2])
            let gap = #expect(throws: EventLogError.self) { try again.events(of: damaged.id, after: 2, limit: 10) }
            #expect(gap?.message.contains("seq 3 is missing") == true)
            #expect(try again.seqs(sound.id) == [1, 2, 3, 4, 5])
            again.close()
        }
    }

    @Test func `a missing last event or room row after the watermark fails the start`() throws {
        for statement in ["DELETE FROM event WHERE position = 5", "DELETE FROM room"] {
            let scratch = try Scratch()
            let log = try scratch.open()
            defer { log.close() }
            var room = SampleRoom(1)
            for _ in 0..<4 { try log.commit(room.next()) }
            room.status = Samples.status("closed")
            try log.commit(room.next())
            let copy = try scratch.crash()
            try Connection(copy.path).execute(statement)
            let error = copy.refusal()
            #expect(error?.code == .corrupt, "\(statement)")
            #expect(error?.message.contains(copy.path) == true)
        }
    }
}

extension SQLiteEventLog.Limits {
    /// Small limits, so that a few events need many slices, cause evictions and exceed the limit of pending changes.
    static let tiny = Self(
        checkpointPages: 20, restartPages: 40, rooms: 5, flushThreshold: 10, callsPerFlush: 2, roomsPerSlice: 2,
        eventsPerSlice: 5, maximumPending: 60)
}

extension SQLiteEventLog {
    /// The watermark: last flushed event and response position.
    func watermark() throws -> [Int64?] {
        try readers.read { [try $0.long("SELECT event FROM flushed"), try $0.long("SELECT answer FROM flushed")] }
    }
}

extension Scratch {
    /// A copy of the files as a crash would leave them: copied without SQLite's locks, and without the shared memory file.
    func crash() throws -> Scratch {
        let copy = try Scratch()
        try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix) }
        return copy
    }
}
