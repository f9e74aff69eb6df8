import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

/// Backups of a log, made and restored in one process.
struct BackupTests {
    private let scratch: Scratch
    private let log: SQLiteEventLog
    private var backup: SQLiteBackup { SQLiteBackup(of: scratch.path) }
    private var directory: String { scratch.directory + "/copy" }

    init() throws {
        scratch = try Scratch()
        log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next(3))
    }

    private func write() throws {
        #expect(try backup.write(to: directory, program: "test", at: "2026-01-01T00:00:00Z") { _ in 0 }?.events == 4)
    }

    private func restore(to name: String = "new.db") throws -> BackupManifest? {
        try SQLiteBackup(of: scratch.directory + "/" + name).restore(from: directory) { _ in 0 }
    }

    private func refusal(_ code: EventLogError.Code, _ text: String, _ call: () throws -> Void) {
        let error = #expect(throws: EventLogError.self) { try call() }
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "no message")")
    }

    @Test func `a restored log has the events, for its owner only, and none is restored over another`() throws {
        try write()
        #expect(try restore()?.events == 4)
        let restored = try SQLiteEventLog(path: scratch.directory + "/new.db", limits: .init())
        #expect(try restored.seqs(SampleRoom(1).id) == [1, 2, 3, 4])
        restored.close()
        #expect(try scratch.mode(scratch.directory + "/new.db") == 0o600)
        refusal(.unavailable, "new.db exists") { _ = try restore() }
        refusal(.unavailable, "copy exists already") { try write() }
        log.close()
    }

    @Test func `a backup with a changed or missing file is not restored, and each is named`() throws {
        _ = try log.pictures.store(
            StoredPicture(type: "image/webp", width: 3, height: 2, bytes: [5]),
            by: PictureUpload(room: RoomID(bits: 1), user: UserID(bits: 2), at: Samples.noon), limits: .none)
        try write()
        let file = try #require(FileHandle(forWritingAtPath: directory + "/log.db"))
        try file.seek(toOffset: 5000)
        try file.write(contentsOf: Data([1, 2, 3]))
        refusal(.corrupt, "log.db was changed") { _ = try restore() }
        try FileManager.default.removeItem(atPath: directory + "/log.db.media")
        refusal(.corrupt, "log.db.media is missing") { _ = try restore() }
        #expect(!BackupFiles.exists(scratch.directory + "/new.db"))
    }

    @Test func `a log is restored over the empty file of a server that has found its log gone`() throws {
        try write()
        let path = scratch.directory + "/new.db"
        try SQLiteEventLog(path: path, limits: .init()).close()
        BackupFiles.remove(path)
        refusal(.corrupt, "put a copy of it back") { _ = try SQLiteEventLog(path: path, limits: .init()) }
        #expect(BackupFiles.exists(path))
        #expect(try restore()?.events == 4)
        log.close()
    }

    @Test func `nothing is restored over a log that is open under another name`() throws {
        try write()
        try FileManager.default.linkItem(atPath: scratch.path, toPath: scratch.directory + "/new.db")
        refusal(.locked, "new.db is locked") { _ = try restore() }
        log.close()
        refusal(.unavailable, "new.db exists") { _ = try restore() }
    }

    @Test(arguments: ["-wal", "-journal", ".media-wal", ".media-journal"])
    func `nothing is restored beside what SQLite would apply to it`(suffix: String) throws {
        try write()
        try PrivateFile.write(Array("x".utf8), to: scratch.directory + "/new.db" + suffix)
        refusal(.unavailable, "new.db\(suffix) exists") { _ = try restore() }
        #expect(!BackupFiles.exists(scratch.directory + "/new.db"))
        log.close()
    }

    @Test func `a manifest of another format, or none, is refused`() throws {
        try write()
        let manifest = directory + "/manifest.json"
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        try PrivateFile.write(Array(text.replacingOccurrences(of: "\"format\":1", with: "\"format\":2").utf8), to: manifest)
        refusal(.newerSchema, "format 2") { _ = try restore() }
        BackupFiles.remove(manifest)
        refusal(.corrupt, "is no backup, or one that was not completed") { _ = try restore() }
    }

    @Test func `what an interrupted backup left is replaced, and other files are left alone`() throws {
        let partial = directory + ".partial"
        try LogFile.createDirectory(partial)
        try PrivateFile.write(Array("x".utf8), to: partial + "/log.db")
        let other = partial + "/notes.txt"
        try PrivateFile.write(Array("x".utf8), to: other)
        refusal(.unavailable, "notes.txt is of no backup") { try write() }
        #expect(BackupFiles.exists(other))
        BackupFiles.remove(other)
        try write()
        #expect(!BackupFiles.exists(partial))
        #expect(try restore()?.events == 4)
    }

    @Test func `one process at a time writes a backup, and a copy with findings is none`() throws {
        let partial = try PartialBackup(of: directory)
        refusal(.locked, "another process is writing") { try write() }
        partial.remove()
        #expect(try backup.write(to: directory + "2", program: "test", at: "") { _ in 1 } == nil)
        #expect(!BackupFiles.exists(directory + "2"))
        #expect(!BackupFiles.exists(directory + "2.partial"))
    }
}
