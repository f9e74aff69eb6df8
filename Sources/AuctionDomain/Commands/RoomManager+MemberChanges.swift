import Permissions

// Decides the host's changes of members.
extension RoomManager {
    /// Several changes at once: all of them are applied or none.
    func change(
        _ target: UserID, _ changes: MemberChanges, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        for action in changes.actions { try check(action, by: caller, in: context, RuleRequest(target: target)) }
        guard changes.role != .host else {
            throw Refusal(
                .malformed(field: "role"), code: "request.malformed",
                .init("The host's role is not given away.", "房主身份不能转让。"), actual: Role.host.rawValue)
        }
        let room = context.room
        guard let member = room.members[target] else { return try change(absent: target, changes, by: caller, in: room) }
        let isNewlyBanned = changes.isBanned == true && !member.isBanned
        let departure = isNewlyBanned ? stageEnds(ofBanned: member, by: caller, in: room) : nil
        var events = departure?.events ?? []
        let current = departure?.role ?? member.role
        if let role = changes.role, role != current || isInvitation(of: member, in: room) {
            events.append(.memberRoleChanged(member.person, from: current, to: role, by: caller))
        }
        events += standingEvents(member.person, member.standing, changes, by: caller)
        return Decision(events: events, outcome: .memberChanged(target))
    }

    /// Bans, mutes and credit limits outlast membership, so the host can change them for a former member. Users without any of
    /// these are unknown to the room.
    private func change(
        absent target: UserID, _ changes: MemberChanges, by caller: Person, in room: Room
    ) throws(Refusal) -> Decision {
        guard changes.role == nil, let formerMember = room.members.formerMember(target) else { throw Self.unknown(target) }
        return Decision(
            events: standingEvents(formerMember.person, formerMember.standing, changes, by: caller),
            outcome: .memberChanged(target))
    }

    /// Ends a banned member's handshake and seat.
    /// - Returns: the events, and the member's role after them.
    private func stageEnds(
        ofBanned member: Member, by caller: Person, in room: Room
    ) -> (events: [EventBody], role: Role) {
        let id = member.person.id
        var events: [StageEvent] = []
        var role = member.role
        if let handshake = room.stage.handshake(of: id) {
            events.append(.cancelled(handshake.id, guest: member.person, by: caller))
        }
        if let seat = room.stage.seat(of: id), let occupant = seat.occupant {
            // A role granted since then outlives the seat.
            if role == occupant.role.role { role = occupant.previousRole }
            events.append(
                .left(StageEvent.Departure(person: member.person, seat: seat.number, restoredRole: role, cause: .evicted)))
        }
        return (events.map(EventBody.stage), role)
    }

    private func standingEvents(
        _ person: Person, _ standing: Standing, _ changes: MemberChanges, by caller: Person
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
        return events
    }

    /// Whether granting the member's own role is a change: only where bidding is limited to invited members.
    private func isInvitation(of member: Member, in room: Room) -> Bool {
        !member.isInvited && rulebook.isEnabled(OptionalRule.invitedOnly, in: room)
    }
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
