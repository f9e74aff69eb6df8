import AuctionDomain
import EventLog
import Foundation
import Testing

@testable import EventLogSQLite

@Suite struct SQLiteOpening {
    @Test func `opening a log twice in one process is refused, with the lock file in the message`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        let error = scratch.refusal()
        #expect(error?.code == .locked)
        #expect(error?.message.contains(scratch.path + ".lock") == true)
        #expect(error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
        try log.probe()
        log.close()
        try scratch.open().close()
    }

    @Test func `opening a log that another process has locked is refused`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        other.arguments = ["--no-fork", scratch.path + ".lock", "sh", "-c", "echo held; read line"]
        let (input, output) = (Pipe(), Pipe())
        other.standardInput = input
        other.standardOutput = output
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/flock") else { return }
        try other.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        #expect(scratch.refusal()?.code == .locked)
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        other.waitUntilExit()
        try scratch.open().close()
    }

    @Test func `another process cannot lock an open log`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/flock") else { return }
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        other.arguments = ["--nonblock", scratch.path + ".lock", "true"]
        try other.run()
        other.waitUntilExit()
        #expect(other.terminationStatus != 0)
    }

    @Test(arguments: [true, false])
    func `opening a log under another name is refused while it is open, and possible after that`(isSymbolic: Bool) throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        try FileManager.default.createDirectory(atPath: scratch.directory + "/other", withIntermediateDirectories: true)
        let name = scratch.directory + "/other/name.db"
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: scratch.path)
        } else {
            try FileManager.default.linkItem(atPath: scratch.path, toPath: name)
        }
        for _ in 0..<2 {
            let error = #expect(throws: EventLogError.self) { try SQLiteEventLog(path: name).close() }
            #expect(error?.code == .locked)
            #expect(error?.message.contains("under this or another name: \(name) is locked") == true)
        }
        #expect(
            try SQLiteArchive(path: scratch.path).events(of: room.id, after: 0, limit: 9).count == 1, "reading needs no lock")
        try log.commit(room.next())
        log.close()
        let other = try SQLiteEventLog(path: name)
        #expect(try other.seqs(room.id) == [1, 2])
        #expect(scratch.refusal()?.code == .locked)
        other.close()
        try scratch.open().close()
    }

    @Test func `an open log stays locked if its lock file is removed`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        try FileManager.default.removeItem(atPath: scratch.path + ".lock")
        #expect(scratch.refusal()?.code == .locked)
        log.close()
        try scratch.open().close()
    }

    @Test func `the size of the write-ahead log is that beside the file that a symbolic link leads to`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        try log.create(SampleRoom(1))
        let name = scratch.directory + "/name.db"
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "auctions.db")
        #expect(try LogFile(path: name).walBytes == scratch.size(scratch.path + "-wal"))
        #expect(LogFile(path: name).walBytes > 0)
    }

    @Test func `directory and files are accessible to their owner only`() throws {
        let scratch = try Scratch()
        let log = try SQLiteEventLog(path: scratch.directory + "/a/b/auctions.db")
        defer { log.close() }
        try log.create(SampleRoom(1))
        for directory in ["", "/a", "/a/b"] { #expect(try scratch.mode(scratch.directory + directory) == 0o700) }
        for suffix in ["", "-wal", "-shm", ".lock"] {
            #expect(try scratch.mode(scratch.directory + "/a/b/auctions.db" + suffix) == 0o600)
        }
    }

    @Test func `a log of a newer version is refused`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        let newer = Schema.version + 1
        try Connection(scratch.path).execute("PRAGMA user_version = \(newer)")
        let error = scratch.refusal()
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("version \(newer)") == true)
    }

    @Test func `a log of a program that was never released is refused, and not changed`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try Connection(scratch.path).execute("PRAGMA application_id = \(0x4175_6374); PRAGMA user_version = 4")
        for error in [scratch.refusal(), #expect(throws: EventLogError.self) { try SQLiteArchive(path: scratch.path) }] {
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("never released") == true)
        }
        #expect(try Connection(scratch.path).long("PRAGMA user_version") == 4)
    }

    @Test func `a migration is applied once, to files of the version before it and to new ones`() throws {
        let scratch = try Scratch()
        var room = SampleRoom(1)
        let log = try scratch.open()
        try log.commit(room.next(3))
        log.close()
        let migrations =
            Schema.migrations + [
                "CREATE TABLE later (a); INSERT INTO later VALUES (1)", "ALTER TABLE later ADD COLUMN b DEFAULT 7",
            ]
        for path in [scratch.path, scratch.path + "-new"] {
            try LogFile(path: path).create()
            let db = try Connection(path)
            for _ in 0..<2 { try Schema.prepare(db, path: path, migrations: migrations) }
            #expect(try db.long("SELECT sum(b) FROM later") == 7)
            #expect(try db.long("PRAGMA user_version") == Int64(Schema.version + 2))
        }
        #expect(try Connection(scratch.path).long("SELECT count(*) FROM event") == 3)
        #expect(scratch.refusal()?.code == .newerSchema)
    }

    @Test func `a migration that fails changes nothing`() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        let db = try Connection(scratch.path)
        #expect(throws: SQLiteError.self) {
            try Schema.prepare(db, path: scratch.path, migrations: Schema.migrations + ["CREATE TABLE later (a)", "NONSENSE"])
        }
        #expect(try db.long("SELECT count(*) FROM sqlite_schema WHERE name = 'later'") == 0)
        #expect(try db.long("PRAGMA user_version") == Int64(Schema.version))
    }

    @Test func `a log that another program goes on reading does not open, and opens once it has ended`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = SampleRoom(1)
        try log.commit(room.next(3))
        // As a backup does; the write-ahead log is needed as long as it reads.
        let reader = try Connection(scratch.path, Connections.reader)
        try reader.snapshot {
            _ = try reader.long("SELECT count(*) FROM sqlite_schema")
            log.close()
            let error = scratch.refusal(SQLiteEventLog.Limits(startWait: 20))
            #expect(error?.code == .locked)
            #expect(error?.message.contains("being read by another program") == true)
        }
        try scratch.open().close()
    }

    @Test func `a database of another program is refused`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.directory, withIntermediateDirectories: true)
        try Connection(scratch.path).execute("CREATE TABLE note (text)")
        let error = scratch.refusal()
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("another program") == true)
    }

    @Test func `the error for a file that is not a database names the file`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.directory, withIntermediateDirectories: true)
        try Data("This is not a database, and long enough to see that.".utf8).write(to: URL(fileURLWithPath: scratch.path))
        let error = scratch.refusal()
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains(scratch.path) == true)
    }

    @Test func `the error for a truncated file names the file`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = SampleRoom(1)
        try log.commit(room.next(100))
        log.close()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path))
        try handle.truncate(atOffset: 10_000)
        try handle.close()
        let error = scratch.refusal()
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains(scratch.path) == true)
    }

    @Test(arguments: [6..<11, 3..<5])
    func `reading stops with an error at events that are missing in the index`(lost: Range<Int>) throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = try log.create(SampleRoom(1))
        try log.commit(room.next(9))
        log.close()
        try Connection(scratch.path).execute(
            "DELETE FROM event_index WHERE seq >= \(lost.lowerBound) AND seq < \(lost.upperBound)")
        let again = try scratch.open()
        defer { again.close() }
        let kept = lost.lowerBound - 1
        #expect(try again.events(of: room.id, after: 0, limit: 100).map(\.seq) == Array(1...kept))
        let gap = #expect(throws: EventLogError.self) { try again.events(of: room.id, after: kept, limit: 100) }
        #expect(gap?.code == .corrupt)
        if lost.upperBound > 10 {
            let whole = #expect(throws: EventLogError.self) { try again.load(room.id, responsesSince: Samples.noon) }
            #expect(whole?.code == .corrupt)
        }
    }

    @Test func `an empty or missing database is refused if a log was stored there`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        try log.create(SampleRoom(1))
        log.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.path))
        try Data().write(to: URL(fileURLWithPath: scratch.path))
        for _ in 0..<2 {
            let error = scratch.refusal()
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains(scratch.path + " is empty") == true)
            try FileManager.default.removeItem(atPath: scratch.path)
        }
        try whole.write(to: URL(fileURLWithPath: scratch.path))
        try scratch.open().close()
        // Removing the lock file too allows a new log.
        try FileManager.default.removeItem(atPath: scratch.path)
        try FileManager.default.removeItem(atPath: scratch.path + ".lock")
        try scratch.open().close()
    }

    @Test func `the error for a path that cannot be written names the path`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        #expect(scratch.refusal()?.code == .unavailable)
        let error = #expect(throws: EventLogError.self) { try SQLiteEventLog(path: "/dev/null/x/auctions.db") }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("/dev/null") == true)
        #expect(#expect(throws: EventLogError.self) { try SQLiteEventLog(path: "") }?.code == .unavailable)
    }

    @Test func `a folder, a device and a pipe are refused before anything is created beside them`() throws {
        let scratch = try Scratch()
        let folder = URL(fileURLWithPath: scratch.path).deletingLastPathComponent().path
        for name in ["folder", "device", "pipe"] {
            let path = "\(folder)/\(name)"
            switch name {
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case "device": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            default:
                // SAFETY: the string lives for the call.
                let result = unsafe mkfifo(path, 0o600)
                try #require(result == 0)
            }
            let error = #expect(throws: EventLogError.self) { try SQLiteEventLog(path: path) }
            #expect(error?.code == .unavailable && error?.message.contains(path) == true, "\(name)")
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.hasPrefix(name + ".") || $0.hasPrefix(name + "-")
            }
            #expect(beside.isEmpty, "\(name)")
        }
    }

    @Test func `a row with unexpected values causes an error instead of a trap`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        let room = try log.create(SampleRoom(1))
        log.close()
        try Connection(scratch.path).execute("UPDATE event SET hash = x'00'; UPDATE room SET round = 'three'")
        let again = try scratch.open()
        defer { again.close() }
        let event = #expect(throws: EventLogError.self) { try again.events(of: room.id, after: 0, limit: 1) }
        #expect(event?.code == .corrupt)
        let row = #expect(throws: EventLogError.self) { try again.rooms(RoomQuery(limit: 1)) }
        #expect(row?.code == .corrupt)
    }
}
