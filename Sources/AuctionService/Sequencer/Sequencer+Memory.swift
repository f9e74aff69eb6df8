import AuctionDomain
import EventLog

// Unloads rooms that are idle, and earlier if memory is needed for others.
extension Sequencer {
    mutating func sweep(except watched: Set<RoomID>, now: Now) {
        let idle = Int64(settings.limits.idleRoomSeconds) * 1_000_000_000
        var kept: [LoadedRoom] = []
        rooms.memory = RoomMemory(unloadedBytes: rooms.memory.unloadedBytes)
        defer { returnMemory() }
        for id in rooms.ids {
            guard let room = rooms.loaded(id) else { continue }
            let mayLeave = isIdle(room, now: now) && !watched.contains(id)
            if mayLeave, now.monotonic - room.lastUsed > idle {
                unload(room)
            } else {
                rooms.memory.bytes += room.memoryBytes
                if mayLeave, now.monotonic - room.lastUsed > Self.minimumStayNanoseconds { kept.append(room) }
            }
        }
        guard rooms.memory.bytes > settings.limits.loadedBytes else { return }
        for room in kept.sorted(by: { $0.lastUsed < $1.lastUsed }) {
            guard rooms.memory.bytes > settings.limits.loadedBytes / 8 * 7 else { return }
            rooms.memory.bytes -= room.memoryBytes
            unload(room)
        }
    }

    /// After the rooms were unpublished: most of the free memory was theirs.
    private mutating func returnMemory() {
        guard rooms.memory.unloadedBytes >= settings.limits.returnedBytes else { return }
        rooms.memory.unloadedBytes = 0
        turn.direct(.memoryFreed)
    }

    /// Minimum time that a room stays in memory, so that the client that caused the load can read it.
    private static var minimumStayNanoseconds: Int64 { 5_000_000_000 }

    /// Whether the room has no pending work, and no deadline for which it has to be in memory.
    private func isIdle(_ room: LoadedRoom, now: Now) -> Bool {
        guard room.isSettled, room.serial.isEmpty, room.waitingReaders.isEmpty else { return false }
        guard let due = room.head.room.dueAt else { return true }
        // It returns for its countdown or the start of its sale, which may be months away, but for no earlier deadline, and not for the end of
        // a host's stream, which pauses the round. That end is reported seconds after the room has lost its last watcher.
        let returns = room.head.room.status.isDueAtEnd || due == room.head.room.sale.startsAt
        return returns && due > Self.latestNearDeadline(now) && room.pendingExtension == nil
            && !hosts.concerns(room.head.room.id)
    }

    /// Writes no snapshot: the events since the last one are few, see `SnapshotSpacing`.
    private mutating func unload(_ room: LoadedRoom) {
        let id = room.head.room.id
        rooms.memory.unloadedBytes += room.memoryBytes
        rooms[id] = nil
        timers.dormant.arm(id, at: room.head.room.dueAt)
        hosts.unloaded(id)
        turn.direct(.unpublish(id))
    }

    /// Accounts for a room that was added to memory.
    mutating func remember(_ room: LoadedRoom) {
        rooms.memory.bytes += room.memoryBytes
        guard rooms.memory.bytes > settings.limits.loadedBytes else { return }
        requestSweep()
    }

    /// Whether a room may be loaded for a reader, or for a command that does not wait here.
    /// - Parameter caller: Who may have a share of the loads in flight; nil: a reader without a share.
    func mayLoad(for caller: LoadCaller?) -> Bool {
        guard rooms.memory.bytes <= settings.limits.loadedBytes else { return false }
        if let caller, rooms.loadCount(of: caller) >= settings.limits.pendingLoadsPerCaller { return false }
        return (caller?.isForCommand == true ? rooms.commandLoadCount : rooms.readerLoadCount) < settings.limits.pendingLoads
    }

    private mutating func requestSweep() {
        guard !rooms.memory.isSweepRequested else { return }
        rooms.memory.isSweepRequested = true
        turn.direct(.memoryExceeded)
    }
}

extension LoadedRoom {
    /// Approximate size in bytes, from measured sizes of the parts.
    var memoryBytes: Int {
        let room = head.room
        let item = room.item.map { $0.media.reduce($0.description.utf8.count) { $0 + $1.utf8.count } } ?? 0
        return 16384 + item + room.lotBytes + 384 * (room.bids.count + room.members.count + room.results.count) + 96
            * keys.count
    }
}
