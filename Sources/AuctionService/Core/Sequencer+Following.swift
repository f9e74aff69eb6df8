public import AuctionDomain
public import EventLog
import DequeModule

/// How far a room goes, as somebody saw it.
public struct RoomMark: Hashable, Sendable {
    public let room: RoomID
    public let seq: Int

    public init(room: RoomID, seq: Int) {
        self.room = room
        self.seq = seq
    }
}

extension Sequencer {
    /// What other nodes appended to a room.
    public struct AdvancedState: Sendable {
        /// What was asked from.
        public let since: RoomHead
        public let room: ReplayedRoom
        /// In order, from `since` to `room`.
        public let events: [StoredEvent]
        /// New answers, in order of position.
        public let keys: [StoredKey]
        /// When reading began, by `ServiceClock.uptime`.
        public let readAt: Int64

        public init(
            since: RoomHead, room: ReplayedRoom, events: [StoredEvent], keys: [StoredKey], readAt: Int64 = 0
        ) {
            self.readAt = readAt
            self.since = since
            self.room = room
            self.events = events
            self.keys = keys
        }
    }
}

// Other nodes append to the same rooms. What they did is read when somebody says so, and at the latest when this node has lost a
// race: base moves on, and whatever was decided beyond the old one is decided again in its order.
extension Sequencer {
    mutating func behind(_ rooms: [RoomMark]) {
        guard failure == nil else { return }
        for mark in rooms where loading[mark.room] == nil && lost[mark.room] == nil {
            guard let loaded = live[mark.room] else {
                // It could not be read when it was last tried, and somebody may be looking at what it was.
                loading[mark.room] = LoadingRoom()
                directives.append(.load(mark.room))
                continue
            }
            // What is on its way is either what was seen, or about to be lost.
            guard let base = loaded.base, base.room.seq < mark.seq, loaded.inFlight == 0, !loaded.isCatchingUp else { continue }
            loaded.isCatchingUp = true
            directives.append(.catchUp(base, answersAfter: loaded.lastAnswer))
        }
    }

    mutating func overdue(_ rooms: [RoomID]) {
        guard failure == nil else { return }
        for id in rooms {
            if let loaded = live[id] {
                countdowns.arm(id, at: loaded.head.room.dueAt)
            } else if loading[id] == nil, lost[id] == nil {
                loading[id] = LoadingRoom(isNeeded: true)
                directives.append(.load(id))
            }
        }
    }

    mutating func advanced(_ id: RoomID, _ result: Result<AdvancedState?, EventLogError>, now: Now) {
        if let known = loading[id]?.known {
            advanced(known, result, now: now)
        } else if let loaded = live[id], loaded.isCatchingUp {
            loaded.isCatchingUp = false
            // What is on its way has been overtaken and comes back lost.
            guard loaded.inFlight == 0 else { return }
            switch result {
            case .success(let state?):
                follow(state, in: loaded, now: now)
                sawLatest(loaded, nil)
            case .success(nil): reload(loaded)
            case .failure(let error): sawLatest(loaded, error)
            }
        }
    }

    /// Whoever wants to read a room as it is now, and not as this node last saw it, is told when it is.
    mutating func freshen(_ room: RoomID, _ reply: ReplyAddress) {
        guard let loaded = live[room], let base = loaded.base else { return touch(room, reply) }
        loaded.touches.append(reply)
        if loaded.isCatchingUp {
            // It may have been read a moment before.
            loaded.catchesUpAgain = true
        } else if loaded.inFlight == 0 {
            loaded.isCatchingUp = true
            directives.append(.catchUp(base, answersAfter: loaded.lastAnswer))
        }
    }

    /// The room is as the log has it, as far as that could be read.
    mutating func sawLatest(_ loaded: LoadedRoom, _ error: EventLogError?) {
        guard !loaded.touches.isEmpty, !loaded.isCatchingUp else { return }
        if loaded.catchesUpAgain, error == nil, loaded.inFlight == 0, let base = loaded.base {
            loaded.catchesUpAgain = false
            loaded.isCatchingUp = true
            return directives.append(.catchUp(base, answersAfter: loaded.lastAnswer))
        }
        loaded.catchesUpAgain = false
        directives.append(.touched(loaded.touches, error))
        loaded.touches = []
    }

    /// A room that lost a race is back.
    private mutating func advanced(_ known: LoadedRoom, _ result: Result<AdvancedState?, EventLogError>, now: Now) {
        let id = known.head.room.id
        guard let waiting = loading[id] else { return }
        switch result {
        case .success(let state?):
            // What was asked for before the race was lost.
            guard state.since == known.base?.head else { return }
            loading[id] = nil
            let room = LoadedRoom(
                state.room, isCommitted: true, keys: known.keys, lastAnswer: known.lastAnswer, snapshots: known.snapshots,
                at: now)
            room.learn(state.keys)
            place(room, state.events, readAt: state.readAt, waiting, now: now)
        case .success(nil):
            // Too much to catch up with, or another history: anew.
            loading[id]?.known = nil
            loading[id]?.lateParked = 0
            loading[id]?.lateTouches = 0
            directives.append(.load(id))
            return
        case .failure(let error):
            loading[id] = nil
            unreadable(id, waiting, error, now: now)
        }
        recoveryLoaded(id, now: now)
    }

    private mutating func follow(_ state: AdvancedState, in loaded: LoadedRoom, now: Now) {
        guard state.since == loaded.base?.head else { return }
        guard !state.events.isEmpty else { return loaded.learn(state.keys) }
        changed.removeAll { $0 === loaded }
        let again = loaded.follow(state)
        let id = state.room.room.id
        countdowns.arm(id, at: state.room.room.dueAt)
        if !presences.isEmpty { lookAfterHost(of: loaded, isAnew: true, now: now) }
        directives.append(.publish(state.room, state.events, readAt: state.readAt))
        if let cause = loaded.disturbance { moveEnd(of: loaded, ready: now.wall, cause: cause, now: now) }
        guard loaded.serial.isEmpty else {
            loaded.serial = Deque(again) + loaded.serial
            return continueSerially(loaded, now: now)
        }
        for request in again { command(request, now: now) }
    }

    mutating func reload(_ loaded: LoadedRoom) {
        let id = loaded.head.room.id
        live[id] = nil
        changed.removeAll { $0 === loaded }
        var waiting = LoadingRoom(
            touches: loaded.touches, isSerial: !loaded.serial.isEmpty, isNeeded: true, disturbance: loaded.disturbance)
        waiting.parked += loaded.pending?.entries.map(\.request) ?? []
        waiting.parked += loaded.serial
        waiting.parked += loaded.keys.abandonAll()
        loading[id] = waiting
        directives.append(.load(id))
    }

    /// Reads a room whose head turned out wrong.
    mutating func read(_ id: RoomID) {
        if let known = loading[id]?.known, let base = known.base {
            directives.append(.catchUp(base, answersAfter: known.lastAnswer))
        } else {
            directives.append(.load(id))
        }
    }

    /// Rooms that the log deferred a moment ago.
    mutating func readDeferred(now: Now) {
        while let id = retries.popDue(at: now.wall) {
            guard loading[id]?.isHeld == true else { continue }
            loading[id]?.isHeld = false
            read(id)
        }
    }
}
