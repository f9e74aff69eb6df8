internal import ArgumentParser
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import FoundationEssentials

/// `auction-room copy`: copies a log into an empty one, usually of another kind.
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a whole log into an empty one, such as SQLite's into PostgreSQL, and checks the copy.",
        discussion: """
            Stop every server on both first. Events, hashes, snapshots, the stored responses of idempotency keys, whom users block, pictures and the \
            secret that tokens are signed with go along, so that clients notice nothing. The target must be empty, and no server may have run \
            on it; a copy that was interrupted is begun anew on an empty one. Exits 0 if the copy is whole, 1 with what `verify` finds.
            """)

    @Option(help: "The log to read: sqlite:PATH or postgres://….") var from: String
    @Option(help: "The empty log to write: postgres://… or sqlite:PATH.") var to: String

    func run() throws {
        try failing {
            let (from, to) = (try Store.chosen(from, .store(named: "from")), try Store.chosen(to, .store(named: "to")))
            // Opening a SQLite log creates it: a path that is mistyped would be copied as a log without rooms.
            if case .sqlite(let path) = from, !FileManager.default.fileExists(atPath: path) {
                throw EventLogError(.unavailable, "there is no log \(path)")
            }
            // Takes the lock of a SQLite log, so that no other process writes to it during the copy.
            let source = try from.open()
            defer { source.close() }
            // What a standby lacks would be missing from the copy, and from the check of the copy.
            let archive = try from.archive(newest: true)
            let target = try to.open(validatesTime: false)
            defer { target.close() }
            guard try LogCopy.isEmpty(target, to.archive(newest: true)) else {
                throw ConfigurationError("the target is not empty")
            }
            try copySecret(from, source, to, target)
            let rooms = try archive.allRooms()
            let events = try copy(rooms, LogCopy(from: archive, source, to: target))
            let pictures = try source.pictures.copy(to: target.pictures)
            try check(rooms, archive, from.archive(newest: true), to.archive(newest: true))
            print("\(rooms.count) rooms, \(events) events\(pictures > 0 ? ", \(pictures) pictures" : "") copied")
        }
    }

    private func copy(_ rooms: [RoomID], _ copy: LogCopy) throws -> Int {
        try copy.copyClockJumps()
        try copy.copyBlocks()
        try copy.copyRecords()
        let kept = try copy.oldestResponse(at: SystemClock().now().wall)
        var events = 0
        for room in rooms { events += try copy.copy(room, responsesSince: kept) }
        return events
    }

    /// Checks that the copy is complete and that the source did not change; prints findings and exits with 1 if there are any.
    private func check(_ rooms: [RoomID], _ before: any LogArchive, _ after: any LogArchive, _ copy: any LogArchive) throws {
        var (findings, named, count) = ([AuditFinding](), NamedPictures(), 0)
        for room in rooms {
            findings += try LogAudit.findings(of: room, in: copy, named: &named)
            let lastSeq = try before.record(of: room)?.lastSeq
            if try copy.record(of: room)?.lastSeq != lastSeq {
                findings.append(AuditFinding(room: room, seq: nil, "the copy does not go as far"))
            }
            if try after.record(of: room)?.lastSeq != lastSeq {
                findings.append(AuditFinding(room: room, seq: nil, "another process wrote to it meanwhile"))
            }
        }
        var (copied, given) = (0, 0)
        var lines = try BlockAudit.findings(in: copy, count: &copied)
        _ = try BlockAudit.findings(in: before, count: &given)
        if copied != given { lines.append("the copy has \(copied) blocks of users, not \(given)") }
        lines +=
            findings.map(\.description) + (try PictureAudit.findings(in: copy.storedPictures, named: named, count: &count))
        for line in lines { print(line) }
        if !lines.isEmpty { throw ExitCode.failure }
    }

    /// Copies the token secret, so that issued tokens stay valid.
    /// - Throws: `ConfigurationError` if the target has another one, which a server made: the tokens would end with the copy.
    private func copySecret(_ from: Store, _ source: any EventLog, _ to: Store, _ target: any EventLog) throws {
        if case .sqlite = from, !FileManager.default.fileExists(atPath: from.secretPath) { return }
        let secret = try from.secret(of: source)
        let copied: [UInt8]
        if let shared = target as? any SharedEventLog {
            copied = try shared.secret(named: "token", orCreate: secret)
        } else {
            if !FileManager.default.fileExists(atPath: to.secretPath) { try TokenSecret.save(secret, to: to.secretPath) }
            copied = try to.secret(of: target)
        }
        guard copied == secret else {
            throw ConfigurationError(
                "the target has a token secret of its own, since a server has run on it: name a new file or database")
        }
    }
}
