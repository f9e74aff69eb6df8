import EventLog
import Foundation
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

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Calls `body` with one piece of the file after the other.
    static func read(_ path: String, _ body: (Data) throws -> Void) throws(EventLogError) {
        guard let file = FileHandle(forReadingAtPath: path) else { throw LogFile.failure("read", path) }
        try EventLogError.translating("read", path: path) {
            while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { try body(piece) }
        }
    }

    static func copy(_ source: String, to target: String) throws(EventLogError) {
        let file = try PrivateFile.create(target)
        try read(source) { try file.write(contentsOf: $0) }
        try LogFile.sync(target)
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
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
        let names = (try? FileManager.default.contentsOfDirectory(atPath: partial)) ?? []
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
