package import EventLog
import Glibc

/// A new file that only its owner may read, closed exactly once.
package struct PrivateFile: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Creates an empty file; one that is there becomes empty.
    init(creating path: String) throws(EventLogError) {
        // SAFETY: the string lives for the call.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFile.failure("write", path) }
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(EventLogError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: writes at most the slice's own count from it.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw LogFile.failure("write", path, code: .io) }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Makes durable what was written, also by others.
    func sync() throws(EventLogError) {
        guard fsync(descriptor) == 0 else { throw LogFile.failure("sync", path, code: .io) }
    }

    /// Writes a file in place of the one at `path`, if there is one, and creates its directory. A crash leaves one of the two whole.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(EventLogError) {
        try LogFile.createDirectory(LogFile.directory(of: path))
        try write(bytes, to: path + ".new")
        try rename(path + ".new", to: path)
    }

    /// Writes a file, which is durable on return.
    static func write(_ bytes: [UInt8], to path: String) throws(EventLogError) {
        let file = try PrivateFile(creating: path)
        try file.write(bytes)
        try file.sync()
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
