import AuctionDomain
import Permissions

// What the host decides about others.
extension RoomManager {
    /// Several changes at once: all of them happen or none does.
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
        var events = isNewlyBanned ? stageEnds(ofBanned: member, by: caller, in: room) : []
        // The seat may just have taken its role with it.
        let current = events.compactMap(\.roleWithoutSeat).last ?? member.role
        if let role = changes.role, role != current || isInvitation(of: member, in: room) {
            events.append(.memberRoleChanged(member.person, from: current, to: role, by: caller))
        }
        events += standingEvents(member.person, member.standing, changes, by: caller)
        return Decision(events: events, outcome: .memberChanged(target))
    }

    /// Bans, mutes and credit limits outlast a member's stay, so the host can take them back as well. Others who are not
    /// there are nobody: the room does not remember everybody who ever came.
    private func change(
        absent target: UserID, _ changes: MemberChanges, by caller: Person, in room: Room
    ) throws(Refusal) -> Decision {
        guard changes.role == nil, let absentee = room.members.absentee(target) else { throw Self.unknown(target) }
        return Decision(
            events: standingEvents(absentee.person, absentee.standing, changes, by: caller),
            outcome: .memberChanged(target))
    }

    /// Whoever is banned is on the stage neither now nor soon.
    private func stageEnds(ofBanned member: Member, by caller: Person, in room: Room) -> [EventBody] {
        let id = member.person.id
        var events: [StageEvent] = []
        if let handshake = room.stage.handshake(of: id) {
            events.append(.cancelled(handshake.id, guest: member.person, by: caller))
        }
        if let seat = room.stage.seat(of: id), let occupant = seat.occupant {
            // A role that was given since outlives the seat.
            let restored = member.role == occupant.role.role ? occupant.previousRole : member.role
            events.append(
                .left(
                    StageEvent.Departure(
                        person: member.person, seat: seat.number, restoredRole: restored, cause: .evicted)))
        }
        return events.map(EventBody.stage)
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

    /// Giving somebody the role they chose themself changes nothing, except where only the invited may bid.
    private func isInvitation(of member: Member, in room: Room) -> Bool {
        !member.isInvited && rulebook.isEnabled(OptionalRule.invitedOnly, in: room)
    }
}

extension MemberChanges {
    /// What the caller must be allowed to do; a change that names nothing is still a question to the host.
    fileprivate var actions: [RoomAction] {
        var actions: [RoomAction] = []
        if isBanned != nil { actions.append(.ban) }
        if isMuted != nil { actions.append(.mute) }
        if creditLimit != nil { actions.append(.setCreditLimit) }
        return role != nil || actions.isEmpty ? [.setRole] + actions : actions
    }
}

extension EventBody {
    /// The role of somebody who has just left the stage.
    fileprivate var roleWithoutSeat: Role? {
        if case .stage(.left(let departure)) = self { departure.restoredRole } else { nil }
    }
}
