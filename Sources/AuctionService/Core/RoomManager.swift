public import AuctionDomain
import Permissions

/// Coordinates a command: the permission centre says whether, the room's state object says how. Pure.
public struct RoomManager: Sendable {
    public let rulebook: RoomRulebook

    public init(rulebook: RoomRulebook) { self.rulebook = rulebook }

    /// What a command would do to a room, as events still to be recorded.
    public struct Decision: Sendable {
        public let events: [EventBody]
        public let outcome: Outcome
    }

    /// Decides a command on a room that exists.
    public func decide(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let room = context.room
        // An invite code opens a hidden room; everything else needs to see it already.
        let mayKnow = if case .join = command { true } else { room.isVisible(to: caller.id) }
        guard mayKnow, !room.isArchived else { throw .roomNotFound }
        switch command {
        case .openRoom:
            throw Refusal(.conflict, code: "room.exists", .init("This room exists already.", "该房间已存在。"))
        case .join(let join): return try self.join(join, caller, in: room)
        case .leave: return try leave(caller, in: room)
        case .archiveRoom:
            try check(.archiveRoom, by: caller, in: room)
            return Decision(events: [.roomArchived(by: caller)], outcome: .roomArchived)
        case .setRole(let target, let role): return try setRole(of: target, to: role, by: caller, in: room)
        case .uploadItem(let item):
            try check(.uploadItem, by: caller, in: room)
            let events = try state(of: room).uploadItem(item, by: caller, in: &context)
            guard case .itemUploaded(let uploaded)? = events.first else { return Decision(events: events, outcome: .advanced) }
            return Decision(events: events, outcome: .itemUploaded(uploaded.id))
        case .startAuction(let expected):
            try check(expected, room)
            try check(.startAuction, by: caller, in: room)
            return Decision(events: try state(of: room).startAuction(by: caller, in: &context), outcome: .advanced)
        case .endAuction(let expected):
            try check(expected, room)
            try check(.endAuction, by: caller, in: room)
            return Decision(events: try state(of: room).endAuction(by: caller, in: &context), outcome: .advanced)
        case .placeBid(let bid): return try place(bid, by: caller, in: &context)
        }
    }

    /// The first event of a new room.
    public func open(_ open: OpenRoom, by host: Person, identifiers: inout IdentifierSource) -> EventBody {
        .roomOpened(
            RoomOpened(
                name: open.name, host: host, currency: open.currency, visibility: open.visibility,
                inviteCode: identifiers.nextInviteCode()))
    }

    /// What the end of the running countdown does.
    public func countdownEnded(in context: inout DecisionContext) -> [EventBody] {
        rulebook.states[context.room.state]?.countdownEnded(in: &context) ?? []
    }

    /// What the return of the service after an outage does.
    public func serviceReturned(ready: Timestamp, in context: inout DecisionContext) -> [EventBody] {
        rulebook.states[context.room.state]?.serviceReturned(ready: ready, in: &context) ?? []
    }

    private func place(_ bid: PlaceBid, by caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        let rules = RuleContext(
            room: context.room, rulebook: rulebook, caller: caller.id, amount: bid.amount, round: bid.round)
        if let denial = rulebook.permissions.denial(of: .placeBid, in: rules) { throw Refusal(denial) }
        let events = try state(of: context.room).placeBid(bid, by: caller, in: &context)
        for case .bidPlaced(let placed) in events where placed.bidder.id == caller.id && !placed.automatic {
            return Decision(events: events, outcome: .bidPlaced(placed))
        }
        throw .unavailable(.placeBid, in: context.room.state)
    }

    private func join(_ join: JoinRoom, _ caller: Person, in room: Room) throws(Refusal) -> Decision {
        guard let member = room.members[caller.id] else {
            if room.details.visibility == .private, join.inviteCode != room.details.inviteCode { throw .roomNotFound }
            return Decision(
                events: [.memberJoined(caller, role: join.role ?? .viewer)], outcome: .joined(isNew: true))
        }
        // Joining again never demotes: only viewers and bidders choose between their two roles.
        guard let role = join.role, role != member.role, member.role == .viewer || member.role == .bidder else {
            return Decision(events: [], outcome: .joined(isNew: false))
        }
        return Decision(
            events: [.memberRoleChanged(caller, from: member.role, to: role, by: caller)], outcome: .joined(isNew: false))
    }

    private func leave(_ caller: Person, in room: Room) throws(Refusal) -> Decision {
        guard let member = room.members[caller.id] else {
            throw Refusal(
                .notFound, code: "member.not_found", .init("You are not a member of this room.", "您不是该房间的成员。"))
        }
        guard member.role != .host else {
            throw Refusal(
                .conflict, code: "member.is_host",
                .init("The host cannot leave the room; archive it instead.", "房主不能离开房间,可改为归档房间。"))
        }
        return Decision(events: [.memberLeft(caller)], outcome: .left)
    }

    private func setRole(
        of target: UserID, to role: Role, by caller: Person, in room: Room
    ) throws(Refusal) -> Decision {
        try check(.setRole, by: caller, in: room, target: target)
        guard let member = room.members[target] else {
            throw Refusal(
                .notFound, code: "member.not_found", .init("There is no such member in this room.", "房间中没有该成员。"),
                actual: target.description)
        }
        guard member.role != role else { return Decision(events: [], outcome: .memberChanged(target)) }
        return Decision(
            events: [.memberRoleChanged(member.person, from: member.role, to: role, by: caller)],
            outcome: .memberChanged(target))
    }

    private func check(
        _ action: RoomAction, by caller: Person, in room: Room, target: UserID? = nil
    ) throws(Refusal) {
        let context = RuleContext(room: room, rulebook: rulebook, caller: caller.id, target: target)
        if let denial = rulebook.permissions.denial(of: action, in: context) { throw Refusal(denial) }
    }

    private func check(_ expected: Expectation, _ room: Room) throws(Refusal) {
        let stateDiffers = expected.state.map { $0 != room.state } ?? false
        let roundDiffers = expected.round.map { $0 != room.round } ?? false
        guard stateDiffers || roundDiffers else { return }
        let required = "\(expected.state ?? room.state), round \(expected.round ?? room.round)"
        let actual = "\(room.state), round \(room.round)"
        throw Refusal(
            .conflict, code: "auction.state_changed",
            .init("The room has moved on: it is \(actual), not \(required).", "房间状态已变化:当前为 \(actual),而非 \(required)。"),
            required: required, actual: actual)
    }

    private func state(of room: Room) throws(Refusal) -> any RoomStateObject {
        guard let state = rulebook.states[room.state] else {
            throw Refusal(
                .conflict, code: "room.unknown_state",
                .init("This server does not know the state \(room.state).", "服务器不认识状态 \(room.state)。"),
                actual: room.state.rawValue)
        }
        return state
    }
}
