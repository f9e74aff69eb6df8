internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Erases a user who leaves the service for good. Its steps repeat harmlessly, so it goes on from the beginning after a crash.
extension LoopHandler {
    /// Events that one search reads.
    private static let eventsPerSearch = 20_000

    /// What the beginning of an erasure has led to.
    private enum Beginning: Sendable {
        case begun(ErasureRecord)
        case refused(Refusal)
        /// Another node erases the user.
        case isRunningElsewhere
    }

    /// Ends the caller's tokens and erases them, then responds; refused while a room needs them.
    ///
    /// The user's commands are refused before the rooms are asked: a bid that comes at the same moment either is in its room by then, which
    /// needs the user because of it, or is not placed. Nothing has ended if a room refuses.
    func beginErasure(of user: Person, _ context: RequestContext) throws(Problem) {
        guard shared.access.erased.begin(user.id) else { throw .erasureInProgress }
        wait(context) { finish in
            shared.stopCommands(of: user.id) { finish(true) }
        } then: { [unowned self] (_: Bool) in
            if shared.service.isShared { askNodes(user, context) } else { askRooms(user, context, isRecorded: false) }
        }
    }

    /// What the other nodes have to do with it.
    private enum OtherNodes: Sendable {
        case none
        /// They refuse the user's commands in a moment.
        case asked
        /// One of them erases the user.
        case erasing
    }

    /// Has the other nodes refuse the user's commands too.
    private func askNodes(_ user: Person, _ context: RequestContext) {
        let record = ErasureRecord.asked(user.id, at: shared.clock.now().wall)
        wait(context) { finish in
            shared.service.read { log in
                finish(
                    Result { () throws(EventLogError) -> OtherNodes in
                        let nodes = try (log as? any SharedEventLog)?.liveness().nodes.count ?? 1
                        guard nodes > 1 else { return .none }
                        return try log.write([record.change(if: .none)]) ? .asked : .erasing
                    })
            }
        } then: { [unowned self] (result: Result<OtherNodes, EventLogError>) in
            switch result {
            case .success(.none): askRooms(user, context, isRecorded: false)
            case .success(.asked):
                _ = loop.schedule(afterMilliseconds: ErasureRecord.askingMilliseconds) { [unowned self] in
                    askRooms(user, context, isRecorded: true)
                }
            case .success(.erasing): begun(.success(.isRunningElsewhere), user, context)
            case .failure(let error): begun(.failure(error), user, context)
            }
        }
    }

    /// - Parameter isRecorded: Whether the log has for the other nodes that the user asks.
    private func askRooms(_ user: Person, _ context: RequestContext, isRecorded: Bool) {
        let (service, manager, clock) = (shared.service, RoomManager(rulebook: shared.rulebook), shared.clock)
        wait(context) { finish in
            service.read { log in
                finish(
                    Result { () throws(EventLogError) in
                        try Self.beginning(of: user.id, isRecorded: isRecorded, service, manager, log, at: clock.now().wall)
                    })
            }
        } then: { [unowned self] (result: Result<Beginning, EventLogError>) in
            begun(result, user, context)
        }
    }

    /// Runs on a thread that may block.
    private static func beginning(
        of user: UserID, isRecorded: Bool, _ service: RoomService, _ manager: RoomManager, _ log: any EventLog,
        at now: Timestamp
    ) throws(EventLogError) -> Beginning {
        var expected = ExpectedRecord.none
        if isRecorded {
            guard let stored = try log.record(ErasureRecord.kind, user.description), ErasureRecord(stored)?.isAsked == true
            else { return .isRunningElsewhere }
            expected = .version(stored.version)
        }
        if let refusal = try ErasureSteps.refusal(of: user, service, manager, log) {
            if isRecorded { _ = try log.write([.delete(ErasureRecord.kind, user.description, if: expected)]) }
            return .refused(refusal)
        }
        let record = ErasureRecord(user, at: now)
        return try record.write(to: log, if: expected) ? .begun(record) : .isRunningElsewhere
    }

    private func begun(_ result: Result<Beginning, EventLogError>, _ user: Person, _ context: RequestContext) {
        if case .success(.begun(let record)) = result {
            run(PendingErasure(record, for: context, id: nextErasureID()))
            // The tokens have ended on each loop before its commands are allowed.
            return shared.allowCommands(of: user.id)
        }
        shared.access.erased.end(user.id)
        shared.allowCommands(of: user.id)
        proceed(context) { () throws(Problem) in
            switch result {
            case .success(.refused(let refusal)): throw Problem(refusal)
            case .success: throw .erasureInProgress
            case .failure(let error):
                shared.log.report(error, of: context.requestID)
                throw .unavailable
            }
        }
    }

    /// Goes on with an erasure that `ErasedUsers.begin` has admitted.
    func resume(_ record: ErasureRecord) { run(PendingErasure(record, for: nil, id: nextErasureID())) }

    private func nextErasureID() -> ExchangeID { ExchangeID(rawValue: 1 << 63 | nextSeed() >> 1) }

    private func run(_ erasure: PendingErasure) {
        shared.tokensEnded(erasure.record)
        search(erasure, after: 0)
    }

    /// Runs a job on the log, then goes on; if the log fails, another pass begins later.
    private func work<Value: Sendable>(
        _ erasure: PendingErasure, _ job: @escaping @Sendable (any EventLog) throws(EventLogError) -> Value,
        then proceed: @escaping (Value) -> Void
    ) {
        wait(for: erasure.id) { finish in
            shared.service.read { log in finish(Result { () throws(EventLogError) in try job(log) }) }
        } then: { [unowned self] (result: Result<Value, EventLogError>) in
            switch result {
            case .success(let value): proceed(value)
            case .failure(let error):
                shared.log.report(error, of: erasure.request?.requestID ?? "erasure")
                ended(erasure)
            }
        }
    }

    // MARK: - Rooms

    private func search(_ erasure: PendingErasure, after position: Int64) {
        erasure.renewLease(at: shared.clock.now().wall)
        let renewed = erasure.record
        work(erasure) { log throws(EventLogError) in
            _ = try log.write([renewed.change()])
            return try log.rooms(naming: renewed.people, after: position, limit: Self.eventsPerSearch)
        } then: { [unowned self] part in
            erasure.add(part.rooms)
            if let next = part.next { search(erasure, after: next) } else { nextRoom(erasure) }
        }
    }

    private func nextRoom(_ erasure: PendingErasure) {
        guard let room = erasure.takeNextRoom() else { return cleanResponses(erasure, after: 0) }
        readOn(erasure, RoomErasure(of: erasure.record.pseudonyms, in: room))
    }

    private func readOn(_ erasure: PendingErasure, _ room: RoomErasure) {
        work(erasure) { log throws(EventLogError) in
            var room = room
            return (isReady: try room.read(from: log), room)
        } then: { [unowned self] (isReady, room) in
            if !room.guests.isEmpty, erasure.record.people.count < EraseMembers.limit {
                add(room.guests, to: erasure, of: room.room)
            } else if !isReady {
                readOn(erasure, room)
            } else if !room.found.isEmpty || room.hasReplaced {
                submit(room, erasure)
            } else {
                dropSnapshots(of: room, erasure)
            }
        }
    }

    /// Guests of the user are erased as well, in this room from its beginning.
    private func add(_ guests: [UserID], to erasure: PendingErasure, of room: RoomID) {
        erasure.add(guests)
        let record = erasure.record
        shared.tokensEnded(record)
        work(erasure) { log throws(EventLogError) in
            try record.write(to: log)
        } then: { [unowned self] in
            readOn(erasure, RoomErasure(of: record.pseudonyms, in: room))
        }
    }

    private func submit(_ room: RoomErasure, _ erasure: PendingErasure) {
        erasure.wait(for: room)
        do throws(Problem) {
            try commands.submit(.erase(room.command), of: room.room, as: erasure)
        } catch {
            _ = erasure.takeRoom()
            erasure.leaveRest()
            nextRoom(erasure)
        }
    }

    /// Takes the response to the command for one room. A room that needs the user, or cannot be changed now, is left to a later pass.
    func answered(_ response: CommandResponse, for erasure: PendingErasure) {
        guard let room = erasure.takeRoom() else { return ended(erasure) }
        switch response.status {
        // It said that nothing is left.
        case 204 where room.found.isEmpty: nextRoom(erasure)
        case 204: replace(room, erasure)
        case 404: nextRoom(erasure)
        default:
            erasure.leaveRest()
            nextRoom(erasure)
        }
    }

    private func replace(_ room: RoomErasure, _ erasure: PendingErasure) {
        // The room has the event of the command at least.
        let seq = shared.service.residentRoom(room.room)?.seq ?? 0
        let (found, id) = (room.found, room.room)
        work(erasure) { log throws(EventLogError) in
            try log.replace(found, of: id, before: seq)
        } then: { [unowned self] in
            var room = room
            room.replaced()
            readOn(erasure, room)
        }
    }

    /// Snapshots from before the erasure may have been written after its first pass.
    private func dropSnapshots(of room: RoomErasure, _ erasure: PendingErasure) {
        let (id, seq) = (room.room, room.erasedSeq)
        guard seq > 0 else { return nextRoom(erasure) }
        work(erasure) { log throws(EventLogError) in
            try log.replace([], of: id, before: seq)
        } then: { [unowned self] in
            nextRoom(erasure)
        }
    }

    // MARK: - What belongs to no room

    private func cleanResponses(_ erasure: PendingErasure, after position: Int64) {
        let record = erasure.record
        work(erasure) { log throws(EventLogError) in
            try ErasureSteps.rewriteResponses(record, after: position, log)
        } then: { [unowned self] next in
            if let next { cleanResponses(erasure, after: next) } else { cleanRecords(erasure) }
        }
    }

    private func cleanRecords(_ erasure: PendingErasure) {
        let record = erasure.record
        work(erasure) { log throws(EventLogError) in
            try ErasureSteps.cleanRecords(record, log)
        } then: { [unowned self] in
            if erasure.takeNewPeople() { search(erasure, after: 0) } else { conclude(erasure) }
        }
    }

    private func conclude(_ erasure: PendingErasure) {
        let (record, isIncomplete, now) = (erasure.record, erasure.isIncomplete, shared.clock.now().wall)
        work(erasure) { log throws(EventLogError) in
            try ErasureSteps.conclude(record, isIncomplete: isIncomplete, at: now, log)
        } then: { [unowned self] _ in
            ended(erasure)
        }
    }

    /// Responds, also if a part is left to a later pass: the tokens have ended.
    private func ended(_ erasure: PendingErasure) {
        shared.access.erased.end(erasure.record.user)
        guard let context = erasure.request, loop.exchange(context.exchange.id) != nil else { return }
        finish(context.exchange.id, Response(status: 204, headers: [("Cache-Control", "no-store")]), context.requestID)
    }
}

extension Problem {
    fileprivate static let erasureInProgress = Problem(
        .unavailable, code: "service.too_many_reads",
        LocalizedText(
            "Accounts are being erased right now, perhaps this one by another request of yours; try again in a minute.",
            "正在处理注销请求(可能包括您的另一个请求),请一分钟后重试。"))
}
