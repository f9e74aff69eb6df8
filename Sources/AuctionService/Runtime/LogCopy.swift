package import AuctionDomain
package import EventLog

/// Copies a log into an empty one, possibly of another kind: every event with its hash, profiles, status rows, snapshots, stored
/// responses and clock jumps.
package struct LogCopy {
    private let archive: any LogArchive
    private let source: any EventLog
    private let target: any EventLog
    /// Maximum number of events per transaction.
    private static let pageEvents = 1000

    /// - Parameter source: The log of the archive, to read stored responses from. No other process may write to it meanwhile.
    package init(from archive: any LogArchive, _ source: any EventLog, to target: any EventLog) {
        (self.archive, self.source, self.target) = (archive, source, target)
    }

    /// Whether a log has nothing that a copy would bring: no room, no block of a user, no record and no picture.
    /// - Parameters:
    ///   - target: the log.
    ///   - archive: the same one.
    package static func isEmpty(_ target: any EventLog, _ archive: any LogArchive) throws -> Bool {
        try archive.allRooms().isEmpty && archive.blocks(after: nil, limit: 1).isEmpty
            && archive.allRecords(after: nil, limit: 2).allSatisfy(InternalRecords.contain)
            && target.pictures.records(after: nil, limit: 1).isEmpty
    }

    /// Copies the recorded clock jumps, without which keys and tokens from before a jump would be too old in the copy. A log with a clock
    /// of its own takes none.
    package func copyClockJumps() throws(EventLogError) { try target.keep(source.clockJumps()) }

    /// Copies whom users block, page by page.
    /// - Throws: `.corrupt` if the source's blocks cannot be read.
    package func copyBlocks() throws(EventLogError) {
        var page: [UserBlock] = []
        try BlockAudit.forEachBlock(in: archive) { block throws(EventLogError) in
            page.append(block)
            guard page.count == Self.pageEvents else { return }
            try target.restore(page)
            page = []
        }
        try target.restore(page)
    }

    /// Copies the records, page by page, without those that belong to the source alone, such as the number of its feed.
    /// - Throws: `.corrupt` if one cannot be read.
    package func copyRecords() throws(EventLogError) {
        var last: (kind: String, id: String)?
        while true {
            let page = try archive.allRecords(after: last, limit: RecordLimits.changes)
            guard let end = page.last else { return }
            let changes = page.filter { !InternalRecords.contain($0) }.map {
                RecordChange.put($0.kind, $0.id, $0.content, expiresAt: $0.expiresAt)
            }
            _ = try target.write(changes)
            last = (end.kind, end.id)
        }
    }

    /// Since when responses have been stored that a key may still ask for: one hour more than keys live, without the time that the
    /// source's clock jumped over.
    /// - Parameter now: The machine's time.
    package func oldestResponse(at now: Timestamp) throws(EventLogError) -> Timestamp {
        ClockJumps(try source.clockJumps()).instant(IdempotencyKeys.lifetimeMilliseconds + 3_600_000, before: now)
    }

    /// Copies one room. Call it for the oldest room first, so that room lists keep their order.
    /// - Parameter responsesSince: Older stored responses are not copied.
    /// - Returns: The number of events copied.
    /// - Throws: `.statement` if the target already has the room, `.corrupt` if the source's history cannot be read.
    package func copy(_ id: RoomID, responsesSince: Timestamp) throws(EventLogError) -> Int {
        guard let record = try archive.record(of: id) else { return 0 }
        var head = RoomHead.none
        var room: Room?
        while head.seq < record.lastSeq {
            let limit = min(Self.pageEvents, record.lastSeq - head.seq)
            let events = try archive.events(of: id, after: head.seq, limit: limit)
            guard let last = events.last else {
                throw EventLogError(.corrupt, "\(id) has events up to \(head.seq) only, of \(record.lastSeq)")
            }
            let after = try fold(events, into: room, of: id)
            room = after
            let responses = last.seq == record.lastSeq ? try self.responses(of: id, since: responsesSince) : []
            let append = RoomAppend(
                room: id, expected: head, events: events, profile: after.profile, status: after.status, responses: responses,
                dueAt: after.dueAt, users: last.seq == record.lastSeq ? UserChanges(of: after) : UserChanges())
            guard case .appended = try target.append([append]).first else {
                throw EventLogError(.statement, "\(id) is in the target already, or another process writes to it")
            }
            head = append.newHead
        }
        if let snapshot = record.snapshot { try target.save([snapshot]) }
        return record.lastSeq
    }

    private func fold(_ events: [StoredEvent], into room: Room?, of id: RoomID) throws(EventLogError) -> Room {
        var room = room
        for stored in events {
            do {
                guard try room.apply(EventCodec.decode(stored, after: room), of: id) else { break }
            } catch {
                throw EventLogError(.corrupt, "\(id), event \(stored.seq): \(error)")
            }
        }
        guard let room else { throw EventLogError(.corrupt, "the first event of \(id) does not open the room") }
        return room
    }

    private func responses(of id: RoomID, since: Timestamp) throws(EventLogError) -> [StoredResponse] {
        var responses: [StoredResponse] = []
        for key in try source.load(id, responsesSince: since)?.responses ?? [] {
            if let response = try source.storedResponse(at: key.position) { responses.append(response) }
        }
        return responses
    }
}
