package import EventLog
import Foundation
import Glibc

/// Files that only their owner may read, synced when a function returns.
package enum PrivateFile {
    /// Writes a file in place of the one at `path`, if there is one, and creates its directory. A crash leaves one of the two whole.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(EventLogError) {
        try LogFile.createDirectory(LogFile.directory(of: path))
        try write(Data(bytes), to: path + ".new")
        try rename(path + ".new", to: path)
    }

    /// Creates an empty file; one that is there becomes empty.
    static func create(_ path: String) throws(EventLogError) -> FileHandle {
        // SAFETY: the string lives for the call; the handle owns the descriptor.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFile.failure("write", path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    static func write(_ data: Data, to path: String) throws(EventLogError) {
        let file = try create(path)
        try EventLogError.translating("write", path: path) { try file.write(contentsOf: data) }
        try LogFile.sync(path)
    }

    /// Renames a file or a directory, which is durable on return.
    static func rename(_ source: String, to target: String) throws(EventLogError) {
        // SAFETY: the strings live for the calls.
        guard unsafe renameat(AT_FDCWD, source, AT_FDCWD, target) == 0 else {
            throw LogFile.failure("rename \(source) to", target)
        }
        try LogFile.sync(LogFile.directory(of: target))
    }
}
