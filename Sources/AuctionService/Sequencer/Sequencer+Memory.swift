import AuctionDomain
import EventLog

/// Approximate memory of the loaded rooms.
struct RoomMemory {
    /// Bytes as of the last sweep, plus those of rooms loaded since.
    var bytes = 0
    /// A sweep was requested and has not been handed in yet.
    var isSweepRequested = false
    /// Bytes of rooms that were unloaded since the allocator's free memory was last returned.
    var unloadedBytes = 0
}

// Unloads rooms that are idle, and earlier if memory is needed for others.
extension Sequencer {
    mutating func sweep(except watched: Set<RoomID>, now: Now) {
        let idle = Int64(limits.idleRoomSeconds) * 1_000_000_000
        var kept: [LoadedRoom] = []
        memory = RoomMemory(unloadedBytes: memory.unloadedBytes)
        defer { returnMemory() }
        for id in rooms.ids {
            guard let room = rooms.loaded(id) else { continue }
            let mayLeave = isIdle(room, now: now) && !watched.contains(id)
            if mayLeave, now.monotonic - room.lastUsed > idle {
                unload(room)
            } else {
                memory.bytes += room.memoryBytes
                if mayLeave, now.monotonic - room.lastUsed > Self.minimumStayNanoseconds { kept.append(room) }
            }
        }
        guard memory.bytes > limits.loadedBytes else { return }
        for room in kept.sorted(by: { $0.lastUsed < $1.lastUsed }) {
            guard memory.bytes > limits.loadedBytes / 8 * 7 else { return }
            memory.bytes -= room.memoryBytes
            unload(room)
        }
    }

    /// After the rooms were unpublished: most of the free memory was theirs.
    private mutating func returnMemory() {
        guard memory.unloadedBytes >= limits.returnedBytes else { return }
        memory.unloadedBytes = 0
        directives.append(.memoryFreed)
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
        memory.unloadedBytes += room.memoryBytes
        rooms[id] = nil
        dormant.arm(id, at: room.head.room.dueAt)
        hosts.unloaded(id)
        directives.append(.unpublish(id))
    }

    /// Accounts for a room that was added to memory.
    mutating func remember(_ room: LoadedRoom) {
        memory.bytes += room.memoryBytes
        guard memory.bytes > limits.loadedBytes else { return }
        requestSweep()
    }

    /// Whether a room may be loaded for a reader, or for a command that does not wait here.
    /// - Parameter caller: Who may have a share of the loads in flight; nil: a reader without a share.
    func mayLoad(for caller: LoadCaller?) -> Bool {
        guard memory.bytes <= limits.loadedBytes else { return false }
        if let caller, rooms.loadCount(of: caller) >= limits.pendingLoadsPerCaller { return false }
        return (caller?.isForCommand == true ? rooms.commandLoadCount : rooms.readerLoadCount) < limits.pendingLoads
    }

    private mutating func requestSweep() {
        guard !memory.isSweepRequested else { return }
        memory.isSweepRequested = true
        directives.append(.memoryExceeded)
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
