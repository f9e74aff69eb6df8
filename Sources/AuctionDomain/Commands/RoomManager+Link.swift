import Permissions

// Decides links of guests to users of an identity provider. That the caller is both has been verified before: by two tokens.
extension RoomManager {
    /// Moves what a guest has in the room to the caller: membership, bids, wins and the current item.
    ///
    /// Not during a round, in which a guest and a user who bid against each other would become one bidder. A room in which the guest
    /// has nothing is left unchanged, so the command can be repeated.
    func link(_ guest: Person, to caller: Person, in context: DecisionContext) throws(Refusal) -> Decision {
        let room = context.room
        guard guest.id != caller.id, room.hasAnything(of: guest.id) else {
            return Decision(events: [], outcome: .guestLinked(nil, wins: 0))
        }
        guard !room.isArchived else { throw .linkArchived }
        guard rulebook.states[room.state]?.isRound == false else { throw .linkInRound(room.state) }
        let (old, own) = (room.members[guest.id], room.members[caller.id])
        var (events, ownRole) = (stageEnds(ofLinked: guest.id, to: caller.id, in: room), own?.role)
        let isHost = old?.role == .host || own?.role == .host
        let standing = mergedStanding(of: guest.id, and: caller.id, in: room)
        if let own, !isHost, standing.isBanned, !own.isBanned {
            let departure = stageEnds(ofBanned: own, by: caller, in: room)
            events += departure.events
            ownRole = departure.role
        }
        let role = [old.map { room.roleWithoutSeat(of: $0) }, ownRole].compactMap { $0 }.min { $0.strength > $1.strength }
        let link = MemberLinked(from: old?.person ?? guest, to: caller, role: role, standing: standing)
        events.append(.memberLinked(link))
        // The caller is present, so a room whose host was gone has one again.
        if old?.role == .host, room.hostGoneSince != nil { events.append(.hostReturned(caller)) }
        return Decision(events: events, outcome: .guestLinked(link, wins: room.results.count(wonBy: guest.id)))
    }

    /// The stricter of both, so that linking is no way around a ban. A host's own standing stays: they decide about the other one.
    private func mergedStanding(of guest: UserID, and user: UserID, in room: Room) -> Standing {
        let (first, second) = (room.members.standing(of: guest), room.members.standing(of: user))
        if room.members[user]?.role == .host { return second }
        if room.members[guest]?.role == .host { return first }
        var merged = Standing()
        merged.isBanned = first.isBanned || second.isBanned
        merged.isMuted = first.isMuted || second.isMuted
        merged.creditLimit = [first.creditLimit, second.creditLimit].compactMap { $0 }.min()
        return merged
    }

    /// Ends the guest's handshakes and seat; of the user too, if they become host.
    private func stageEnds(ofLinked guest: UserID, to user: UserID, in room: Room) -> [EventBody] {
        let isHost = room.members[guest]?.role == .host
        return (isHost ? room.stage.hostChanged(from: guest, to: user) : room.stage.departed(guest)).map(EventBody.stage)
    }
}

extension Room {
    /// Whether the room has anything of the user that a link moves.
    fileprivate func hasAnything(of user: UserID) -> Bool {
        members[user] != nil || members.formerMember(user) != nil || hasBid(user) || item?.owner.id == user
            || results.hasWon(user)
    }

    /// The role that a member keeps when they leave their seat of the stage.
    fileprivate func roleWithoutSeat(of member: Member) -> Role {
        guard let occupant = stage.seat(of: member.person.id)?.occupant, occupant.role.role == member.role else {
            return member.role
        }
        return occupant.previousRole
    }
}

extension Role {
    /// The greater, the more the role allows.
    fileprivate var strength: Int {
        switch self {
        case .host: 3
        case .auctioneer: 2
        case .bidder: 1
        case .viewer: 0
        }
    }
}

extension Refusal {
    fileprivate static let linkArchived = Refusal(
        .conflict, code: "link.archived",
        .init(
            "This room is archived and never changes again: what the guest bought there stays under the guest's name.",
            "该房间已归档,不再更改:访客在其中的成交仍记在访客名下。"))

    fileprivate static func linkInRound(_ state: RoomState) -> Refusal {
        Refusal(
            .conflict, code: "link.in_round",
            .init(
                "A round is running in this room; link the guest again when it is over.",
                "该房间正在进行一轮拍卖,请在本轮结束后再次关联访客。"),
            required: "\(RoomState.preparing) or \(RoomState.closed)", actual: state.rawValue)
    }
}
