import EventLog
import Glibc

/// The database file and its directory: created for their owner only, and synced before the first append.
struct LogFile {
    let path: String

    /// Creates the directory (0700) and the database file (0600) where they are missing.
    ///
    /// SQLite gives its `-wal` and `-shm` files the mode of the database file.
    func create() throws(EventLogError) {
        guard !path.isEmpty else { throw EventLogError(.unavailable, "the log's file name is empty") }
        // Before anything is created beside it, such as the lock of a device.
        var status = stat()
        // SAFETY: fills a local structure; the string lives for the call.
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw EventLogError(.unavailable, "\(path) is a folder or a device, and no file that can hold a log")
        }
        try Self.createDirectory(Self.directory(of: path))
        // SAFETY: the string lives for the call; the descriptor is closed before anything else opens the file.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open", path) }
        close(descriptor)
    }

    /// Free bytes on the file's disk; nil if unknown.
    var freeBytes: Int64? {
        var status = statvfs()
        // SAFETY: fills a local structure; the string lives for the call.
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// Path of the write-ahead log's file.
    var walPath: String { resolved + "-wal" }

    /// Size of the write-ahead log's file; 0 if there is none.
    var walBytes: Int64 { Self.bytes(walPath) }

    /// The file that a symbolic link leads to: SQLite has its other files beside that. The path itself if there is no file.
    private var resolved: String {
        // SAFETY: the string lives for the call; the result is copied, and freed here.
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// Whether the database file is empty or missing.
    var isEmpty: Bool { Self.bytes(path) == 0 }

    /// Bytes by which the file is shorter than the size in its header. 0 while there is a write-ahead log, because the header may
    /// then be out of date.
    var missingBytes: Int64 {
        guard walBytes == 0 else { return 0 }
        // SAFETY: the string lives for the call; the descriptor is this function's own.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        // "Size of the database file in pages", big-endian at offset 28 of SQLite's file format.
        var pages: UInt32 = 0
        // SAFETY: reads at most the variable's own size into it.
        let count = unsafe withUnsafeMutableBytes(of: &pages) { unsafe pread(descriptor, $0.baseAddress, $0.count, 28) }
        guard count == 4 else { return 0 }
        return max(Int64(UInt32(bigEndian: pages)) * Int64(Schema.pageBytes) - Self.bytes(path), 0)
    }

    /// Size of a file; 0 if there is none.
    static func bytes(_ path: String) -> Int64 {
        var status = stat()
        // SAFETY: fills a local structure; the string lives for the call.
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Creates the directory and its parents (0700) where they are missing, durably.
    static func createDirectory(_ directory: String) throws(EventLogError) {
        // SAFETY: the strings live for the calls.
        if unsafe access(directory, F_OK) == 0 { return }
        let parent = Self.directory(of: directory)
        if parent != directory { try createDirectory(parent) }
        guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure("create the directory", directory) }
        try sync(parent)
    }

    /// Syncs the directory entries of the database and its write-ahead log, after both were created. SQLite does so too, but ignores
    /// errors.
    func syncDirectory() throws(EventLogError) {
        do throws(EventLogError) {
            try Self.sync(Self.directory(of: resolved))
        } catch {
            throw EventLogError(error.code, "\(path): \(error.message)")
        }
    }

    /// Syncs a file, or a directory, without which a crash of the machine could lose newly created files.
    static func sync(_ path: String) throws(EventLogError) {
        // SAFETY: the string lives for the call; the descriptor is this function's own.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync", path, code: .io) }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func failure(_ what: String, _ path: String, code kind: EventLogError.Code = .unavailable) -> EventLogError {
        let code = errno
        // SAFETY: the C string is copied at once.
        let reason = unsafe String(cString: strerror(code))
        return EventLogError(code == ENOSPC ? .full : kind, "cannot \(what) \(path): \(reason)")
    }
}
