import AuctionDomain
import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import EventLogSQLite

/// The file with pictures beside a log in SQLite.
struct PictureFileTests {
    private let picture = StoredPicture(type: "image/webp", width: 3, height: 2, bytes: Array(repeating: 5, count: 100_000))
    private let upload = PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: Samples.noon)

    @Test func `the first upload creates the file, for its owner only, and it is there after a restart`() throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        let path = scratch.path + ".media"
        #expect(try log.pictures.keep([picture.id]) == [picture.id])
        #expect(try log.pictures.deleteUnused(before: Samples.noon, limit: 1) == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try log.pictures.store(picture, by: upload, limits: .none)
        #expect(try scratch.mode(path) == 0o600)
        log.close()
        log = try scratch.open()
        defer { log.close() }
        #expect(log.pictures.total == PictureTotal(count: 1, bytes: 100_000))
        #expect(try log.pictures.picture(picture.id) == picture)
    }

    @Test func `the log itself does not grow by pictures`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let before = try scratch.size(scratch.path) + scratch.size(scratch.path + "-wal")
        _ = try log.pictures.store(picture, by: upload, limits: .none)
        #expect(try scratch.size(scratch.path) + scratch.size(scratch.path + "-wal") == before)
    }

    @Test func `an archive reads the pictures beside a running server, and reports changed bytes`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        _ = try log.pictures.store(picture, by: upload, limits: .none)
        _ = try log.pictures.keep([picture.id])
        func findings() throws -> [String] {
            var count = 0
            let pictures = try #require(try SQLiteArchive(path: scratch.path).storedPictures)
            defer { #expect(count == 1) }
            return try PictureAudit.findings(in: pictures, named: NamedPictures(), count: &count)
        }
        #expect(try findings().isEmpty)
        try Connection(scratch.path + ".media").execute("UPDATE picture SET bytes = zeroblob(100000)")
        #expect(try findings() == ["picture \(picture.id): its bytes have another digest"])
    }

    @Test func `a picture with a damaged page is named, and does not hide what is wrong with others`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        let other = StoredPicture(type: "image/webp", width: 3, height: 2, bytes: Array(repeating: 6, count: 100_000))
        for stored in [picture, other] { _ = try log.pictures.store(stored, by: upload, limits: .none) }
        log.close()
        let path = scratch.path + ".media"
        let size = PictureSchema.pageBytes
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // Such a page begins with the number of the next one.
        let page = try #require(
            (0..<bytes.count / size).first { page in
                bytes[(page * size + 4)..<((page + 1) * size)].allSatisfy { $0 == 5 }
            })
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: UInt64(page * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
        try Connection(path).execute("UPDATE picture SET bytes = zeroblob(9) WHERE id = '\(other.id)'")
        var count = 0
        let pictures = try #require(try SQLiteArchive(path: scratch.path).storedPictures)
        let findings = try PictureAudit.findings(in: pictures, named: NamedPictures(), count: &count)
        #expect(count == 2)
        #expect(findings.count == 2)
        #expect(findings.contains { $0.hasPrefix("picture \(picture.id): it cannot be read: ") })
        #expect(findings.contains("picture \(other.id): its bytes have another digest"))
    }

    @Test func `a file that another process is migrating is not migrated again`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        _ = try log.pictures.store(picture, by: upload, limits: .none)
        log.close()
        let path = scratch.path + ".media"
        let other = try Connection(path)
        try other.execute("DROP TABLE preview; PRAGMA user_version = 1; BEGIN IMMEDIATE; CREATE TABLE preview (id TEXT)")
        try other.execute("PRAGMA user_version = \(PictureSchema.version)")
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        // A separate thread, because all threads of the task pool may be blocked in other tests.
        Thread.detachNewThread {
            let result = Result {
                let db = try Connection(path, ConnectionSettings(busyMilliseconds: 60_000))
                try PictureSchema.prepare(db, path: path)
            }
            outcome.withLock { $0 = result }
            ended.signal()
        }
        // It reads the version of before the migration, and waits for the other's transaction.
        Thread.sleep(forTimeInterval: 0.3)
        try other.execute("COMMIT")
        ended.wait()
        try #require(outcome.withLock { $0 }).get()
    }

    @Test func `a picture that would leave too little of the disk free is not stored`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        let free = Int(try #require(LogFile(path: LogFile.directory(of: scratch.path)).freeBytes))
        var limits = PictureLimits()
        limits.freeBytes = free + (1 << 30)
        let error = #expect(throws: EventLogError.self) { try log.pictures.store(picture, by: upload, limits: limits) }
        #expect(error?.code == .full)
        limits.freeBytes = free / 2
        #expect(try log.pictures.store(picture, by: upload, limits: limits) == .stored)
        #expect(log.pictures.failure == nil)
    }

    @Test func `a damaged file of pictures does not keep the log from opening`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try Data(repeating: 7, count: 50_000).write(to: URL(filePath: scratch.path + ".media"))
        let log = try scratch.open()
        defer { log.close() }
        #expect(throws: EventLogError.self) { try log.pictures.picture(picture.id) }
        #expect(log.pictures.failure != nil)
        #expect(throws: EventLogError.self) { try log.pictures.store(picture, by: upload, limits: .none) }
        let room = try log.create(SampleRoom(1))
        #expect(try log.seqs(room.id) == [1])
        var count = 0
        let pictures = try #require(try SQLiteArchive(path: scratch.path).storedPictures)
        let findings = try PictureAudit.findings(in: pictures, named: NamedPictures(), count: &count)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("the pictures cannot be listed: ") == true)
    }
}
