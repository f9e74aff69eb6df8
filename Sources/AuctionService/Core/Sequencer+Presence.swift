public import AuctionDomain
internal import EventLog

/// Somebody's first stream on a room has opened on some event loop, or their last one there has closed.
public struct PresenceChange: Hashable, Sendable {
    public let room: RoomID
    public let user: UserID
    public let isPresent: Bool
    public let at: Timestamp

    public init(room: RoomID, user: UserID, isPresent: Bool, at: Timestamp) {
        self.room = room
        self.user = user
        self.isPresent = isPresent
        self.at = at
    }
}

/// Who follows a room by streams just now. Not durable: nobody is gone because the service restarted.
struct RoomPresence: Sendable {
    /// Event loops on which somebody has a stream.
    var loops: [UserID: Int] = [:]
    /// When the last stream of somebody who may lead the room was closed.
    var goneSince: [UserID: Timestamp] = [:]
    /// Those who follow the room through other nodes, as far as it depends on them.
    var elsewhere: Set<UserID> = []

    /// Somebody who led the room and is gone, until the log has that.
    var ending: (user: UserID, since: Timestamp)?

    var isEmpty: Bool { loops.isEmpty && goneSince.isEmpty && elsewhere.isEmpty && ending == nil }

    /// Somebody has a stream.
    mutating func isBack(_ user: UserID) {
        goneSince[user] = nil
        if ending?.user == user { ending = nil }
    }
}

// A host whose last stream has been closed for too long is gone; one who never opened a stream never disconnects.
extension Sequencer {
    /// How long a host may be without a stream.
    static var hostGrace: Seconds { Seconds(30) }

    mutating func presence(_ changes: [PresenceChange], now: Now) {
        for change in changes {
            var presence = presences[change.room] ?? RoomPresence()
            if change.isPresent {
                presence.loops[change.user, default: 0] += 1
                presence.isBack(change.user)
                presences[change.room] = presence
                if let loaded = live[change.room], loaded.head.room.hostGoneSince != nil {
                    internally(.hostReconnected(change.user), in: loaded, now: now)
                }
                continue
            }
            let left = (presence.loops[change.user] ?? 1) - 1
            presence.loops[change.user] = left > 0 ? left : nil
            presences[change.room] = presence.isEmpty ? nil : presence
            guard left <= 0, !presence.elsewhere.contains(change.user) else { continue }
            gone(change.user, from: change.room, since: change.at)
            if let loaded = live[change.room], !loaded.head.room.stage.handshakes.isEmpty {
                internally(.disconnected(change.user), in: loaded, now: now)
            }
        }
    }

    /// Of some rooms other people follow them through other nodes than before.
    mutating func elsewhere(_ reports: [RoomPresenceReport], now: Now) {
        for report in reports {
            var presence = presences[report.room] ?? RoomPresence()
            let missing = presence.elsewhere.subtracting(report.people).filter { presence.loops[$0] == nil }
            presence.elsewhere = Set(report.people)
            for user in report.people { presence.isBack(user) }
            presences[report.room] = presence.isEmpty ? nil : presence
            // Their node may have died. What they were in the midst of on the stage has a time-out of its own.
            for user in missing.sorted() { gone(user, from: report.room, since: now.wall) }
        }
    }

    /// Somebody has no stream any more, at no node.
    private mutating func gone(_ user: UserID, from id: RoomID, since instant: Timestamp) {
        let role = live[id]?.head.room.members[user]?.role
        guard role == .host || role == .auctioneer else { return }
        presences[id, default: RoomPresence()].goneSince[user] = instant
        armGrace(id)
    }

    /// The room is not what it was: whoever leads it may be gone, or back.
    /// - Parameter isAnew: It was read, and what had been decided of them and was on its way is void.
    mutating func lookAfterHost(of loaded: LoadedRoom, isAnew: Bool, now: Now) {
        let room = loaded.head.room
        guard var presence = presences[room.id] else { return }
        if let ending = presence.ending, let base = loaded.base?.room {
            let isOver = base.hostGoneSince != nil || base.host.id != ending.user
            if isOver || isAnew { presence.ending = nil }
            if !isOver && isAnew { presence.goneSince[ending.user] = ending.since }
            presences[room.id] = presence.isEmpty ? nil : presence
        }
        if isAnew, room.hostGoneSince != nil, presence.loops[room.host.id] != nil {
            internally(.hostReconnected(room.host.id), in: loaded, now: now)
        } else {
            armGrace(room.id)
        }
    }

    /// Sees to it that the room is looked at when its host has been gone for too long.
    mutating func armGrace(_ id: RoomID) {
        guard let presence = presences[id], let room = live[id]?.head.room, room.hostGoneSince == nil,
            let gone = presence.goneSince[room.host.id]
        else { return }
        graces.arm(id, at: gone + Self.hostGrace)
    }

    mutating func endDueGraces(now: Now) {
        while let id = graces.popDue(at: now.wall) {
            guard let loaded = live[id] else { continue }
            let host = loaded.head.room.host.id
            guard let gone = presences[id]?.goneSince[host] else { continue }
            let due = gone + Self.hostGrace
            if due <= now.wall {
                presences[id]?.goneSince[host] = nil
                presences[id]?.ending = (host, gone)
                internally(.hostDisconnected(host), in: loaded, now: now)
            } else {
                graces.arm(id, at: due)
            }
        }
    }

    /// Time jumped by so many milliseconds: nobody could come back meanwhile.
    mutating func extendGraces(by milliseconds: Int64, now: Now) {
        for (room, presence) in presences where !presence.goneSince.isEmpty {
            presences[room]?.goneSince = presence.goneSince.mapValues {
                min($0.advanced(byMilliseconds: milliseconds), now.wall)
            }
        }
    }

    /// Carries out a command of the service itself; nobody waits for its answer.
    private mutating func internally(_ command: Command, in loaded: LoadedRoom, now: Now) {
        endDueCountdowns(in: loaded, now: now)
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: UInt64(truncatingIfNeeded: room.id.bits)))
        // A refusal (the room was archived meanwhile) leaves everything as it is.
        guard let decision = try? manager.decide(command, by: room.host, in: &context), !decision.events.isEmpty else { return }
        mark(loaded)
        loaded.record(decision.events, at: context.instant)
    }
}
