package import AuctionDomain
import EventLog

/// A user's first stream on a room has opened on an event loop, or their last one there has closed.
package struct PresenceChange: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// The user whose streams changed.
    package let user: UserID
    /// Whether the first stream opened; false: the last one closed.
    package let isPresent: Bool
    /// When that happened, in monotonic nanoseconds: service time may jump before the change is handled.
    package let at: Int64

    package init(room: RoomID, user: UserID, isPresent: Bool, at: Int64) {
        (self.room, self.user, self.isPresent, self.at) = (room, user, isPresent, at)
    }
}

/// Which users have streams on the rooms, and the timers of hosts without one. A host who never opened a stream is not disconnected. Not durable:
/// after a restart of the service `ConnectedHosts` says whose streams it has closed.
struct HostPresence {
    /// How long a host may have no stream before they count as disconnected.
    static var timeout: Seconds { Seconds(30) }

    private struct Entry {
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

    private var entries: [RoomID: Entry] = [:]
    private var timers = CountdownQueue()

    /// When the next timer expires; nil if none is armed.
    var nextTimer: Timestamp? { timers.next }
    /// Whether no user has or had a stream.
    var isEmpty: Bool { entries.isEmpty }

    mutating func streamOpened(by user: UserID, on id: RoomID) {
        change(id) { entry in
            entry.loops[user, default: 0] += 1
            entry.markPresent(user)
        }
    }

    /// - Parameters:
    ///   - room: nil if it is not in memory.
    ///   - isBeingRead: Whether it is being read, or was and will be again.
    /// - Returns: Whether the user has no stream on any node any more.
    mutating func streamClosed(
        by user: UserID, on id: RoomID, _ room: Room?, isBeingRead: Bool = false, at instant: Timestamp
    ) -> Bool {
        let isGone = change(id) { entry in
            let left = (entry.loops[user] ?? 1) - 1
            entry.loops[user] = left > 0 ? left : nil
            return left <= 0 && !entry.remoteUsers.contains(user)
        }
        if isGone { disconnected(user, from: id, room, isBeingRead: isBeingRead, since: instant) }
        return isGone
    }

    /// Records which users have streams on other nodes; a user who had streams only there and has none any more is disconnected.
    mutating func reported(_ report: RoomPresenceReport, _ room: Room?, isBeingRead: Bool = false, at instant: Timestamp) {
        let missing = change(report.room) { entry in
            defer { entry.remoteUsers = Set(report.people) }
            for user in report.people { entry.markPresent(user) }
            return entry.remoteUsers.subtracting(report.people).filter { entry.loops[$0] == nil }
        }
        for user in missing.sorted() {
            disconnected(user, from: report.room, room, isBeingRead: isBeingRead, since: instant)
        }
    }

    /// The room has changed: its host may be another user, disconnected or connected.
    /// - Parameters:
    ///   - room: As decided.
    ///   - base: As committed; nil while its first event is in flight.
    ///   - isReloaded: Whether the room was read again, so that uncommitted decisions about its host are void.
    /// - Returns: Whether the host has a stream although the room says that they are disconnected.
    mutating func roomChanged(_ room: Room, base: Room?, isReloaded: Bool) -> Bool {
        guard let entry = entries[room.id] else { return false }
        if isReloaded, !entry.disconnectedSince.isEmpty {
            change(room.id) { entry in
                entry.disconnectedSince = entry.disconnectedSince.filter { room.dependsOnPresence(of: $0.key) }
            }
        }
        if let pending = entry.pendingDisconnect, let base {
            let isOver = base.hostGoneSince != nil || base.host.id != pending.user
            change(room.id) { entry in
                if isOver || isReloaded { entry.pendingDisconnect = nil }
                if !isOver && isReloaded { entry.disconnectedSince[pending.user] = pending.since }
            }
        }
        if isReloaded, room.hostGoneSince != nil, entry.loops[room.host.id] != nil { return true }
        armTimer(of: room)
        return false
    }

    /// A host has returned, perhaps by a command or on another node. An absence that began before begins anew: if they have a stream on
    /// another node, its report arrives in time; if that node crashed before its report, they are disconnected after the timeout.
    mutating func hostReturned(_ user: UserID, to id: RoomID, at returned: Timestamp, now instant: Timestamp) {
        guard entries[id] != nil else { return }
        change(id) { entry in
            if let pending = entry.pendingDisconnect, pending.user == user, pending.since <= returned {
                entry.pendingDisconnect?.since = instant
            }
            if let since = entry.disconnectedSince[user], since <= returned { entry.disconnectedSince[user] = instant }
        }
    }

    /// The room was read from its snapshot. The host may have returned before the events that were read with it: absences count from
    /// there at the earliest.
    mutating func loaded(_ id: RoomID, knownSince instant: Timestamp) {
        guard entries[id] != nil else { return }
        change(id) { entry in
            entry.disconnectedSince = entry.disconnectedSince.mapValues { max($0, instant) }
            if let pending = entry.pendingDisconnect { entry.pendingDisconnect?.since = max(pending.since, instant) }
        }
    }

    /// Removes and returns the next host who has been without a stream for the whole timeout.
    /// - Parameter room: Returns a room that is in memory.
    mutating func popExpired(at now: Timestamp, _ room: (RoomID) -> Room?) -> (room: RoomID, host: UserID)? {
        while let id = timers.popDue(at: now) {
            guard let host = room(id)?.host.id, let since = entries[id]?.disconnectedSince[host] else { continue }
            guard since + Self.timeout <= now else {
                timers.arm(id, at: since + Self.timeout)
                continue
            }
            entries[id]?.disconnectedSince[host] = nil
            entries[id]?.pendingDisconnect = (host, since)
            return (id, host)
        }
        return nil
    }

    /// Extends the timers after a clock jump, during which no client could reconnect.
    mutating func extendTimers(by milliseconds: Int64, now: Timestamp) {
        for (id, entry) in entries where !entry.disconnectedSince.isEmpty {
            entries[id]?.disconnectedSince = entry.disconnectedSince.mapValues {
                min($0.advanced(byMilliseconds: milliseconds), now)
            }
        }
    }

    /// Whether a user of the room has a stream, or had one shortly before: its end must find the room in memory, because the user may be
    /// disconnected as host.
    func concerns(_ id: RoomID) -> Bool { entries[id] != nil }

    /// The room has been unloaded. Who has a stream stays known. An event loop reports the end of a user's last stream only after the linger
    /// time; if the user has returned on another loop by then, both reports must be counted, or the user would seem to be absent.
    mutating func unloaded(_ id: RoomID) { change(id) { $0 = Entry(loops: $0.loops) } }

    /// The log has failed permanently: nothing can be decided any more.
    mutating func stopTimers() { timers = CountdownQueue() }

    /// A room that is being read says afterwards whether the user is one whose absence matters: see `roomChanged`.
    private mutating func disconnected(
        _ user: UserID, from id: RoomID, _ room: Room?, isBeingRead: Bool, since instant: Timestamp
    ) {
        guard room?.dependsOnPresence(of: user) ?? isBeingRead else { return }
        change(id) { $0.disconnectedSince[user] = instant }
        if let room { armTimer(of: room) }
    }

    /// Arms the timer that declares the room's host disconnected.
    private mutating func armTimer(of room: Room) {
        guard room.hostGoneSince == nil, let since = entries[room.id]?.disconnectedSince[room.host.id] else { return }
        timers.arm(room.id, at: since + Self.timeout)
    }

    @discardableResult
    private mutating func change<Result>(_ id: RoomID, _ body: (inout Entry) -> Result) -> Result {
        var entry = entries.removeValue(forKey: id) ?? Entry()
        defer { if !entry.isEmpty { entries[id] = entry } }
        return body(&entry)
    }
}

extension Room {
    /// Whether the user is host, or may become it.
    fileprivate func dependsOnPresence(of user: UserID) -> Bool { [.host, .auctioneer].contains(members[user]?.role) }
}
