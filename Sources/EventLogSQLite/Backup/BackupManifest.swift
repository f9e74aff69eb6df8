import Crypto
import EventLog
import Foundation

/// What a backup consists of: `manifest.json` in its directory, written last.
package struct BackupManifest: Codable, Hashable, Sendable {
    /// A file of the backup.
    package struct File: Codable, Hashable, Sendable {
        /// Its name in the directory.
        package let name: String
        /// Its size in bytes.
        package let bytes: Int
        /// Its digest in hexadecimal.
        package let sha256: String
    }

    /// Where the history of a room ends.
    package struct Head: Codable, Hashable, Sendable {
        /// Identifier of the room.
        package let room: String
        /// Sequence number of its last event.
        package let seq: Int
        /// Hash of that event in hexadecimal.
        package let hash: String
    }

    /// Version of this form and of the names of the files.
    package let format: Int
    /// Version of the program that made the backup.
    package let program: String
    /// When the backup was begun, by the machine's clock; RFC 3339.
    package let at: String
    /// All other files of the directory.
    package let files: [File]
    /// The end of every room, in order of creation.
    package let heads: [Head]

    static let currentFormat = 1
    static let fileName = "manifest.json"

    /// Number of events in the backup.
    package var events: Int { heads.reduce(0) { $0 + $1.seq } }
    /// Size of the files together.
    package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// Reads the manifest in a directory.
    /// - Throws: `.corrupt` if there is none or it cannot be read, `.newerSchema`.
    static func read(in directory: String) throws(EventLogError) -> BackupManifest {
        let path = directory + "/" + fileName
        guard let data = FileManager.default.contents(atPath: path) else {
            throw EventLogError(.corrupt, "\(path) is missing: \(directory) is no backup, or one that was not completed")
        }
        struct Version: Decodable { let format: Int }
        do {
            let found = try JSONDecoder().decode(Version.self, from: data).format
            guard found == currentFormat else {
                throw EventLogError(
                    .newerSchema,
                    "\(path) has format \(found); this program reads \(currentFormat): run the version that wrote it")
            }
            return try JSONDecoder().decode(Self.self, from: data)
        } catch let error as EventLogError {
            throw error
        } catch {
            throw EventLogError(.corrupt, "\(path) cannot be read: it was changed after the backup")
        }
    }

    func write(in directory: String) throws(EventLogError) {
        let path = directory + "/" + Self.fileName
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try EventLogError.translating("write the manifest", path: path) {
            try PrivateFile.write(try encoder.encode(self), to: path)
        }
    }
}

extension BackupManifest.File {
    /// Describes the file at `path`, reading all of it.
    init(name: String, at path: String) throws(EventLogError) {
        var (digest, bytes) = (SHA256(), 0)
        try BackupFiles.read(path) { piece in
            digest.update(data: piece)
            bytes += piece.count
        }
        self.init(name: name, bytes: bytes, sha256: digest.finalize().hexadecimal)
    }

    /// What is wrong with the file at `path`, for an operator; nil if it is as it was when the backup was made.
    func problem(at path: String) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return "\(path) is missing" }
        do throws(EventLogError) {
            let found = try Self(name: name, at: path)
            if found.bytes != bytes { return "\(path) has \(found.bytes) bytes; the backup was made with \(bytes)" }
            return found == self ? nil : "\(path) was changed: its SHA-256 is \(found.sha256), not \(sha256)"
        } catch {
            return error.message
        }
    }
}
