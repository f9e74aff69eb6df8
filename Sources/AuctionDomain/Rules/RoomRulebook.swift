public import Permissions

/// Everything that decides in a room: its states, its formats and its permission rules, as one immutable value.
///
/// Tests add a state, a format or a rule by making another rulebook; the product has one.
public final class RoomRulebook: Sendable {
    public let states: RoomStates
    public let formats: AuctionFormats
    public let permissions: RoomPermissionCenter

    public init(states: RoomStates, formats: AuctionFormats, permissions: RoomPermissionCenter) {
        self.states = states
        self.formats = formats
        self.permissions = permissions
    }

    /// The product's rulebook.
    /// - Throws: `UnsoundStates` or `DuplicateRule`, which its tests rule out.
    public static func product() throws -> RoomRulebook {
        RoomRulebook(
            states: try RoomStates(RoomStates.product), formats: AuctionFormats(AuctionFormats.product),
            permissions: try RoomPermissionCenter(rules: ItemRules.all + BidRules.all + HostRules.all + MemberRules.all))
    }

    /// The format of the room's item; nil without an item.
    public func format(of room: Room) -> (any AuctionFormat)? {
        room.rules.flatMap { formats[$0.format] }
    }

    /// The least amount of the next bid, by anybody or by one user; nil without an item.
    public func nextMinimum(in room: Room, for user: UserID? = nil) -> Money? {
        format(of: room)?.nextMinimum(in: room, for: user)
    }

    /// Whether the reserve price is reached; nil without one and while nobody may know.
    public func reserveMet(in room: Room) -> Bool? { format(of: room)?.reserveMet(in: room) }

    /// The denial of an action with the rules as the room's host configured them; nil: allowed.
    public func denial(of action: RoomAction, in context: RuleContext) -> PermissionDenial<RoomAction>? {
        permissions.denial(of: action, in: context, configuration: context.room.configuration)
    }

    /// What the caller may do at `instant`, in the order of `RoomAction`.
    public func allowedActions(of caller: UserID, in room: Room, at instant: Timestamp) -> [RoomAction] {
        let context = RuleContext(room: room, rulebook: self, caller: caller, at: instant)
        return RoomAction.allCases.filter { denial(of: $0, in: context) == nil }
    }

    /// Refuses rules that do not fit together, or not their format.
    func check(_ rules: AuctionRules) throws(Refusal) {
        guard let format = formats[rules.format] else {
            let known = formats.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw Refusal(
                .malformed(field: "rules.format"), code: "request.malformed",
                LocalizedText("\"rules.format\" must be one of \(known).", "rules.format 须为 \(known) 之一。"))
        }
        guard let problem = format.problem(with: rules) else { return }
        throw Refusal(.malformed(field: "rules.\(problem.field)"), code: "request.malformed", problem.text)
    }
}
