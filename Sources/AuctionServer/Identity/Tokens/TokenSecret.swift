internal import EventLog
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The secret for signing tokens: created on first start, stored beside the data, readable by its owner only.
package enum TokenSecret {
    static let minimumBytes = 32

    /// Reads the secret; creates the file if it does not exist and `creating` is true.
    /// - Throws: `ServerError` if the file cannot be read or created, or holds less than 32 bytes.
    package static func load(from path: String, creating: Bool) throws(ServerError) -> [UInt8] {
        if creating && !FileManager.default.fileExists(atPath: path) { try make(at: path) }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerError("the token secret \(path) cannot be read")
        }
        let secret = [UInt8](data).trimmingNewline
        guard secret.count >= minimumBytes else {
            throw ServerError("the token secret \(path) has \(secret.count) bytes; at least \(minimumBytes) are needed")
        }
        return secret
    }

    /// 256 fresh random bits in hexadecimal.
    package static func random() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return Array((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }.hexadecimal.utf8)
    }

    private static func make(at path: String) throws(ServerError) { try save(random(), to: path) }

    /// Writes a secret where `load` reads it, readable by its owner only.
    ///
    /// The write is atomic, and durable before a token is signed with the secret: tokens issued before a loss of power must stay
    /// valid.
    /// - Throws: `ServerError` if the directory or the file cannot be written.
    package static func save(_ secret: [UInt8], to path: String) throws(ServerError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServerError("the folder \(folder.path) for the token secret cannot be made: \(error.localizedDescription)")
        }
        let fresh = path + ".new"
        do {
            try write(secret + [UInt8(ascii: "\n")], to: fresh)
            // SAFETY: the strings live for the call.
            guard unsafe rename(fresh, path) == 0 else { throw failure }
            try sync(folder.path)
        } catch {
            throw ServerError("the token secret \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        // SAFETY: the string lives for the call; the descriptor is this function's own.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: bytes)
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Makes the directory entry of the renamed file durable.
    private static func sync(_ folder: String) throws {
        // SAFETY: the string lives for the call; the descriptor is this function's own.
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension [UInt8] {
    fileprivate var trimmingNewline: [UInt8] {
        var bytes = self
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return bytes
    }
}

/// An error that prevents the server from starting or from using a new configuration; `description` is one line.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Creates an error with a one-line description.
    package init(_ description: String) { self.description = description }
}
