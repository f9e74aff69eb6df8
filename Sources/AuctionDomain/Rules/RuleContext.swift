public import Permissions

/// What a permission rule may look at.
public struct RuleContext: Sendable {
    public let room: Room
    public let rulebook: RoomRulebook
    public let caller: UserID
    /// Who the caller is in the room; nil for a stranger.
    public let member: Member?
    /// When the action would happen.
    public let instant: Timestamp
    public let request: RuleRequest

    public init(
        room: Room, rulebook: RoomRulebook, caller: UserID, at instant: Timestamp, _ request: RuleRequest = RuleRequest()
    ) {
        self.room = room
        self.rulebook = rulebook
        self.caller = caller
        member = room.members[caller]
        self.instant = instant
        self.request = request
    }
}

/// What exactly the caller wants; nil where the question is whether any such action would be allowed.
public struct RuleRequest: Hashable, Sendable {
    public var bid: PlaceBid?
    /// Whom the action is done to.
    public var target: UserID?
    /// The bid to take back.
    public var retracted: BidID?
    /// Whether rules are to change that are the owner's alone.
    public var changesPrices: Bool?

    public init(
        bid: PlaceBid? = nil, target: UserID? = nil, retracted: BidID? = nil, changesPrices: Bool? = nil
    ) {
        self.bid = bid
        self.target = target
        self.retracted = retracted
        self.changesPrices = changesPrices
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
            if context.rulebook.states.allowedActions(in: state).contains(action) { return nil }
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

    /// Nobody whom the host has banned, whatever their role.
    static func banned(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(
            id: id, action: action, priority: priority, category: .role, isPermanent: true, description: description
        ) { context in
            context.member?.isBanned == true ? DenialReason(description, required: "member", actual: "banned") : nil
        }
    }
}

extension RuleContext {
    /// The caller's role for `actual`: `none` for a stranger.
    var roleName: String { member?.role.rawValue ?? "none" }
}
