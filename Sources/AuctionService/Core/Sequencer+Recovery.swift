import AuctionDomain
import EventLog
import DequeModule

/// Nobody was there for a while: open rooms are read, then told together that the service is back.
struct Recovery: Sendable {
    /// Clients reach the service only once the moved ends are committed and the loops run; the time counts from then.
    static let allowanceMilliseconds: Int64 = 250

    let rooms: [RoomID]
    let isOfRoom: Set<RoomID>
    var awaited: Set<RoomID>
    /// Whether all of them could be read, and nothing was on its way that may yet be lost.
    var isComplete = true
    /// The batch that moves the ends; nil until it is submitted.
    var batch: Int?
    /// What came for its rooms before their ends were moved, in order: to whoever decides it a round is over that is not.
    var held: Deque<CommandRequest> = []
    var heldPerRoom: [RoomID: Int] = [:]
}

extension Sequencer {
    mutating func recover(_ rooms: [RoomID], now: Now) {
        // After an outage of all nodes this one may have been there all the time, with rooms in memory: as they were when it last
        // heard of them, which may be long ago. What is on its way tells, when the log has compared it.
        let known = rooms.compactMap { live[$0] }
        if isShared { known.filter { $0.inFlight == 0 }.forEach { reload($0) } }
        let absent = rooms.filter { live[$0].map { isShared && $0.inFlight > 0 } ?? true }
        recovery = Recovery(rooms: rooms.sorted(), isOfRoom: Set(rooms), awaited: Set(absent))
        for room in absent.sorted() where loading[room] == nil && lost[room] == nil && live[room] == nil {
            loading[room] = LoadingRoom(isNeeded: true)
            directives.append(.load(room))
        }
        if absent.isEmpty { serviceReturned(now: now) }
    }

    /// Whether a room's end is about to be moved, so that nothing may be decided in it yet.
    func isRecovering(_ room: RoomID) -> Bool { recovery.map { $0.batch == nil && $0.isOfRoom.contains(room) } ?? false }

    /// Keeps a command until its room's end has been moved.
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
                // It lost a race meanwhile; its end has to be moved all the same.
                if loading[room] != nil || lost[room] != nil { recovery?.isComplete = false }
                continue
            }
            let isMoved = moveEnd(of: loaded, ready: ready, cause: .outage, now: now)
            guard isShared, !isMoved, !loaded.isSettled else { continue }
            // Here it has ended, or moved on, and the log has not said so: should that be lost, the end is to be moved.
            loaded.disturbance = .outage
            recovery?.isComplete = false
        }
        let held = takeHeld()
        if changed.isEmpty { finishRecovery([]) } else { recovery?.batch = nextBatch }
        for room in rooms {
            if let loaded = live[room] { continueSerially(loaded, now: now) }
        }
        for request in held { command(request, now: now) }
    }

    /// - Parameter verdicts: what the log said of the moved ends.
    mutating func finishRecovery(_ verdicts: [RoomVerdict]) {
        let isDurable = verdicts.allSatisfy { if case .appended = $0 { true } else { false } }
        directives.append(.recovered(isComplete: isDurable && recovery?.isComplete != false))
        recovery = nil
    }
}
