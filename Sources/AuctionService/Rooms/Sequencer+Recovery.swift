import AuctionDomain
import EventLog
import DequeModule

/// Recovery from an outage: all open rooms are read, then their expired deadlines are extended together.
struct Recovery: Sendable {
    /// Added to the extended deadlines: clients reach the service only after these are committed and the event loops run.
    static let allowanceMilliseconds: Int64 = 250

    let rooms: [RoomID]
    let roomSet: Set<RoomID>
    var awaited: Set<RoomID>
    /// Whether all rooms were read, and nothing was in flight that may still fail.
    var isComplete = true
    /// The batch that extends the deadlines; nil until it is submitted.
    var batch: Int?
    /// Commands for these rooms that arrived before the deadlines were extended, in order: decided earlier, they would find the
    /// round closed.
    var held: Deque<CommandRequest> = []
    var heldPerRoom: [RoomID: Int] = [:]
}

extension Sequencer {
    mutating func recover(_ rooms: [RoomID], now: Now) {
        // After an outage of all nodes this node may still have rooms in memory, in a state that may be outdated: they are read
        // again. A room with an append in flight learns from its verdict whether it is current.
        let inMemory = rooms.compactMap { live[$0] }
        if isShared { inMemory.filter { $0.inFlight == 0 }.forEach { reload($0) } }
        let absent = rooms.filter { live[$0].map { isShared && $0.inFlight > 0 } ?? true }
        recovery = Recovery(rooms: rooms.sorted(), roomSet: Set(rooms), awaited: Set(absent))
        for room in absent.sorted() where loading[room] == nil && conflicted[room] == nil && live[room] == nil {
            loading[room] = LoadingRoom(isNeeded: true)
            directives.append(.load(room))
        }
        if absent.isEmpty { serviceReturned(now: now) }
    }

    /// Whether a recovery is about to extend the room's deadline, so that no command may be decided in it yet.
    func isRecovering(_ room: RoomID) -> Bool { recovery.map { $0.batch == nil && $0.roomSet.contains(room) } ?? false }

    /// Queues a command until its room's deadline has been extended.
    mutating func hold(_ request: CommandRequest, now: Now) {
        let count = recovery?.heldPerRoom[request.room] ?? 0
        guard count < limits.parkedCommandsPerRoom else { return fail(request, .overloaded, now) }
        recovery?.heldPerRoom[request.room] = count + 1
        recovery?.held.append(request)
    }

    mutating func takeHeld() -> [CommandRequest] {
        let held = recovery?.held ?? []
        recovery?.held = []
        return Array(held)
    }

    mutating func recoveryLoaded(_ room: RoomID, now: Now) {
        guard recovery?.batch == nil, recovery?.awaited.remove(room) != nil else { return }
        if recovery?.awaited.isEmpty == true { serviceReturned(now: now) }
    }

    private mutating func serviceReturned(now: Now) {
        let ready = Timestamp(milliseconds: now.wall.milliseconds + Recovery.allowanceMilliseconds)
        let rooms = recovery?.rooms ?? []
        for room in rooms {
            guard let loaded = live[room] else {
                // Its append conflicted meanwhile; its deadline still has to be extended, by another recovery.
                if loading[room] != nil || conflicted[room] != nil { recovery?.isComplete = false }
                continue
            }
            let isExtended = extendDeadline(of: loaded, ready: ready, cause: .outage, now: now)
            guard isShared, !isExtended, !loaded.isSettled else { continue }
            // In memory the round has ended or continued, which is not durable yet: if that append fails, the deadline has to be
            // extended.
            loaded.pendingExtension = .outage
            recovery?.isComplete = false
        }
        let held = takeHeld()
        if changed.isEmpty { finishRecovery([]) } else { recovery?.batch = nextBatch }
        for room in rooms {
            if let loaded = live[room] { continueSerially(loaded, now: now) }
        }
        for request in held { command(request, now: now) }
    }

    /// - Parameter verdicts: Verdicts of the batch that extended the deadlines.
    mutating func finishRecovery(_ verdicts: [RoomVerdict]) {
        let isDurable = verdicts.allSatisfy { if case .appended = $0 { true } else { false } }
        directives.append(.recovered(isComplete: isDurable && recovery?.isComplete != false))
        recovery = nil
    }
}
