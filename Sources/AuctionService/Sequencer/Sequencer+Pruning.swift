import AuctionDomain
import EventLog

// Rooms that were deleted from the log leave memory, whatever they are in use for: who reads them next finds that they do not exist.
extension Sequencer {
    mutating func pruned(_ ids: [RoomID]) {
        for id in ids {
            switch rooms[id] {
            case .loaded(let room): drop(room)
            // What is read may be from before.
            case .loading(let room): room.outdate()
            case .unreadable: rooms[id] = nil
            // They are read later.
            case .conflicted, .deferred, nil: break
            }
            rooms.corrupt.forget(id)
            hosts.unloaded(id)
            turn.direct(.remove(id))
        }
    }

    /// An append in flight, and what is decided in this turn, will conflict; then the room is read again, and is not there.
    private mutating func drop(_ room: LoadedRoom) {
        guard room.inFlight == 0 else { return }
        let id = room.head.room.id
        guard room.isSettled, room.serial.isEmpty, room.waitingReaders.isEmpty else { return reload(room) }
        rooms.memory.unloadedBytes += room.memoryBytes
        rooms[id] = nil
    }
}
