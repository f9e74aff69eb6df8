import AuctionDomain
package import EventLog

/// Backups of a log in SQLite: a directory with the log, its pictures, the secret of its tokens, and a manifest.
package struct SQLiteBackup {
    /// Checks a log and reports what is wrong to the operator; returns the number of findings.
    package typealias Audit = (any LogArchive) throws -> Int

    private static let logName = BackupFiles.logName
    /// Space that a backup leaves on its disk, which may be that of the log: for what is written meanwhile.
    private static let spareBytes: Int64 = 64 << 20
    /// Path of the log that is backed up or restored.
    private let path: String

    /// - Parameter path: The log that is backed up or restored.
    package init(of path: String) { self.path = path }

    // MARK: - Backup

    /// Writes a backup of the log, which a server may be using. It has every event that was durable when this was called.
    ///
    /// The directory appears under its name when it is complete and durable; a process that is killed leaves `DIRECTORY.partial`.
    /// - Parameters:
    ///   - directory: Must not exist.
    ///   - program: Version of this program.
    ///   - instant: The machine's time in RFC 3339.
    ///   - report: Receives lines for an operator meanwhile.
    ///   - audit: Is called with the copy.
    /// - Returns: The manifest of the backup; nil if the audit has findings: then there is none.
    package func write(
        to directory: String, program: String, at instant: String, report: (String) -> Void = { _ in }, audit: Audit
    ) throws -> BackupManifest? {
        guard BackupFiles.exists(path) else { throw EventLogError(.unavailable, "there is no log \(path)") }
        let partial = try PartialBackup(of: directory)
        do {
            try requireSpace(at: partial.path)
            guard let manifest = try fill(partial.path, program, instant, report, audit) else {
                partial.remove()
                return nil
            }
            try partial.complete()
            return manifest
        } catch {
            BackupFiles.remove(directory + ".partial")
            throw error
        }
    }

    private func requireSpace(at directory: String) throws(EventLogError) {
        let needed = BackupFiles.suffixes.reduce(Self.spareBytes) {
            $0 + LogFile.bytes(path + $1) + LogFile(path: path + $1).walBytes
        }
        guard let free = LogFile(path: directory).freeBytes, free < needed else { return }
        throw EventLogError(.full, "the disk of \(directory) has \(free) bytes left; a backup needs \(needed)")
    }

    private func fill(
        _ directory: String, _ program: String, _ instant: String, _ report: (String) -> Void, _ audit: Audit
    ) throws -> BackupManifest? {
        let copy = directory + "/" + Self.logName
        // The log before the pictures: those that it names are stored before its events.
        for suffix in BackupFiles.suffixes.reversed() where BackupFiles.exists(path + suffix) {
            if BackupFiles.databases.contains(suffix) {
                try DatabaseCopy(from: path + suffix, to: copy + suffix, log: path).run(report)
            } else {
                try BackupFiles.copy(path + suffix, to: copy + suffix)
            }
        }
        let archive = try SQLiteArchive(path: copy)
        guard try audit(archive) == 0 else { return nil }
        let files = try BackupFiles.suffixes.filter { BackupFiles.exists(copy + $0) }.map {
            try BackupManifest.File(name: Self.logName + $0, at: copy + $0)
        }
        let manifest = BackupManifest(
            format: BackupManifest.currentFormat, program: program, at: instant, files: files,
            heads: try Self.heads(of: archive))
        try manifest.write(in: directory)
        return manifest
    }

    private static func heads(of archive: any LogArchive) throws(EventLogError) -> [BackupManifest.Head] {
        var heads: [BackupManifest.Head] = []
        for room in try archive.allRooms() {
            let seq = try archive.record(of: room)?.lastSeq ?? 0
            let last = try archive.events(of: room, after: seq - 1, limit: 1).last
            heads.append(BackupManifest.Head(room: room.description, seq: seq, hash: last?.hash.bytes.hexadecimal ?? ""))
        }
        return heads
    }

    // MARK: - Restore

    /// Makes the log from a backup, where there is none.
    /// - Parameter audit: Is called with the copy before it becomes the log.
    /// - Returns: The manifest of the backup; nil if the audit has findings: then nothing was restored.
    /// - Throws: `.corrupt` naming every file that is missing or was changed, `.locked`, and `.unavailable` if there is a log.
    package func restore(from directory: String, audit: Audit) throws -> BackupManifest? {
        let manifest = try BackupManifest.read(in: directory)
        try Self.check(manifest, in: directory)
        try LogFile.createDirectory(LogFile.directory(of: path))
        let lock = try LockFile(for: path)
        try requireNothing(but: manifest)
        let copy = path + ".restoring"
        defer { for suffix in BackupFiles.suffixes { BackupFiles.remove(copy + suffix) } }
        for suffix in BackupFiles.suffixes {
            guard let file = manifest.file(Self.logName + suffix) else { continue }
            try BackupFiles.copy(directory + "/" + file.name, to: copy + suffix)
            if let problem = file.problem(at: copy + suffix) { throw EventLogError(.io, problem) }
        }
        let archive = try SQLiteArchive(path: copy)
        guard try audit(archive) == 0 else { return nil }
        guard try Self.heads(of: archive) == manifest.heads else {
            throw EventLogError(.corrupt, "\(directory): the rooms of the log are not those of the manifest")
        }
        for suffix in BackupFiles.suffixes where BackupFiles.exists(copy + suffix) {
            try PrivateFile.rename(copy + suffix, to: path + suffix)
        }
        lock.markUsed()
        return manifest
    }

    private static func check(_ manifest: BackupManifest, in directory: String) throws(EventLogError) {
        var problems = manifest.files.compactMap { $0.problem(at: directory + "/" + $0.name) }
        if manifest.file(logName) == nil { problems.append("\(directory)/\(BackupManifest.fileName) names no \(logName)") }
        guard problems.isEmpty else { throw EventLogError(.corrupt, problems.joined(separator: "; ")) }
    }

    /// A file of this very backup may be there: an earlier restore was interrupted.
    private func requireNothing(but manifest: BackupManifest) throws(EventLogError) {
        let others = BackupFiles.suffixes.filter { !$0.isEmpty }.filter { suffix in
            BackupFiles.exists(path + suffix) && manifest.file(Self.logName + suffix)?.problem(at: path + suffix) != nil
                || BackupFiles.exists(path + suffix) && manifest.file(Self.logName + suffix) == nil
        }
        // SQLite would roll a journal that is left there back into the restored file.
        let beside = BackupFiles.databases.sorted().flatMap { suffix in ["-wal", "-shm", "-journal"].map { suffix + $0 } }
        // An empty file is what a server leaves that finds its log gone: there is none.
        let log = LogFile(path: path).isEmpty ? [] : [""]
        let logs = log + beside.filter { BackupFiles.exists(path + $0) }
        guard let found = (logs + others).first else { return }
        throw EventLogError(.unavailable, "\(path + found) exists: a backup is restored only where nothing is")
    }
}

extension BackupManifest {
    func file(_ name: String) -> File? { files.first { $0.name == name } }
}
