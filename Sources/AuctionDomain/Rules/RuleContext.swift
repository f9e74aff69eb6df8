public import Permissions

/// What a permission rule may look at.
public struct RuleContext: Sendable {
    public let room: Room
    public let rulebook: RoomRulebook
    public let caller: UserID
    /// Who the caller is in the room; nil for a stranger.
    public let member: Member?
    /// The amount of a bid; nil when asking whether any bid would be taken.
    public let amount: Money?
    /// The round that a bid is meant for.
    public let round: Int?
    /// Whom the action is done to.
    public let target: UserID?

    public init(
        room: Room, rulebook: RoomRulebook, caller: UserID, amount: Money? = nil, round: Int? = nil, target: UserID? = nil
    ) {
        self.room = room
        self.rulebook = rulebook
        self.caller = caller
        member = room.members[caller]
        self.amount = amount
        self.round = round
        self.target = target
    }
}

public typealias RoomPermissionCenter = PermissionCenter<RoomAction, RuleContext>
typealias RoomPermissionRule = PermissionRule<RoomAction, RuleContext>

// Rules that several actions share, each with its own id and words.
extension RoomPermissionRule {
    /// Only in the states whose state objects let the action through.
    static func state(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(
            id: id, action: action, priority: priority, category: .state, isPermanent: true, description: description
        ) { context in
            let state = context.room.state
            if context.rulebook.states[state]?.allowedActions.contains(action) == true { return nil }
            let required = context.rulebook.states.allowing(action).map(\.rawValue).joined(separator: ", ")
            return DenialReason(description, required: required, actual: state.rawValue)
        }
    }

    /// Only the host.
    static func hostOnly(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(
            id: id, action: action, priority: priority, category: .role, isPermanent: true, description: description
        ) { context in
            guard context.member?.role != .host else { return nil }
            return DenialReason(description, required: Role.host.rawValue, actual: context.roleName)
        }
    }
}

extension RuleContext {
    /// The caller's role for `actual`: `none` for a stranger.
    var roleName: String { member?.role.rawValue ?? "none" }
}
