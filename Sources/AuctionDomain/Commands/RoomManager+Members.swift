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
            // The disconnected host of a room joins again as its host.
            let events: [EventBody] =
                isHostAgain
                ? [.memberJoined(caller, role: .host), .hostReturned(caller)]
                : [.memberJoined(caller, role: join.role ?? .viewer)]
            return Decision(events: events, outcome: .joined(isNew: true))
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
        guard let member = context.room.members[target] else { throw Self.unknown(target) }
        let stage = context.room.stage.departed(target).map(EventBody.stage)
        return Decision(events: stage + [.memberKicked(member.person, by: caller)], outcome: .left)
    }

    static func unknown(_ target: UserID) -> Refusal {
        Refusal(
            .notFound, code: "member.not_found", .init("There is no such member in this room.", "房间中没有该成员。"),
            actual: target.description)
    }
}

extension RoomManager.Decision {
    /// No change and no response.
    static let nothing = RoomManager.Decision(events: [], outcome: .silent)
}
