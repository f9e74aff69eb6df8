import AuctionDomain
import Permissions

// Who comes, goes and is made what. The host's seat is never empty for long: see `succession`.
extension RoomManager {
    func decideMembership(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch command {
        case .join(let join): return try self.join(join, caller, in: context.room)
        case .leave: return try leave(caller, in: &context)
        case .changeMember(let target, let changes): return try change(target, changes, by: caller, in: context)
        case .kick(let target): return try kick(target, by: caller, in: &context)
        case .hostDisconnected(let user):
            guard context.room.host.id == user, context.room.hostGoneSince == nil else { return .nothing }
            return Decision(events: try succession(leaving: false, in: &context), outcome: .silent)
        case .hostReconnected(let user):
            let room = context.room
            guard room.host.id == user, room.hostGoneSince != nil, room.members[user] != nil else { return .nothing }
            return Decision(events: [.hostReturned(room.host)], outcome: .silent)
        default: return .nothing
        }
    }

    private func join(_ join: JoinRoom, _ caller: Person, in room: Room) throws(Refusal) -> Decision {
        if room.members.standing(of: caller.id).isBanned {
            throw Refusal(
                .forbidden, code: "member.banned", .init("You are banned from this room.", "您已被该房间封禁。"))
        }
        guard let member = room.members[caller.id] else {
            // The host of a room without one is let in again as what they were.
            let returns = room.host.id == caller.id && room.hostGoneSince != nil
            if room.details.visibility == .private, !returns, join.inviteCode != room.details.inviteCode {
                throw .roomNotFound
            }
            let events: [EventBody] =
                returns
                ? [.memberJoined(caller, role: .host), .hostReturned(caller)]
                : [.memberJoined(caller, role: join.role ?? .viewer)]
            return Decision(events: events, outcome: .joined(isNew: true))
        }
        // Joining again never demotes: only viewers and bidders choose between their two roles.
        guard let role = join.role, role != member.role, member.role == .viewer || member.role == .bidder else {
            return Decision(events: [], outcome: .joined(isNew: false))
        }
        return Decision(
            events: [.memberRoleChanged(caller, from: member.role, to: role, by: caller)], outcome: .joined(isNew: false))
    }

    private func leave(_ caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        guard let member = context.room.members[caller.id] else {
            throw Refusal(
                .notFound, code: "member.not_found", .init("You are not a member of this room.", "您不是该房间的成员。"))
        }
        let succession = member.role == .host ? try succession(leaving: true, in: &context) : []
        return Decision(events: [.memberLeft(caller)] + succession, outcome: .left)
    }

    private func change(
        _ target: UserID, _ changes: MemberChanges, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        let request = RuleRequest(target: target)
        if changes.role != nil { try check(.setRole, by: caller, in: context, request) }
        if changes.isBanned != nil { try check(.ban, by: caller, in: context, request) }
        if changes.isMuted != nil { try check(.mute, by: caller, in: context, request) }
        if changes.creditLimit != nil { try check(.setCreditLimit, by: caller, in: context, request) }
        let member = try member(target, in: context.room)
        let person = member.person
        var events: [EventBody] = []
        if let role = changes.role, role != member.role {
            events.append(.memberRoleChanged(person, from: member.role, to: role, by: caller))
        }
        if let isBanned = changes.isBanned, isBanned != member.isBanned {
            events.append(.memberBanned(person, isBanned: isBanned, by: caller))
        }
        if let isMuted = changes.isMuted, isMuted != member.isMuted {
            events.append(.memberMuted(person, isMuted: isMuted, by: caller))
        }
        if let limit = changes.creditLimit, limit != member.creditLimit {
            events.append(.memberCreditLimitChanged(person, limit: limit, by: caller))
        }
        return Decision(events: events, outcome: .memberChanged(target))
    }

    private func kick(
        _ target: UserID, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        try check(.kick, by: caller, in: context, RuleRequest(target: target))
        return Decision(events: [.memberKicked(try member(target, in: context.room).person, by: caller)], outcome: .left)
    }

    /// The longest-serving auctioneer who does not own the current item becomes host; without one the room waits for a host.
    private func succession(leaving: Bool, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let room = context.room
        if let successor = successor(in: room) {
            let demotion: [EventBody] =
                leaving ? [] : [.memberRoleChanged(room.host, from: .host, to: .viewer, by: nil)]
            return demotion + [.memberRoleChanged(successor.person, from: successor.role, to: .host, by: nil)]
        }
        let gone = EventBody.hostGone(room.host)
        guard let (target, entrance) = rulebook.states.entrance(from: room.state, because: .hostGone) else { return [gone] }
        return [gone] + (try target.enter(by: entrance, nil, Advance(), in: &context))
    }

    private func successor(in room: Room) -> Member? {
        room.members.sorted
            .filter { $0.role == .auctioneer && !$0.isBanned && $0.person.id != room.item?.owner.id }
            .min { ($0.joinedAt, $0.person.id) < ($1.joinedAt, $1.person.id) }
    }

    private func member(_ target: UserID, in room: Room) throws(Refusal) -> Member {
        if let member = room.members[target] { return member }
        throw Refusal(
            .notFound, code: "member.not_found", .init("There is no such member in this room.", "房间中没有该成员。"),
            actual: target.description)
    }
}

extension RoomManager.Decision {
    /// Nothing to do, and nobody to tell.
    static let nothing = RoomManager.Decision(events: [], outcome: .silent)
}
