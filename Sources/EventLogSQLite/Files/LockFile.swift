import EventLog
import Glibc

/// An exclusive lock on the database against other processes and against a second log in this process, held until `deinit`.
///
/// Uses a separate file next to the database: SQLite's locks are POSIX locks, which vanish when *any* descriptor of the
/// database file is closed in this process. The file is not removed on unlock, because two processes could then
/// hold locks on two files of the same name.
///
/// The database has a lock too (`DatabaseLock`), if it is there: take this one before SQLite opens the database, and give it up
/// after SQLite has closed it.
struct LockFile: ~Copyable {
    private let descriptor: CInt
    /// Has the lock on the database itself; nil if there was none.
    private let databaseDescriptor: CInt?
    /// Whether the database next to this file has ever contained a log.
    let wasUsed: Bool

    init(for database: String) throws(EventLogError) {
        let path = database + ".lock"
        // SAFETY: the string lives for the call.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFile.failure("open the lock file", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let failure = isHeld ? Self.held(path, Self.holder(descriptor)) : LogFile.failure("lock", path)
            close(descriptor)
            throw failure
        }
        let databaseDescriptor: CInt?
        do throws(EventLogError) {
            databaseDescriptor = try DatabaseLock.take(database)
        } catch {
            flock(descriptor, LOCK_UN)
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.databaseDescriptor = databaseDescriptor
        wasUsed = Self.content(descriptor).contains(Self.mark)
        note(isUsed: wasUsed)
    }

    /// Records that the database contains a log: if it is empty at a later start, it has been lost.
    func markUsed() { if !wasUsed { note(isUsed: true) } }

    /// When a process has last taken the lock, in nanoseconds since 1970; 0 if none ever has.
    static func changed(of database: String) -> Int64 {
        var status = stat()
        // SAFETY: fills a local structure; the string lives for the call.
        guard unsafe stat(database + ".lock", &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    deinit {
        if let databaseDescriptor { DatabaseLock.release(databaseDescriptor) }
        // Explicitly: a child process that this one is starting has a copy of the descriptor until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static let mark = UInt8(ascii: "+")

    /// Writes the process's number for the error message of a process that finds the file locked. Errors are ignored, because
    /// locking does not depend on it.
    private func note(isUsed: Bool) {
        let text = Array("\(getpid())\n".utf8) + (isUsed ? [Self.mark] : [])
        // SAFETY: the pointer and the count are those of one array that lives for the call.
        _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        _ = ftruncate(descriptor, off_t(text.count))
    }

    private static func content(_ descriptor: CInt) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        // SAFETY: reads at most the array's own count into it.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(count, 0)))
    }

    private static func holder(_ descriptor: CInt) -> String? {
        let digits = content(descriptor).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    private static func held(_ path: String, _ holder: String?) -> EventLogError {
        let who = holder.map { "process \($0)" } ?? "another process"
        return EventLogError(.locked, "the log is open in \(who): \(path) is locked; one process at a time may use a log")
    }
}
