import Permissions

// Decides links of guests to users of an identity provider. Two tokens have proved before that the caller is the guest and the user.
extension RoomManager {
    /// Moves what a guest has in the room to the caller: membership, bids, wins and the current item.
    ///
    /// Not during a round, in which a guest and a user who bid against each other would become one bidder. An archived room is linked
    /// for its wins. Nothing happens if nothing would change, so the command can be repeated.
    func link(_ guest: Person, to caller: Person, in context: DecisionContext) throws(Refusal) -> Decision {
        let room = context.room
        let standing = mergedStanding(of: guest.id, and: caller.id, in: room)
        guard guest.id != caller.id, room.isChanged(byLinking: guest.id, to: caller.id, standing) else {
            return Decision(events: [], outcome: .guestLinked(nil, wins: 0))
        }
        guard rulebook.states[room.state]?.isRound == false else { throw .linkInRound(room.state, rulebook.states) }
        let (ends, role) = stageEnds(ofLinked: guest, to: caller, standing, in: room)
        let link = MemberLinked(from: room.members[guest.id]?.person ?? guest, to: caller, role: role, standing: standing)
        // The caller is present, so a room whose host was gone has one again.
        let returned = role == .host && room.hostGoneSince != nil ? [EventBody.hostReturned(caller)] : []
        return Decision(
            // Presence and the stage mean nothing in an archived room.
            events: room.isArchived ? [.memberLinked(link)] : ends + [.memberLinked(link)] + returned,
            outcome: .guestLinked(link, wins: room.results.count(wonBy: guest.id)))
    }

    /// The stricter standing of both, so that linking does not evade a ban. If one of them is the host, the host's own standing stays,
    /// because hosts decide about the standing of others.
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
            // A seat gives back the earlier role, which must not be less than the guest's.
            let isOutranked = ended.role.strength < (guests?.role ?? .viewer).strength
            let losesSeat = room.stage.seat(of: user.id) != nil && isOutranked
            users = isNewlyBanned || losesSeat ? ended : ([], own.role)
        }
        let role = [guests?.role, users?.role].compactMap { $0 }.max { $0.strength < $1.strength }
        return ((guests?.events ?? []) + (users?.events ?? []), role)
    }
}

extension Room {
    /// Whether a link changes the room. Bids of earlier rounds are only in the log: the guest may have some, unless they were linked
    /// since this round began.
    fileprivate func isChanged(byLinking guest: UserID, to user: UserID, _ standing: Standing) -> Bool {
        members[guest] != nil || host.id == guest || hasBid(guest) || item?.owner.id == guest || results.hasWon(guest)
            || lots.owners.contains { $0.id == guest } || hasAbsenteeBid(guest) || hasOffer(to: guest)
            || application(of: guest) != nil
            || members.standing(of: user) != standing
            || !wasLinkedThisRound(guest)
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
    /// A link in a state with a round.
    package static func linkInRound(_ state: RoomState, _ states: RoomStates) -> Refusal {
        Refusal(
            .conflict, code: "link.in_round",
            .init(
                "A round is running in this room; link the guest again when it is over.",
                "该房间正在进行一轮拍卖,请在本轮结束后再次关联访客。"),
            required: states.namesWithoutRound, actual: state.rawValue)
    }
}
