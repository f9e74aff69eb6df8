import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

@testable import EventLogPostgres
@testable import EventLogSQLite

private let ann = UserID(bits: 0xA11)
private let bob = UserID(bits: 0xB0B)

/// Another user, of whom there are many.
private func other(_ number: Int) -> UserID { UserID(bits: UInt128(0x1000 + number)) }

private func block(_ blocked: UserID, by user: UserID = ann, at milliseconds: Int64 = 0) -> UserBlock {
    UserBlock(user: user, blocked: blocked, at: Samples.after(milliseconds))
}

extension EventLog {
    fileprivate func all(_ user: UserID) throws -> [UserBlock] { try blocks(of: user, after: nil, limit: 2000) }
}

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a block stands until it is ended, and a repeat changes nothing`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            #expect(try log.add(block(bob, at: 5)) == .begun)
            #expect(try log.add(block(bob, at: 9)) == .stands(since: Samples.after(5)))
            #expect(try log.add(block(ann, by: bob)) == .begun)
            #expect(try log.all(ann) == [block(bob, at: 5)])
            #expect(try log.removeBlock(of: bob, by: ann))
            #expect(try !log.removeBlock(of: bob, by: ann))
            #expect(try log.all(ann) == [] && log.all(bob) == [block(ann, by: bob)])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `blocks are listed in order of the blocked users, in pages`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            for number in [4, 1, 3, 0, 2] { _ = try log.add(block(other(number), at: Int64(number))) }
            _ = try log.add(block(other(9), by: bob))
            let first = try log.blocks(of: ann, after: nil, limit: 3)
            #expect(first.map(\.blocked) == [other(0), other(1), other(2)])
            let rest = try log.blocks(of: ann, after: first.last?.blocked, limit: 3)
            #expect(rest == [block(other(3), at: 3), block(other(4), at: 4)])
            #expect(try log.blocks(of: ann, after: other(4), limit: 3) == [] && log.blocks(of: ann, after: nil, limit: 0) == [])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a user blocks a bounded number of others`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            try log.restore((1..<UserBlock.limit).map { block(other($0)) })
            #expect(try log.add(block(other(0))) == .begun)
            #expect(try log.add(block(bob)) == .tooMany)
            #expect(try log.add(block(other(0), at: 9)) == .stands(since: Samples.noon))
            #expect(try log.removeBlock(of: other(7), by: ann) && log.add(block(bob)) == .begun)
            #expect(try log.all(ann).count == UserBlock.limit)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a linked guest's blocks become the user's, without the user themself and beyond the limit the oldest`(
        _ backEnd: LogBackEnd
    ) throws {
        try backEnd.withLog { log throws in
            let user = UserID(bits: 0xCAFE)
            _ = try log.add(block(bob, by: user, at: 1))
            for (blocked, at) in [(bob, 2), (user, 3), (other(2), 4), (other(1), 5)] {
                _ = try log.add(block(blocked, at: Int64(at)))
            }
            try log.moveBlocks(from: ann, to: user)
            try log.moveBlocks(from: ann, to: user)
            #expect(try log.all(ann) == [])
            let all = [block(bob, by: user, at: 1), block(other(1), by: user, at: 5), block(other(2), by: user, at: 4)]
            #expect(try log.all(user) == all)
            try log.restore((10..<10 + UserBlock.limit - 4).map { block(other($0), by: user) })
            for (number, at) in [(5, 9), (4, 8), (3, 7)] { _ = try log.add(block(other(number), at: Int64(at))) }
            try log.moveBlocks(from: ann, to: user)
            #expect(try log.all(user).count == UserBlock.limit)
            #expect(try log.all(user).contains(block(other(3), by: user, at: 7)) && log.all(ann) == [])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `restored blocks keep those that are there`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            _ = try log.add(block(bob, at: 1))
            try log.restore([block(bob, at: 2), block(other(1), at: 3)])
            try log.restore([])
            #expect(try log.all(ann) == [block(bob, at: 1), block(other(1), at: 3)])
        }
    }

    @Test(arguments: LogBackEnd.durable)
    func `a block is present after the log is reopened`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPlace { place throws in
            let log = try backEnd.open(place)
            _ = try log.add(block(bob, at: 1))
            _ = try log.add(block(other(1)))
            _ = try log.removeBlock(of: other(1), by: ann)
            log.close()
            let again = try backEnd.open(place)
            defer { again.close() }
            #expect(try again.all(ann) == [block(bob, at: 1)])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `blocks of a closed log cannot be read or changed`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            log.close()
            #expect(throws: EventLogError.self) { try log.add(block(bob)) }
            #expect(throws: EventLogError.self) { try log.all(ann) }
        }
    }
}

/// Blocks as audits and copies read them.
struct BlockArchiveTests {
    private func check(_ log: any EventLog, _ archive: @autoclosure () throws -> any LogArchive) throws {
        let blocks = [block(ann, by: bob), block(bob), block(other(1))].sorted { ($0.user, $0.blocked) < ($1.user, $1.blocked) }
        try log.restore(blocks)
        let archive = try archive()
        #expect(try archive.blocks(after: nil, limit: 9) == blocks)
        #expect(try archive.blocks(after: blocks[0], limit: 1) == [blocks[1]])
        var count = 0
        #expect(try BlockAudit.findings(in: archive, count: &count) == [] && count == 3)
        try log.restore((1...UserBlock.limit + 1).map { block(other($0)) } + [block(bob, by: bob)])
        count = 0
        let findings = try BlockAudit.findings(in: archive, count: &count)
        #expect(findings == ["\(ann) blocks more than \(UserBlock.limit) users", "\(bob) blocks themself"])
        #expect(count == UserBlock.limit + 4)
    }

    @Test func `the log in memory`() throws {
        let log = InMemoryEventLog()
        try check(log, log)
    }

    @Test func `a log in SQLite, beside the program that writes it`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        try check(log, try SQLiteArchive(path: scratch.path))
        #expect(try SQLiteArchive(path: scratch.path).damage() == [])
    }

    @Test func `a log in PostgreSQL`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        try check(log, try PostgresArchive(store.url))
    }

    /// What an audit finds of a log with a block of Ann and, behind it, a row that cannot be read.
    private func findings(_ archive: any LogArchive) throws -> [String] {
        var count = 0
        let findings = try BlockAudit.findings(in: archive, count: &count)
        #expect(throws: EventLogError.self) {
            try LogCopy(from: archive, InMemoryEventLog(), to: InMemoryEventLog()).copyBlocks()
        }
        return findings
    }

    @Test func `a damaged row in SQLite is a finding, and is not copied`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        _ = try log.add(block(bob))
        log.close()
        for row in ["('x', '\(bob)', 5)", "('\(bob)', '\(ann)', 'noon')"] {
            let db = try Connection(scratch.path)
            try db.execute("INSERT INTO user_block VALUES \(row)")
            let found = try findings(try SQLiteArchive(path: scratch.path))
            #expect(found.count == 1 && found[0].hasPrefix("blocks of users are damaged: "), "\(found)")
            try db.execute("DELETE FROM user_block WHERE user <> '\(ann)'")
            var count = 0
            #expect(try BlockAudit.findings(in: try SQLiteArchive(path: scratch.path), count: &count) == [] && count == 1)
        }
    }

    @Test func `a damaged row in PostgreSQL is a finding, and is not copied`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        _ = try log.add(block(bob))
        try store.session().execute("INSERT INTO user_block VALUES ('x', '\(bob)', 5)")
        let found = try findings(try PostgresArchive(store.url))
        #expect(found.count == 1 && found[0].hasPrefix("blocks of users are damaged: "), "\(found)")
    }
}

/// A repeated block does not wait for those who write, and writes nothing.
struct RepeatedBlockTests {
    @Test func `in SQLite while another connection writes`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        defer { log.close() }
        _ = try log.add(block(bob, at: 5))
        let db = try Connection(scratch.path)
        try db.execute("BEGIN IMMEDIATE")
        #expect(try log.add(block(bob, at: 9)) == .stands(since: Samples.after(5)))
        #expect(throws: EventLogError.self) { try log.add(block(other(1))) }
    }

    @Test func `in PostgreSQL while another node counts the user's blocks`() throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        _ = try log.add(block(bob, at: 5))
        let session = try store.session()
        try session.execute("BEGIN")
        try session.execute("SELECT pg_advisory_xact_lock(\(EventLogPostgres.Schema.lock), hashtext('\(ann)'))")
        #expect(try log.add(block(bob, at: 9)) == .stands(since: Samples.after(5)))
        try session.execute("COMMIT")
        #expect(try log.add(block(other(1))) == .begun)
    }
}
