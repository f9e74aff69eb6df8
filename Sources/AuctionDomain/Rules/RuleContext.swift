package import Permissions

/// What a permission rule may read. A class, because a request asks dozens of rules, and each call would copy it.
package final class RuleContext: Sendable {
    /// The room before the action.
    package let room: Room
    /// The states, formats and limits that the rule may consult.
    package let rulebook: RoomRulebook
    /// The user who asks; need not be a member.
    package let caller: UserID
    /// The caller's membership of the room; nil if they never joined it.
    package let member: Member?
    /// Whether the caller is a member. A comparison of `member` with nil would compare members.
    let isMember: Bool
    /// Whether the caller may what the host may: the host, or a program of the operator.
    let isHost: Bool
    /// The actions that the room's state allows.
    let actionsOfState: RoomActions
    /// When the action would happen.
    package let instant: Timestamp
    /// Parameters of the action; empty when the question is about the action in general.
    package let request: RuleRequest
    /// The least amount of the requested bid, for rules and then for the format; nil without a bid or an item.
    package let minimum: Money?

    package init(
        room: Room, rulebook: RoomRulebook, caller: UserID, at instant: Timestamp, _ request: RuleRequest = RuleRequest()
    ) {
        self.room = room
        self.rulebook = rulebook
        self.caller = caller
        member = room.member(caller)
        if case .some(let member) = member {
            (isMember, isHost) = (true, member.role == .host)
        } else {
            (isMember, isHost) = (false, caller.isOperator)
        }
        actionsOfState = rulebook.states.allowedSet(in: room.state)
        self.instant = instant
        self.request = request
        minimum = request.bid == nil ? nil : rulebook.nextMinimum(in: room, for: caller)
    }
}

/// The parameters of an action; each is nil when the question is whether any such action would be allowed.
package struct RuleRequest: Hashable, Sendable {
    /// The bid to place.
    package var bid: PlaceBid?
    /// The member that the action affects.
    package var target: UserID?
    /// Identifier of the bid to retract.
    package var retracted: BidID?
    /// Whether the action changes prices that only the item's owner may change.
    package var changesPrices: Bool?
    /// The lot to change or withdraw.
    package var lot: LotID?
    /// How many lots to queue.
    package var addedLots: Int?
    /// The message to report.
    package var message: MessageID?

    package init(
        bid: PlaceBid? = nil, target: UserID? = nil, retracted: BidID? = nil, changesPrices: Bool? = nil, lot: LotID? = nil,
        addedLots: Int? = nil, message: MessageID? = nil
    ) {
        self.bid = bid
        self.target = target
        self.retracted = retracted
        self.changesPrices = changesPrices
        self.lot = lot
        self.addedLots = addedLots
        self.message = message
    }
}

/// The permission rules of a room's actions.
package typealias RoomPermissionCenter = PermissionCenter<RoomAction, RuleContext>
typealias RoomPermissionRule = PermissionRule<RoomAction, RuleContext>

extension RoomPermissionRule {
    convenience init(
        _ id: String, _ action: RoomAction, priority: Int, _ category: PermissionCategory, isPermanent: Bool = true,
        isEnabledByDefault: Bool = true, _ description: LocalizedText, shared: SharedCondition? = nil,
        denies: @escaping @Sendable (RuleContext) -> Bool, because reason: @escaping @Sendable (RuleContext) -> DenialReason
    ) {
        self.init(
            id: id, action: action, priority: priority, category: category, isPermanent: isPermanent,
            isEnabledByDefault: isEnabledByDefault, description: description, shared: shared, denies: denies, because: reason)
    }
}

// Conditions that rules of several actions share; `RuleContext.deniedByShared` evaluates each once.
extension SharedCondition {
    /// The room's state does not list the action.
    static let outsideState = SharedCondition(rawValue: 0)
    /// The caller is not the host.
    static let notHost = SharedCondition(rawValue: 1)
    /// The caller is a banned member.
    static let bannedMember = SharedCondition(rawValue: 2)
}

// Rules that several actions share, each with its own id and texts.
extension RoomPermissionRule {
    /// Denies the action in states that do not list it among their allowed actions.
    static func state(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(id, action, priority: priority, .state, description, shared: .outsideState) { context in
            !context.actionsOfState.contains(action)
        } because: { context in
            DenialReason(
                description, required: context.rulebook.states.namesAllowing(action), actual: context.room.state.rawValue)
        }
    }

    /// Denies the action to everyone but the host.
    static func hostOnly(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(id, action, priority: priority, .role, description, shared: .notHost) { context in
            !context.isHost
        } because: { context in
            DenialReason(description, required: Role.host.rawValue, actual: context.roleName)
        }
    }

    /// Denies the action to banned members, whatever their role.
    static func banned(
        _ id: String, _ action: RoomAction, priority: Int, _ description: LocalizedText
    ) -> RoomPermissionRule {
        RoomPermissionRule(id, action, priority: priority, .role, description, shared: .bannedMember) { context in
            context.member?.isBanned == true
        } because: { _ in
            DenialReason(description, required: "not banned", actual: "banned")
        }
    }
}

extension RuleContext {
    /// The caller's role for `actual`: `none` if they are not a member.
    var roleName: String { member?.role.rawValue ?? "none" }
}
