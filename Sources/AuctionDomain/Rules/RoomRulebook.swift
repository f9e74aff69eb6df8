package import Permissions

/// A room's states, auction formats, permission rules and limits, as one immutable value.
///
/// Tests add a state, a format or a rule by making another rulebook; the product has one.
package final class RoomRulebook: Sendable {
    /// Registry of the room's states and their transitions.
    package let states: RoomStates
    /// Registry of the auction formats that items may name.
    package let formats: AuctionFormats
    /// Every permission rule, before a host's configuration of a room.
    package let permissions: RoomPermissionCenter
    /// The operator's bounds, the same for every room.
    package let limits: RoomLimits
    /// How items of voided sales are offered.
    package let offers: any OfferPolicy
    // The actions that permanent rules with a shared condition deny: outside the states that allow them, to others than the host, to
    // banned members.
    private let (outsideState, notHost, bannedMember): (RoomActions, RoomActions, RoomActions)
    /// The rules of placing a bid that are about the bidder alone, in the order of evaluation.
    private let bidderRules: [RoomPermissionRule]
    /// Those of them that are enabled unless a host has changed the rules.
    private let usualBidderRules: [RoomPermissionRule]

    package init(
        states: RoomStates, formats: AuctionFormats, permissions: RoomPermissionCenter, limits: RoomLimits = RoomLimits(),
        offers: any OfferPolicy = ProductOfferPolicy()
    ) {
        self.states = states
        self.formats = formats
        self.permissions = permissions
        self.limits = limits
        self.offers = offers
        func actions(_ condition: SharedCondition) -> RoomActions {
            RoomActions(permissions.rules.filter { $0.isPermanent && $0.shared == condition }.map(\.action))
        }
        (outsideState, notHost, bannedMember) = (actions(.outsideState), actions(.notHost), actions(.bannedMember))
        bidderRules = Self.bidderRuleIDs.compactMap { permissions[$0] }
        usualBidderRules = bidderRules.filter(RuleConfiguration.default.isEnabled)
    }

    /// The product's permission rules.
    package static let rules: [PermissionRule<RoomAction, RuleContext>] =
        ItemRules.all + LotRules.all + BidRules.all + OptionalBidRules.all + HostRules.all + MemberRules.all + MessageRules.all
        + HandRules.all + FloorRules.all + AbsenteeRules.all + ReportRules.all + ApplicationRules.all

    /// The product's rulebook.
    /// - Parameter limits: the operator's bounds on what happens in a room.
    /// - Throws: `UnsoundStates` or `DuplicateRule`; tests check that the product's states and rules cause neither.
    package static func product(limits: RoomLimits = RoomLimits()) throws -> RoomRulebook {
        RoomRulebook(
            states: try RoomStates(RoomStates.product), formats: AuctionFormats(AuctionFormats.product),
            permissions: try RoomPermissionCenter(rules: rules),
            limits: limits)
    }

    /// The auction format of the room's item; nil without an item.
    package func format(of room: Room) -> (any AuctionFormat)? {
        room.formatName.flatMap { formats[$0] }
    }

    /// The least amount of the next bid, by any user or by `user`; nil without an item.
    package func nextMinimum(in room: Room, for user: UserID? = nil) -> Money? {
        format(of: room)?.nextMinimum(in: room, for: user)
    }

    /// Whether the reserve price is reached; nil without one, and while a sealed auction hides it.
    package func reserveMet(in room: Room) -> Bool? { format(of: room)?.reserveMet(in: room) }

    /// The denial of an action under the rules as the room's host configured them; nil if it is allowed.
    package func denial(of action: RoomAction, in context: RuleContext) -> PermissionDenial<RoomAction>? {
        permissions.denial(of: action, in: context, configuration: context.room.configuration)
    }

    /// Whether a rule is enabled in a room; false if there is no rule with this id.
    package func isEnabled(_ rule: String, in room: Room) -> Bool {
        guard let rule = permissions[rule] else { return false }
        return room.configuration.isEnabled(rule)
    }

    /// What the caller may do at `instant`.
    package func allowedActions(of caller: UserID, in room: Room, at instant: Timestamp) -> RoomActions {
        let context = RuleContext(room: room, rulebook: self, caller: caller, at: instant)
        let configuration = room.configuration
        // Most actions are denied by a condition that they share: what is left is a third of them.
        var allowed = RoomActions.all
        allowed.subtract(deniedByShared(context))
        var left = allowed
        while let action = left.popFirst() {
            if !permissions.isAllowedByOwnRules(action, in: context, configuration: configuration) { allowed.remove(action) }
        }
        return allowed
    }

    /// The actions that a condition denies which rules of several actions share.
    private func deniedByShared(_ context: RuleContext) -> RoomActions {
        var denied = outsideState
        denied.subtract(context.actionsOfState)
        if !context.isHost { denied.formUnion(notHost) }
        if context.member?.isBanned == true { denied.formUnion(bannedMember) }
        return denied
    }

    /// Whether a rule of placing a bid that is about the bidder alone, and enabled in the room, denies it to the caller.
    func deniesBidder(_ context: RuleContext) -> Bool {
        let configuration = context.room.configuration
        if configuration.isDefault { return usualBidderRules.contains { $0.denies(context) } }
        return bidderRules.contains { configuration.isEnabled($0) && $0.denies(context) }
    }

    /// The rules of placing a bid that are about the bidder alone, as far as the room's host has them enabled.
    func rulesOfBidders(in room: Room) -> [RoomPermissionRule] { bidderRules.filter(room.configuration.isEnabled) }

    private static let bidderRuleIDs = [
        "bid.viewer", "bid.host", OptionalRule.invitedOnly, OptionalRule.newMember, OptionalRule.notApproved,
    ]

    /// Refuses auction rules that contradict each other or do not suit their format.
    func check(_ rules: AuctionRules) throws(Refusal) {
        guard let format = formats[rules.format] else {
            let known = formats.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw .malformed(
                "rules.format", LocalizedText("\"rules.format\" must be one of \(known).", "rules.format 须为 \(known) 之一。"))
        }
        guard let problem = format.problem(with: rules) else { return }
        throw .malformed("rules.\(problem.field)", problem.text)
    }
}
