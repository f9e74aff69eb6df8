internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import EventLogPostgres
internal import EventLogSQLite

/// `auction-room pictures --unnamed`: pictures that are kept although no event names them, as their rooms were deleted or a command was refused.
enum UnnamedPictures {
    /// Pictures younger than this, in milliseconds, are left out: a server deletes no others either.
    private static let ageMilliseconds: Int64 = 86_400_000
    /// Pictures of one transaction.
    private static let portion = 100

    static func run(_ store: Store, removing: Bool) throws {
        let cutoff = SystemClock().now().wall.advanced(byMilliseconds: -ageMilliseconds)
        guard removing else {
            for record in try found(in: store, before: cutoff) { print(line(of: record)) }
            return
        }
        try store.requireLog()
        switch store {
        case .sqlite(let path):
            let log = try SQLiteEventLog(path: path) { complain($0) }
            defer { log.close() }
            try log.maintain()
            try remove(found(in: store, before: cutoff), from: log.pictures, before: cutoff)
        case .postgres(let url):
            let log = try PostgresEventLog(url)
            defer { log.close() }
            guard try log.liveness().nodes.isEmpty else {
                throw EventLogError(
                    .unavailable, "a server uses this log, and may be about to name a picture: stop all nodes first")
            }
            try remove(found(in: store, before: cutoff), from: log.pictures, before: cutoff)
        }
    }

    private static func line(of record: PictureRecord) -> String { record.line("named by no event") }

    /// - Throws: `.corrupt` if events are damaged: then it is not known what they name.
    private static func found(in store: Store, before cutoff: Timestamp) throws -> [PictureRecord] {
        let archive = try store.archive(newest: true)
        var named = NamedPictures()
        for room in try archive.allRooms() {
            guard try LogAudit.findings(of: room, in: archive, named: &named).isEmpty else {
                throw EventLogError(
                    .corrupt, "which pictures the room \(room) names is not known, as it is damaged: see `auction-room verify`")
            }
        }
        var found: [PictureRecord] = []
        try archive.storedPictures?.forEachRecord { record throws(EventLogError) in
            guard record.isKept, record.removedAt == nil, named.places[record.id] == nil,
                record.uploads.allSatisfy({ $0.at < cutoff })
            else { return }
            found.append(record)
        }
        return found
    }

    private static func remove(
        _ records: [PictureRecord], from pictures: any PictureStore, before cutoff: Timestamp
    ) throws(EventLogError) {
        for start in stride(from: 0, to: records.count, by: portion) {
            let part = records[start..<min(start + portion, records.count)]
            try pictures.release(part.map(\.id))
            while try pictures.deleteUnused(before: cutoff, limit: portion) > 0 {}
            for record in part { print("\(SystemClock().now().wall) removed \(line(of: record))") }
        }
        print("\(records.count) pictures removed")
    }
}
