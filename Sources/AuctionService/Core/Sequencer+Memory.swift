import AuctionDomain
import EventLog

/// About how much the rooms in memory take.
struct RoomMemory {
    /// As of the last sweep, and what has come since.
    var bytes = 0
    /// A sweep was asked for and has not come yet.
    var isSweepAsked = false
}

// Rooms leave the memory when they are not used, and earlier where others need the space.
extension Sequencer {
    mutating func sweep(except watched: Set<RoomID>, now: Now) {
        let idle = Int64(limits.idleRoomSeconds) * 1_000_000_000
        var kept: [LoadedRoom] = []
        memory = RoomMemory()
        for id in live.keys.sorted() {
            guard let room = live[id] else { continue }
            let mayLeave = isIdle(room) && !watched.contains(id)
            if mayLeave, now.monotonic - room.lastUsed > idle {
                unload(id)
            } else {
                memory.bytes += room.memoryBytes
                if mayLeave, now.monotonic - room.lastUsed > Self.keptNanoseconds { kept.append(room) }
            }
        }
        guard memory.bytes > limits.loadedBytes else { return }
        for room in kept.sorted(by: { $0.lastUsed < $1.lastUsed }) {
            guard memory.bytes > limits.loadedBytes / 8 * 7 else { return }
            memory.bytes -= room.memoryBytes
            unload(room.head.room.id)
        }
    }

    /// Whoever had a room read finds it in memory for so long.
    private static var keptNanoseconds: Int64 { 5_000_000_000 }

    /// Whether nothing happens in a room, and nothing will by itself.
    private func isIdle(_ room: LoadedRoom) -> Bool {
        room.isSettled && room.serial.isEmpty && room.touches.isEmpty && room.head.room.dueAt == nil
    }

    /// No snapshot is written for it: what came since the last is little, see `SnapshotSpacing`.
    private mutating func unload(_ id: RoomID) {
        live[id] = nil
        presences[id] = nil
        directives.append(.unpublish(id))
    }

    /// A room has come into memory.
    mutating func remember(_ room: LoadedRoom) {
        memory.bytes += room.memoryBytes
        guard memory.bytes > limits.loadedBytes else { return }
        askForSweep()
    }

    /// Whether a room may come into memory although no command needs it.
    var mayLoadForReader: Bool {
        guard memory.bytes <= limits.loadedBytes else { return false }
        guard loading.count >= limits.pendingLoads else { return true }
        return loading.values.count { !$0.isNeeded && $0.parked.isEmpty } < limits.pendingLoads
    }

    private mutating func askForSweep() {
        guard !memory.isSweepAsked else { return }
        memory.isSweepAsked = true
        directives.append(.crowded)
    }
}

extension LoadedRoom {
    /// About how many bytes it takes, as its parts were measured.
    var memoryBytes: Int {
        let room = head.room
        let item = room.item.map { $0.media.reduce($0.description.utf8.count) { $0 + $1.utf8.count } } ?? 0
        return 16384 + item + 384 * (room.bids.count + room.members.count + room.results.count) + 96 * keys.count
    }
}
