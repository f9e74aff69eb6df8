internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// An erasure that runs on one loop: room after room, each step durable before the next one.
///
/// A class, because each command's pending entry carries it. Used on that loop's thread only.
final class PendingErasure {
    /// Stands for an exchange, for what it waits for.
    let id: ExchangeID
    /// The request that waits for it; nil if it goes on from the log.
    let request: RequestContext?
    private(set) var record: ErasureRecord
    /// The rooms of this pass that are left.
    private var rooms: Set<RoomID> = []
    /// The room whose command waits for its response.
    private var room: RoomErasure?
    /// Whether a guest was found whose rooms were not searched for.
    private var hasNewPeople = false
    /// Whether something could not be done now.
    private(set) var isIncomplete = false

    init(_ record: ErasureRecord, for request: RequestContext?, id: ExchangeID) {
        (self.record, self.request, self.id) = (record, request, id)
    }

    /// The caller of its commands.
    var caller: Person { record.pseudonyms[0] }

    /// This node works on it for another while.
    func renewLease(at now: Timestamp) { record.due = now.advanced(byMilliseconds: ErasureRecord.leaseMilliseconds) }

    func add(_ found: [RoomID]) { rooms.formUnion(found) }
    func takeNextRoom() -> RoomID? { rooms.popFirst() }

    /// Waits for the response to the room's command.
    func wait(for room: RoomErasure) { self.room = room }
    func takeRoom() -> RoomErasure? { room.take() }

    func add(_ guests: [UserID]) {
        record.add(guests)
        hasNewPeople = true
    }

    /// Whether the rooms of people who were added are still to be searched for.
    func takeNewPeople() -> Bool {
        defer { hasNewPeople = false }
        return hasNewPeople
    }

    /// A part is left to a later pass.
    func leaveRest() { isIncomplete = true }
}

/// Parts of an erasure that concern no room, each a job on the log.
enum ErasureSteps {
    private static let responsesPerStep = 500
    private static let blocksPerStep = 100
    private static let roomsPerPage = 100

    /// Why the user cannot leave now; nil if nothing prevents it.
    static func refusal(
        of user: UserID, _ service: RoomService, _ manager: RoomManager, _ log: any EventLog
    ) throws(EventLogError) -> Refusal? {
        for selection in [UserRoomQuery.Selection.memberships, .standingBids] {
            var next: Int64?
            repeat {
                let page = try log.rooms(UserRoomQuery(user: user, selection, after: next, limit: roomsPerPage))
                // A sale may run although no round does: of that the row of its host's room says nothing.
                for row in page.rows.map(\.room) where isRunning(row, manager) || isHosted(row, by: user) {
                    let resident = service.residentRoom(of: row)
                    let room = if let resident { resident } else { try service.loadedRoom(row.room, from: log) }
                    if let room, let refusal = manager.refusal(ofErasing: user, in: room) { return refusal }
                }
                next = page.next
            } while next != nil
        }
        return nil
    }

    private static func isHosted(_ row: RoomRow, by user: UserID) -> Bool {
        row.profile.host.id == user && !row.status.isArchived
    }

    private static func isRunning(_ row: RoomRow, _ manager: RoomManager) -> Bool {
        manager.rulebook.states[RoomState(rawValue: row.status.state)]?.isRound == true || row.status.endsAt != nil
    }

    /// Rewrites stored responses.
    /// - Returns: Where to go on; nil at the end.
    static func rewriteResponses(
        _ record: ErasureRecord, after position: Int64, _ log: any EventLog
    ) throws(EventLogError) -> Int64? {
        let eraser = NicknameErasure(record.pseudonyms)
        return try log.rewriteResponses(naming: record.people, after: position, limit: responsesPerStep, eraser.rewritten)
    }

    /// Deletes the people's codes for other devices and their blocks, and rewrites the other records.
    static func cleanRecords(_ record: ErasureRecord, _ log: any EventLog) throws(EventLogError) {
        let eraser = NicknameErasure(record.pseudonyms)
        var last: (kind: String, id: String)?
        while true {
            let page = try log.allRecords(after: last, limit: RecordLimits.changes)
            for found in page where found.kind != ErasureRecord.kind {
                if Pairing.isOf(record.people, found) {
                    _ = try log.write([.delete(found.kind, found.id)])
                } else if let content = eraser.rewritten(found.content) {
                    _ = try log.write([
                        .put(found.kind, found.id, content, expiresAt: found.expiresAt, if: .version(found.version))
                    ])
                }
            }
            guard let end = page.last else { break }
            last = (end.kind, end.id)
        }
        for user in record.people {
            while true {
                let blocks = try log.blocks(of: user, after: nil, limit: blocksPerStep)
                if blocks.isEmpty { break }
                for block in blocks { _ = try log.removeBlock(of: block.blocked, by: user) }
            }
        }
    }

    /// Removes what was replaced from the log's files, and notes how far the erasure has come.
    /// - Returns: Whether it is finished.
    static func conclude(
        _ record: ErasureRecord, isIncomplete: Bool, at now: Timestamp, _ log: any EventLog
    ) throws(EventLogError) -> Bool {
        let isPurged = try log.purge()
        let settled = record.at.advanced(byMilliseconds: ErasureRecord.settlingMilliseconds)
        guard isIncomplete || !isPurged || now < settled else {
            _ = try log.write([.delete(ErasureRecord.kind, record.user.description)])
            // The deletion is in the write-ahead log too, but has no name.
            return true
        }
        var next = record
        next.due = isIncomplete ? now.advanced(byMilliseconds: ErasureRecord.retryMilliseconds) : max(settled, now)
        _ = try log.write([next.change()])
        return false
    }
}
