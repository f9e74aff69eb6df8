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
        let standing = mergedStanding(of: guest.id, and: caller.id, in: room)
        let (ends, role) = stageEnds(ofLinked: guest, to: caller, standing, in: room)
        let link = MemberLinked(from: room.members[guest.id]?.person ?? guest, to: caller, role: role, standing: standing)
        var events = ends + [.memberLinked(link)]
        // The caller is present, so a room whose host was gone has one again.
        if role == .host, room.hostGoneSince != nil { events.append(.hostReturned(caller)) }
        return Decision(events: events, outcome: .guestLinked(link, wins: room.results.count(wonBy: guest.id)))
    }

    /// The stricter of both, so that linking is no way around a ban. A host's own standing stays: they decide about the other one.
    private func mergedStanding(of guest: UserID, and user: UserID, in room: Room) -> Standing {
        let (first, second) = (room.members.standing(of: guest), room.members.standing(of: user))
        if room.host.id == user { return second }
        if room.host.id == guest { return first }
        var merged = Standing()
        merged.isBanned = first.isBanned || second.isBanned
        merged.isMuted = first.isMuted || second.isMuted
        merged.creditLimit = [first.creditLimit, second.creditLimit].compactMap { $0 }.min()
        return merged
    }

    /// Ends the guest's handshake and seat, and the user's where the user must not keep what it gave, or would lose by it later what
    /// the guest brings.
    /// - Returns: the events, and the user's role after the link; nil if neither is a member. The room's host stays host, even if they
    ///   left: it is their room until someone else is.
    private func stageEnds(
        ofLinked guest: Person, to user: Person, _ standing: Standing, in room: Room
    ) -> (events: [EventBody], role: Role?) {
        if room.host.id == guest.id {
            return (room.stage.hostChanged(from: guest.id, to: user.id).map(EventBody.stage), .host)
        }
        let guests = room.members[guest.id].map { stageEnds(of: $0, by: $0.person, in: room) }
        if room.host.id == user.id { return (guests?.events ?? [], .host) }
        var users: (events: [EventBody], role: Role)?
        if let own = room.members[user.id] {
            let ended = stageEnds(of: own, by: user, in: room)
            let isNewlyBanned = standing.isBanned && !own.isBanned
            // A seat gives back the role of before, which must not be less than the guest's.
            let isOutranked = ended.role.strength < (guests?.role ?? .viewer).strength
            let losesSeat = room.stage.seat(of: user.id) != nil && isOutranked
            users = isNewlyBanned || losesSeat ? ended : ([], own.role)
        }
        let role = [guests?.role, users?.role].compactMap { $0 }.max { $0.strength < $1.strength }
        return ((guests?.events ?? []) + (users?.events ?? []), role)
    }
}

extension Room {
    /// Whether the room has anything of the user that a link moves.
    fileprivate func hasAnything(of user: UserID) -> Bool {
        members[user] != nil || members.formerMember(user) != nil || hasBid(user) || item?.owner.id == user
            || results.hasWon(user)
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
