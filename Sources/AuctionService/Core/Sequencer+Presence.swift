internal import EventLog
public import AuctionDomain

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

    var isEmpty: Bool { loops.isEmpty && goneSince.isEmpty }
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
                presence.goneSince[change.user] = nil
                presences[change.room] = presence
                if let loaded = live[change.room], loaded.head.room.hostGoneSince != nil {
                    internally(.hostReconnected(change.user), in: loaded, now: now)
                }
                continue
            }
            let left = (presence.loops[change.user] ?? 1) - 1
            presence.loops[change.user] = left > 0 ? left : nil
            let role = live[change.room]?.head.room.members[change.user]?.role
            if left <= 0, role == .host || role == .auctioneer { presence.goneSince[change.user] = change.at }
            presences[change.room] = presence.isEmpty ? nil : presence
            armGrace(change.room)
            if left <= 0, let loaded = live[change.room], !loaded.head.room.stage.handshakes.isEmpty {
                internally(.disconnected(change.user), in: loaded, now: now)
            }
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
                internally(.hostDisconnected(host), in: loaded, now: now)
            } else {
                graces.arm(id, at: due)
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
