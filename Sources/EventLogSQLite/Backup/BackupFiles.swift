import EventLog
import Glibc

/// Files of backups.
enum BackupFiles {
    /// Suffixes of a log's files that a backup has, the log itself last: where it is, the others are.
    static let suffixes = [".token-secret", ".media", ""]
    /// The databases among them.
    static let databases: Set = [".media", ""]

    /// Name of the log in a backup; the names of its other files, and of those of SQLite while it is written, begin with it too.
    static let logName = "log.db"

    static func isName(_ name: String) -> Bool { name.hasPrefix(logName) || name == BackupManifest.fileName }

    static func exists(_ path: String) -> Bool {
        // SAFETY: the string lives for the call.
        unsafe access(path, F_OK) == 0
    }

    /// Calls `body` with one piece of the file after the other.
    static func read(_ path: String, _ body: ([UInt8]) throws(EventLogError) -> Void) throws(EventLogError) {
        // SAFETY: the string lives for the call; the descriptor is this function's own.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFile.failure("read", path) }
        defer { close(descriptor) }
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, filled in
                // SAFETY: reads at most the buffer's own count into it, and as many bytes are initialised.
                repeat {
                    count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                filled = max(count, 0)
            }
            guard count >= 0 else { throw LogFile.failure("read", path, code: .io) }
            if piece.isEmpty { return }
            try body(piece)
        }
    }

    static func copy(_ source: String, to target: String) throws(EventLogError) {
        let file = try PrivateFile(creating: target)
        try read(source) { piece throws(EventLogError) in try file.write(piece) }
        try file.sync()
    }

    /// Removes a file, or a directory of files; without an error if that fails.
    static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        // SAFETY: the string lives for the call.
        _ = unsafe Glibc.remove(path)
    }

    /// The names in a directory; none if it cannot be read.
    static func names(in directory: String) -> [String] {
        // SAFETY: the stream is closed here; each name is copied before the next is read.
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The directory in which a backup is being written, as `DIRECTORY.partial`; one process at a time writes it.
struct PartialBackup: ~Copyable {
    let path: String
    private let descriptor: CInt

    /// What an earlier backup left there is removed.
    /// - Throws: `.unavailable` if the directory of the backup is there, or this one has other files than those of backups.
    init(of directory: String) throws(EventLogError) {
        guard !directory.isEmpty, !BackupFiles.exists(directory) else {
            throw EventLogError(.unavailable, "\(directory) exists already: name a directory for a new backup")
        }
        let partial = directory + ".partial"
        try LogFile.createDirectory(partial)
        // SAFETY: the string lives for the call.
        let descriptor = unsafe open(partial, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFile.failure("open the directory", partial) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw EventLogError(.locked, "another process is writing \(partial)")
        }
        let names = BackupFiles.names(in: partial)
        if let other = names.first(where: { !BackupFiles.isName($0) }) {
            close(descriptor)
            throw EventLogError(.unavailable, "\(partial)/\(other) is of no backup: name another directory, or remove it")
        }
        (path, self.descriptor) = (partial, descriptor)
        for name in names { BackupFiles.remove(path + "/" + name) }
    }

    /// Makes the directory, which is complete, that of the backup.
    consuming func complete() throws(EventLogError) {
        try LogFile.sync(path)
        try PrivateFile.rename(path, to: String(path.dropLast(".partial".count)))
    }

    /// Removes the directory after a failure.
    borrowing func remove() { BackupFiles.remove(path) }

    deinit { close(descriptor) }
}
