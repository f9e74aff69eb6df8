public import AuctionDomain
internal import EventLog

/// A user's first stream on a room has opened on an event loop, or their last one there has closed.
public struct PresenceChange: Hashable, Sendable {
    /// Identifier of the room.
    public let room: RoomID
    /// The user whose streams changed.
    public let user: UserID
    /// Whether the first stream opened; false: the last one closed.
    public let isPresent: Bool
    /// When that happened, in service time.
    public let at: Timestamp

    public init(room: RoomID, user: UserID, isPresent: Bool, at: Timestamp) {
        self.room = room
        self.user = user
        self.isPresent = isPresent
        self.at = at
    }
}

/// Which users have streams on a room. Not durable: a restart of the service disconnects no host.
struct RoomPresence: Sendable {
    /// Number of event loops on which each user has a stream.
    var loops: [UserID: Int] = [:]
    /// When the last stream of a host or auctioneer closed.
    var disconnectedSince: [UserID: Timestamp] = [:]
    /// Users with streams on other nodes, as far as the room depends on them.
    var remoteUsers: Set<UserID> = []

    /// The host whose disconnection has been decided but is not durable yet, and since when they have had no stream.
    var pendingDisconnect: (user: UserID, since: Timestamp)?

    var isEmpty: Bool { loops.isEmpty && disconnectedSince.isEmpty && remoteUsers.isEmpty && pendingDisconnect == nil }

    /// Clears the disconnect state of a user who has a stream again.
    mutating func markPresent(_ user: UserID) {
        disconnectedSince[user] = nil
        if pendingDisconnect?.user == user { pendingDisconnect = nil }
    }
}

// A host whose last stream has been closed for longer than the timeout is disconnected; a host who never opened a stream never is.
extension Sequencer {
    /// How long a host may have no stream before they count as disconnected.
    static var hostDisconnectTimeout: Seconds { Seconds(30) }

    mutating func presence(_ changes: [PresenceChange], now: Now) {
        for change in changes {
            var presence = presences[change.room] ?? RoomPresence()
            if change.isPresent {
                presence.loops[change.user, default: 0] += 1
                presence.markPresent(change.user)
                presences[change.room] = presence
                if let loaded = live[change.room], loaded.head.room.hostGoneSince != nil {
                    runServiceCommand(.hostReconnected(change.user), in: loaded, now: now)
                }
                continue
            }
            let left = (presence.loops[change.user] ?? 1) - 1
            presence.loops[change.user] = left > 0 ? left : nil
            presences[change.room] = presence.isEmpty ? nil : presence
            guard left <= 0, !presence.remoteUsers.contains(change.user) else { continue }
            disconnected(change.user, from: change.room, since: change.at)
            if let loaded = live[change.room], !loaded.head.room.stage.handshakes.isEmpty {
                runServiceCommand(.disconnected(change.user), in: loaded, now: now)
            }
        }
    }

    /// Handles changed presence on other nodes.
    mutating func remotePresence(_ reports: [RoomPresenceReport], now: Now) {
        for report in reports {
            var presence = presences[report.room] ?? RoomPresence()
            let missing = presence.remoteUsers.subtracting(report.people).filter { presence.loops[$0] == nil }
            presence.remoteUsers = Set(report.people)
            for user in report.people { presence.markPresent(user) }
            presences[report.room] = presence.isEmpty ? nil : presence
            // Their node may have crashed. Handshakes on the stage are not failed here, since they have their own timeout.
            for user in missing.sorted() { disconnected(user, from: report.room, since: now.wall) }
        }
    }

    /// Records that a user has no stream on any node, and arms the disconnect timer.
    private mutating func disconnected(_ user: UserID, from id: RoomID, since instant: Timestamp) {
        let role = live[id]?.head.room.members[user]?.role
        guard role == .host || role == .auctioneer else { return }
        presences[id, default: RoomPresence()].disconnectedSince[user] = instant
        armDisconnectTimer(id)
    }

    /// Updates the host's presence after the room has changed: the host may be another user, disconnected or connected.
    /// - Parameter isAnew: Whether the room was read again, so that uncommitted decisions about its host are void.
    mutating func updateHostPresence(of loaded: LoadedRoom, isReloaded: Bool, now: Now) {
        let room = loaded.head.room
        guard var presence = presences[room.id] else { return }
        if let pendingDisconnect = presence.pendingDisconnect, let base = loaded.base?.room {
            let isOver = base.hostGoneSince != nil || base.host.id != pendingDisconnect.user
            if isOver || isReloaded { presence.pendingDisconnect = nil }
            if !isOver && isReloaded { presence.disconnectedSince[pendingDisconnect.user] = pendingDisconnect.since }
            presences[room.id] = presence.isEmpty ? nil : presence
        }
        if isReloaded, room.hostGoneSince != nil, presence.loops[room.host.id] != nil {
            runServiceCommand(.hostReconnected(room.host.id), in: loaded, now: now)
        } else {
            armDisconnectTimer(room.id)
        }
    }

    /// Arms the timer that declares the room's host disconnected.
    mutating func armDisconnectTimer(_ id: RoomID) {
        guard let presence = presences[id], let room = live[id]?.head.room, room.hostGoneSince == nil,
            let gone = presence.disconnectedSince[room.host.id]
        else { return }
        disconnectTimers.arm(id, at: gone + Self.hostDisconnectTimeout)
    }

    mutating func expireDisconnectTimers(now: Now) {
        while let id = disconnectTimers.popDue(at: now.wall) {
            guard let loaded = live[id] else { continue }
            let host = loaded.head.room.host.id
            guard let gone = presences[id]?.disconnectedSince[host] else { continue }
            let due = gone + Self.hostDisconnectTimeout
            if due <= now.wall {
                presences[id]?.disconnectedSince[host] = nil
                presences[id]?.pendingDisconnect = (host, gone)
                runServiceCommand(.hostDisconnected(host), in: loaded, now: now)
            } else {
                disconnectTimers.arm(id, at: due)
            }
        }
    }

    /// Extends disconnect timers after a clock jump, during which no client could reconnect.
    mutating func extendDisconnectTimers(by milliseconds: Int64, now: Now) {
        for (room, presence) in presences where !presence.disconnectedSince.isEmpty {
            presences[room]?.disconnectedSince = presence.disconnectedSince.mapValues {
                min($0.advanced(byMilliseconds: milliseconds), now.wall)
            }
        }
    }

    /// Runs a command of the service itself; it has no response.
    private mutating func runServiceCommand(_ command: Command, in loaded: LoadedRoom, now: Now) {
        expireDueCountdowns(in: loaded, now: now)
        let room = loaded.head.room
        var context = DecisionContext(
            room: room, rulebook: manager.rulebook, instant: now.wall,
            identifiers: IdentifierSource(instant: now.wall, seed: UInt64(truncatingIfNeeded: room.id.bits)))
        // A refusal, for example because the room was archived, changes nothing.
        guard let decision = try? manager.decide(command, by: room.host, in: &context), !decision.events.isEmpty else { return }
        mark(loaded)
        loaded.record(decision.events, at: context.instant)
    }
}
