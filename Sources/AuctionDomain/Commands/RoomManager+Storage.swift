import Permissions

// Storage limits of a room and of each of its users. Messages and items are refused at the limit, bids at twice the limit, and
// commands that end an auction never: a full room closes its round like any other.
extension RoomManager {
    func checkStorage(
        of events: [EventBody], _ command: Command, by caller: Person, in room: Room
    ) throws(Refusal) {
        guard !events.isEmpty, let share = command.storageShare(of: caller, in: room) else { return }
        let (storage, limits) = (room.storage, rulebook.limits)
        let (roomBound, userBound) = (limits.roomBytes * share, limits.userRoomBytes * share)
        let size = events.reduce(0) { $0 + $1.storedBytes }
        if roomBound > 0, storage.bytes + size > roomBound {
            throw Refusal(
                .storageFull(), code: "room.storage_full",
                .init(
                    "This room has stored as much as it may for this: \(roomBound) bytes. What ends its round is still taken; go on in a "
                        + "new room.",
                    "该房间的存储已达此类操作的上限 \(roomBound) 字节。结束本轮的操作仍可进行,请在新房间继续。"),
                required: String(roomBound), actual: String(storage.bytes + size))
        }
        // While the whole room is below the limit of one user, so is every user.
        guard userBound > 0, storage.bytes + size > userBound else { return }
        let used = storage.bytes(of: caller.id)
        if used + size > userBound {
            throw Refusal(
                .storageFull(), code: "member.storage_full",
                .init(
                    "You have made this room store as much as one user may for this: \(userBound) bytes. Go on in another room.",
                    "您在该房间的存储已达此类操作的个人上限 \(userBound) 字节,请在其他房间继续。"),
                required: String(userBound), actual: String(used + size))
        }
    }
}

extension Command {
    /// By what multiple of the storage limit the command is refused; nil: never, because it can be repeated only after a command
    /// that is limited.
    fileprivate func storageShare(of caller: Person, in room: Room) -> Int? {
        switch self {
        case .sale(.configure(let sale)) where sale.callsOff(room.sale): nil
        // A link that changes something needs a new join or decision of the host, which are checked, or a new round.
        // What is done about a result needs a sale, and each step is taken once.
        case .openRoom, .archiveRoom, .withdrawLot, .sale(.stop), .leave, .kick, .retractBid, .result, .removeMessage,
            .linkGuest, .erase, .refused, .hostDisconnected, .disconnected, .hostReconnected, .absentee(.withdraw):
            nil
        case .auction(let step, _): step.storageShare(in: room)
        case .sendMessage, .uploadItem, .adjustRules, .queueLot, .changeLot, .reofferLot, .importLots, .absentee, .sale,
            .configureRule:
            1
        case .placeBid, .placeFloorBid, .stage, .reportMessage: 2
        case .join: caller.id == room.host.id ? 4 : 2
        // Its own command is asked.
        case .byOperator: nil
        case .changeMember, .application: 4
        }
    }
}
