import CSQLite
import Synchronization
import Testing

@testable import EventLogSQLite

/// SQLite's C interface as this target uses it.
@Suite struct SQLiteWrapper {
    private let scratch: Scratch
    private let db: Connection

    init() throws {
        scratch = try Scratch()
        try LogFile(path: scratch.path).create()
        db = try Connection(scratch.path)
        try db.execute("CREATE TABLE t (a, b, CHECK (a IS NOT 99)); CREATE UNIQUE INDEX i ON t (a)")
    }

    private func failure(_ call: () throws -> Void) -> SQLiteError? { #expect(throws: SQLiteError.self) { try call() } }

    private func count(_ db: Connection) throws -> Int64? { try db.long("SELECT count(*) FROM t") }

    // MARK: - Values

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func `an integer at any limit is read as it was bound`(number: Int64) throws {
        try db.run("INSERT INTO t VALUES (?, ?)", number, UInt64(bitPattern: number))
        var rows = try db.rows("SELECT a, b FROM t")
        #expect(try rows.next())
        #expect(try rows.long(0) == number)
        #expect(try rows.bits(1) == UInt64(bitPattern: number))
        #expect(try !rows.next())
    }

    @Test(arguments: [[], [0], [1, 0, 2], [UInt8](repeating: 255, count: 100_000)])
    func `a blob is read as it was bound`(bytes: [UInt8]) throws {
        try db.run("INSERT INTO t VALUES (?, typeof(?))", bytes, bytes)
        var rows = try db.rows("SELECT a, b FROM t")
        #expect(try rows.next())
        #expect(try rows.bytes(0) == bytes)
        #expect(try rows.text(1) == "blob")
    }

    @Test(arguments: ["", "a", "a\0b", "\0", "Zürich \u{1F528}"])
    func `a text is read as it was bound`(text: String) throws {
        try db.run("INSERT INTO t VALUES (?, ?)", text, Optional(text))
        #expect(try db.text("SELECT a FROM t") == text)
        #expect(try db.text("SELECT b FROM t WHERE a = ?", text) == text)
    }

    @Test(arguments: [[1, 1], [600, 423], [600, 424], [600, 425], [1024, 0], [1024, 1], [1025, 1024]])
    func `values of a kept statement are bound whether or not they fit into its memory together`(sizes: [Int]) throws {
        for byte: UInt8 in [1, 2] {
            let (blob, text) = ([UInt8](repeating: byte, count: sizes[0]), String(repeating: "\(byte)", count: sizes[1]))
            try db.run(.kept("INSERT INTO t VALUES (?, ?)"), blob, text)
            var rows = try db.rows(.kept("SELECT a, b FROM t WHERE a = ? AND b = ?"), blob, text)
            #expect(try rows.next())
            #expect(try rows.bytes(0) == blob)
            #expect(try rows.text(1) == text)
        }
    }

    @Test func `running a kept statement within its own rows throws, and leaves the rows as they are`() throws {
        for number in 1...3 { try db.run("INSERT INTO t VALUES (?, NULL)", number) }
        let all = SQL.kept("SELECT a FROM t ORDER BY a")
        var rows = try db.rows(all)
        var found: [Int64] = []
        while try rows.next() {
            found.append(try rows.long(0))
            let error = failure { _ = try db.long(all) }
            #expect(error?.code == SQLITE_MISUSE && error?.message.contains("within its own rows") == true)
            #expect(try db.long("SELECT a FROM t ORDER BY a") == 1, "a statement of its own is none")
        }
        #expect(found == [1, 2, 3])
        #expect(try db.long(all) == 1, "at the end it is free again")
        #expect(try db.long(all) == 1, "and after rows that were not read to the end")
    }

    @Test func `NULL is bound and read as nil`() throws {
        try db.run("INSERT INTO t VALUES (?, ?)", Int64?.none, String?.none)
        var rows = try db.rows("SELECT a, b FROM t WHERE a IS ?", [UInt8]?.none)
        #expect(try rows.next())
        #expect(rows.isNull(0) && rows.isNull(1))
        #expect(try rows.optionalLong(0) == nil)
        #expect(try db.long("SELECT a FROM t") == nil)
        #expect(try db.long("SELECT a FROM t WHERE a = 1") == nil)
    }

    @Test(arguments: ["NULL", "1.5", "'1'", "x'31'"])
    func `what is no integer cannot be read as one`(value: String) throws {
        var rows = try db.rows("SELECT \(value)")
        #expect(try rows.next())
        let error = #expect(throws: SQLiteError.self) { try rows.columns.long(0) }
        #expect(error?.kind == .unreadable)
        #expect(error?.isDamage == true)
    }

    @Test(arguments: ["NULL", "1.5", "1"])
    func `what is neither text nor blob cannot be read as bytes`(value: String) throws {
        #expect(failure { _ = try db.text("SELECT \(value)") }?.kind == .unreadable)
    }

    @Test func `a column that the query does not have, or before the first row, is an error`() throws {
        var rows = try db.rows("SELECT 1")
        #expect(throws: SQLiteError.self) { try rows.columns.long(0) }
        #expect(try rows.next())
        for column in [-1, 1, 1000] {
            #expect(throws: SQLiteError.self) { try rows.columns.long(column) }
        }
    }

    // MARK: - Errors

    @Test func `an error has SQLite's extended code and message`() throws {
        try db.run("INSERT INTO t VALUES (1, 1)")
        let repeated = failure { try db.run("INSERT INTO t VALUES (1, 2)") }
        #expect(repeated?.code == SQLITE_CONSTRAINT | 8 << 8)
        #expect(repeated?.primaryCode == SQLITE_CONSTRAINT)
        #expect(repeated?.message == "UNIQUE constraint failed: t.a")
        #expect(failure { try db.execute("SELECT * FROM nowhere") }?.message == "no such table: nowhere")
        #expect(failure { _ = try db.prepare("NONSENSE") }?.code == SQLITE_ERROR)
        let missing = failure { _ = try Connection(scratch.directory + "/no/file.db") }
        #expect(missing?.primaryCode == SQLITE_CANTOPEN)
    }

    @Test func `a file that is no database is found when it is opened`() throws {
        let path = scratch.directory + "/other.db"
        try PrivateFile.write(Array("This is no database, but a text of sufficient length.".utf8), to: path)
        let error = failure { _ = try Connection(path) }
        #expect(error?.code == SQLITE_NOTADB)
        #expect(error?.isDamage == true)
    }

    @Test func `a read-only connection cannot write, and creates no file`() throws {
        let reader = try Connection(scratch.path, Connections.reader)
        #expect(failure { try reader.run("INSERT INTO t VALUES (1, 1)") }?.primaryCode == SQLITE_READONLY)
        let missing = failure { _ = try Connection(scratch.path + "-not-there", Connections.reader) }
        #expect(missing?.primaryCode == SQLITE_CANTOPEN)
    }

    @Test func `too few or too many values, and more than one statement, are errors`() throws {
        #expect(failure { try db.run("INSERT INTO t VALUES (?, ?)", 1) }?.code == SQLITE_RANGE)
        #expect(failure { try db.run("INSERT INTO t VALUES (?, ?)", 1, 2, 3) }?.code == SQLITE_RANGE)
        for sql in ["SELECT 1; SELECT 2", "", "-- nothing"] {
            #expect(failure { _ = try db.prepare(sql) }?.code == SQLITE_MISUSE)
        }
        #expect(try count(db) == 0)
    }

    @Test func `a statement that failed can be run again`() throws {
        let insert = try db.prepare("INSERT INTO t VALUES (?, ?)")
        let error = #expect(throws: SQLiteError.self) {
            try insert.run {
                $0.add(99)
                $0.add(1)
            }
        }
        #expect(error?.primaryCode == SQLITE_CONSTRAINT)
        #expect(throws: SQLiteError.self) { try insert.run { $0.add(1) } }
        try insert.run {
            $0.add(1)
            $0.add(2)
        }
        #expect(try count(db) == 1)
    }

    @Test func `rows that were not read to the end hold up neither the next run nor a commit`() throws {
        try db.execute("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
        let select = SQL.kept("SELECT a FROM t ORDER BY a")
        for _ in 0..<2 {
            var rows = try db.rows(select)
            #expect(try rows.next())
            #expect(try rows.long(0) == 1)
        }
        try db.transaction(.immediate) {
            #expect(try db.long(select) == 1)
            try db.run("DELETE FROM t")
        }
        #expect(try count(db) == 0)
    }

    // MARK: - Transactions

    private struct Stop: Error {}

    @Test func `a transaction whose body throws is rolled back`() throws {
        #expect(throws: Stop.self) {
            try db.transaction(.immediate) {
                try db.run("INSERT INTO t VALUES (1, 1)")
                throw Stop()
            }
        }
        #expect(!db.isInTransaction)
        #expect(try count(db) == 0)
        try db.transaction(.immediate) { try db.run("INSERT INTO t VALUES (1, 1)") }
        #expect(try count(db) == 1)
    }

    @Test func `a transaction that was ended inside is an error`() throws {
        #expect(failure { try db.transaction(.deferred) { db.rollBack() } }?.code == SQLITE_ABORT)
    }

    @Test func `a read transaction sees one state of the database`() throws {
        try db.execute("PRAGMA journal_mode = WAL")
        let pool = try ConnectionPool(path: scratch.path, count: 1)
        defer { pool.close() }
        try pool.read { reader in
            #expect(try count(reader) == 0)
            try db.run("INSERT INTO t VALUES (1, 1)")
            #expect(try count(reader) == 0)
        }
        #expect(try pool.read { try count($0) } == 1)
    }

    // MARK: - Closing

    @Test func `a connection with an open statement closes when that is finalised`() throws {
        let shared = try SharedConnection(scratch.path)
        var left: StatementOwner? = try shared.use { StatementOwner(try $0.prepare("SELECT 7")) }
        try shared.use { try $0.execute("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1, 1)") }
        shared.close()
        #expect(failure { try shared.use { _ in } }?.code == SQLITE_MISUSE)
        var rows = try Rows(try #require(left)) { _ in }
        left = nil
        #expect(try rows.next())
        #expect(try rows.long(0) == 7)
    }

    private final class Progress: Sendable {
        let isReading = Atomic<Bool>(false)
        let isRead = Atomic<Bool>(false)
    }

    @Test func `closing a pool waits for the reads in progress, and later ones fail`() async throws {
        let pool = try ConnectionPool(path: scratch.path, count: 2)
        let progress = Progress()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try? pool.read { db in
                    progress.isReading.store(true, ordering: .releasing)
                    // Long enough that closing would be first if it did not wait.
                    _ = try db.long(
                        """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
                        SELECT count(*) FROM n
                        """)
                    progress.isRead.store(true, ordering: .releasing)
                }
            }
            while !progress.isReading.load(ordering: .acquiring) { await Task.yield() }
            pool.close()
            let wasRead = progress.isRead.load(ordering: .acquiring)
            #expect(wasRead)
        }
        #expect(throws: (any Error).self) { try pool.read { _ in } }
    }
}
