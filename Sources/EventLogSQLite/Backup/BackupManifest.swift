import Cryptography
import EventLog
import ExactJSON

/// What a backup consists of: `manifest.json` in its directory, written last.
package struct BackupManifest: Hashable, Sendable {
    /// A file of the backup.
    package struct File: Hashable, Sendable {
        /// Its name in the directory.
        package let name: String
        /// Its size in bytes.
        package let bytes: Int
        /// Its digest in hexadecimal.
        package let sha256: String
    }

    /// Where the history of a room ends.
    package struct Head: Hashable, Sendable {
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
        guard BackupFiles.exists(path) else {
            throw EventLogError(.corrupt, "\(path) is missing: \(directory) is no backup, or one that was not completed")
        }
        var bytes: [UInt8] = []
        try BackupFiles.read(path) { piece in bytes += piece }
        let found: Int
        do throws(JSONError) {
            var fields = try JSONFields(try JSONReader.read(bytes, limits: .trusted(depth: 4)))
            found = try fields.int("format")
            if found == currentFormat { return try BackupManifest(&fields) }
        } catch {
            throw EventLogError(.corrupt, "\(path) cannot be read: it was changed after the backup")
        }
        throw EventLogError(
            .newerSchema, "\(path) has format \(found); this program reads \(currentFormat): run the version that wrote it")
    }

    func write(in directory: String) throws(EventLogError) {
        var json = JSONWriter()
        json.object { json in
            json.name("format")
            json.int(format)
            for (name, text) in [("program", program), ("at", at)] { json.foreignMember(name, text) }
            json.name("files")
            json.array { json in for file in files { file.write(to: &json) } }
            json.name("heads")
            json.array { json in for head in heads { head.write(to: &json) } }
        }
        try PrivateFile.write(json.bytes + [UInt8(ascii: "\n")], to: directory + "/" + Self.fileName)
    }
}

extension BackupManifest {
    fileprivate init(_ fields: inout JSONFields) throws(JSONError) {
        let (program, at) = (try fields.string("program"), try fields.string("at"))
        let files = try fields.array("files").map { value throws(JSONError) in
            var fields = try JSONFields(value)
            return File(name: try fields.string("name"), bytes: try fields.int("bytes"), sha256: try fields.string("sha256"))
        }
        let heads = try fields.array("heads").map { value throws(JSONError) in
            var fields = try JSONFields(value)
            return Head(room: try fields.string("room"), seq: try fields.int("seq"), hash: try fields.string("hash"))
        }
        self.init(format: Self.currentFormat, program: program, at: at, files: files, heads: heads)
    }
}

extension BackupManifest.Head {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("room")
            json.string(room)
            json.name("seq")
            json.int(seq)
            json.name("hash")
            json.string(hash)
        }
    }
}

extension BackupManifest.File {
    /// Describes the file at `path`, reading all of it.
    init(name: String, at path: String) throws(EventLogError) {
        var (digest, bytes) = (SHA256(), 0)
        try BackupFiles.read(path) { piece in
            digest.update(data: piece.span)
            bytes += piece.count
        }
        self.init(name: name, bytes: bytes, sha256: digest.finalize().hexadecimal)
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("name")
            json.string(name)
            json.name("bytes")
            json.int(bytes)
            json.name("sha256")
            json.string(sha256)
        }
    }

    /// What is wrong with the file at `path`, for an operator; nil if it is as it was when the backup was made.
    func problem(at path: String) -> String? {
        guard BackupFiles.exists(path) else { return "\(path) is missing" }
        do throws(EventLogError) {
            let found = try Self(name: name, at: path)
            if found.bytes != bytes { return "\(path) has \(found.bytes) bytes; the backup was made with \(bytes)" }
            return found == self ? nil : "\(path) was changed: its SHA-256 is \(found.sha256), not \(sha256)"
        } catch {
            return error.message
        }
    }
}
