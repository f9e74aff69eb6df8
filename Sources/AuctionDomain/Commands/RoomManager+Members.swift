import Permissions

// Decides joining, leaving, kicking and member changes.
extension RoomManager {
    func decideMembership(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch command {
        case .join(let join): return try self.join(join, caller, in: context.room)
        case .leave: return try leave(caller, in: &context)
        case .changeMember(let target, let changes): return try change(target, changes, by: caller, in: context)
        case .kick(let target): return try kick(target, by: caller, in: context)
        case .hostDisconnected(let user): return try hostDisconnected(user, in: &context)
        case .hostReconnected(let user): return hostReconnected(user, in: context.room)
        default: return .nothing
        }
    }

    private func join(_ join: JoinRoom, _ caller: Person, in room: Room) throws(Refusal) -> Decision {
        // Reported even for a hidden room: only former members can be banned, so it reveals nothing.
        if room.members.standing(of: caller.id).isBanned {
            throw Refusal(
                .forbidden, code: "member.banned", .init("You are banned from this room.", "您已被该房间封禁。"))
        }
        guard let member = room.members[caller.id] else {
            let isHostAgain = room.host.id == caller.id && room.hostGoneSince != nil
            guard room.admits(caller.id, inviteCode: join.inviteCode) else { throw .roomNotFound }
            if join.role == .bidder, !isHostAgain, mustApply(nil, in: room) {
                let events = try [.memberJoined(caller, role: .viewer)] + application(of: caller, in: room)
                return Decision(events: events, outcome: .joined(isNew: true))
            }
            // The disconnected host of a room joins again as its host.
            let events: [EventBody] =
                isHostAgain
                ? [.memberJoined(caller, role: .host), .hostReturned(caller)]
                : [.memberJoined(caller, role: join.role ?? .viewer)]
            return Decision(events: events, outcome: .joined(isNew: true))
        }
        if join.role == .bidder, mustApply(member, in: room) {
            return Decision(events: try application(of: caller, in: room), outcome: .joined(isNew: false))
        }
        // Joining again never demotes: only viewers and bidders can switch, between these two roles.
        guard let role = join.role, role != member.role, member.role == .viewer || member.role == .bidder else {
            return Decision(events: [], outcome: .joined(isNew: false))
        }
        return Decision(
            events: [.memberRoleChanged(caller, from: member.role, to: role, by: caller)], outcome: .joined(isNew: false))
    }

    /// A member who leaves retracts nothing: their bids stay valid, their item stays up, and the host may cancel it.
    private func leave(_ caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        guard let member = context.room.members[caller.id] else {
            throw Refusal(
                .notFound, code: "member.not_found", .init("You are not a member of this room.", "您不是该房间的成员。"))
        }
        // Before the member leaves, so that the stage never shows a user who is not in the room.
        let stage = context.room.stage.departed(caller.id).map(EventBody.stage)
        let succession = member.role == .host ? try succession(leaving: true, in: &context) : []
        return Decision(events: stage + [.memberLeft(caller)] + succession, outcome: .left)
    }

    private func kick(_ target: UserID, by caller: Person, in context: DecisionContext) throws(Refusal) -> Decision {
        try check(.kick, by: caller, in: context, RuleRequest(target: target))
        guard let member = context.room.members[target] else { throw .memberNotFound.naming(target) }
        let stage = context.room.stage.departed(target).map(EventBody.stage)
        return Decision(events: stage + [.memberKicked(member.person, by: caller)], outcome: .left)
    }

    // MARK: - The host's changes of members

    /// Several changes at once: all of them are applied or none.
    func change(
        _ target: UserID, _ changes: MemberChanges, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        for action in changes.actions { try check(action, by: caller, in: context, RuleRequest(target: target)) }
        guard changes.role != .host else {
            throw .malformed("role", .init("The host's role is not given away.", "房主身份不能转让。"), actual: Role.host.rawValue)
        }
        let room = context.room
        guard let member = room.members[target] else { return try change(absent: target, changes, by: caller, in: room) }
        let isNewlyBanned = changes.isBanned == true && !member.isBanned
        let departure = isNewlyBanned ? stageEnds(of: member, by: caller, in: room) : nil
        var events = departure?.events ?? []
        let current = departure?.role ?? member.role
        let isOfSeat = departure == nil && room.stage.seat(of: target)?.takesRole(from: member) == true
        if let role = changes.role, role != current || isOfSeat || isInvitation(of: member, in: room) {
            events.append(.memberRoleChanged(member.person, from: current, to: role, by: caller))
        }
        events += standingEvents(member.person, member.standing, changes, by: caller, in: room)
        return Decision(events: events, outcome: .memberChanged(member.person))
    }

    /// Bans, mutes and credit limits outlast membership, so the host can change them for a user who has left or was removed, and for a
    /// bidder of the round. Users who never were in the room are unknown to it.
    private func change(
        absent target: UserID, _ changes: MemberChanges, by caller: Person, in room: Room
    ) throws(Refusal) -> Decision {
        let known = target == .floor ? nil : room.members.absent(target) ?? room.bids.latest(of: target)?.bidder
        guard changes.role == nil, let known else { throw .memberNotFound.naming(target) }
        return Decision(
            events: standingEvents(known, room.members.standing(of: target), changes, by: caller, in: room),
            outcome: .memberChanged(known))
    }

    /// Ends the handshake and the seat of a member who is banned or linked.
    /// - Returns: the events, and the member's role after them.
    func stageEnds(
        of member: Member, by caller: Person, in room: Room
    ) -> (events: [EventBody], role: Role) {
        let id = member.person.id
        var events: [StageEvent] = []
        var role = member.role
        if let handshake = room.stage.handshake(of: id) {
            events.append(.cancelled(handshake.id, guest: member.person, by: caller))
        }
        if let seat = room.stage.seat(of: id), let occupant = seat.occupant {
            role = occupant.roleAfterLeaving(member)
            events.append(
                .left(StageEvent.Departure(person: member.person, seat: seat.number, restoredRole: role, cause: .evicted)))
        }
        return (events.map(EventBody.stage), role)
    }

    private func standingEvents(
        _ person: Person, _ standing: Standing, _ changes: MemberChanges, by caller: Person, in room: Room
    ) -> [EventBody] {
        var events: [EventBody] = []
        if let isBanned = changes.isBanned, isBanned != standing.isBanned {
            events.append(.memberBanned(person, isBanned: isBanned, by: caller))
        }
        if let isMuted = changes.isMuted, isMuted != standing.isMuted {
            events.append(.memberMuted(person, isMuted: isMuted, by: caller))
        }
        if let limit = changes.creditLimit, limit != standing.creditLimit {
            events.append(.memberCreditLimitChanged(person, limit: limit, by: caller))
        }
        let isBanned = changes.isBanned == true && !standing.isBanned
        let limit = changes.creditLimit ?? nil
        return events + maximumVoided(of: person.id, in: room) { isBanned || limit.map($0) ?? false }
    }

    /// Ends the maximum of a leader who may not bid it any more: they keep the lead at the present price.
    /// - Parameter condition: Whether it ends; its argument tells whether what the leader may owe exceeds a limit.
    private func maximumVoided(
        of bidder: UserID, in room: Room, where condition: ((Money) -> Bool) -> Bool
    ) -> [EventBody] {
        guard rulebook.states[room.state]?.isRound == true, let leading = room.currentBid, leading.bidder.id == bidder,
            let maximum = room.leaderMaximum, maximum > leading.amount,
            let liability = rulebook.format(of: room)?.liability(of: PlaceBid(amount: nil, maximum: maximum), in: room),
            condition({ room.debt(of: bidder, with: liability) > $0 })
        else { return [] }
        return [.maximumVoided(MaximumVoided(bid: leading.id, bidder: leading.bidder))]
    }

    /// Whether granting the member's own role is a change: where bidding is limited to invited or approved members, and for those who
    /// have applied.
    private func isInvitation(of member: Member, in room: Room) -> Bool {
        let isLimited = [OptionalRule.invitedOnly, OptionalRule.notApproved].contains { rulebook.isEnabled($0, in: room) }
        return !member.isInvited && (isLimited || room.application(of: member.person.id) != nil)
    }
}

extension RoomManager.Decision {
    /// No change and no response.
    static let nothing = RoomManager.Decision(events: [], outcome: .silent)
}

extension MemberChanges {
    /// The actions that the caller needs permission for; an empty change counts as a role change.
    fileprivate var actions: [RoomAction] {
        var actions: [RoomAction] = []
        if isBanned != nil { actions.append(.ban) }
        if isMuted != nil { actions.append(.mute) }
        if creditLimit != nil { actions.append(.setCreditLimit) }
        return role != nil || actions.isEmpty ? [.setRole] + actions : actions
    }
}
