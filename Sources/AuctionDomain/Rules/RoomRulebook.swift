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
            permissions: try RoomPermissionCenter(rules: ItemRules.all + BidRules.all + HostRules.all))
    }

    /// The format of the room's item; nil without an item.
    public func format(of room: Room) -> (any AuctionFormat)? {
        room.rules.flatMap { formats[$0.format] }
    }

    /// The least amount of the next bid; nil without an item.
    public func nextMinimum(in room: Room) -> Money? { format(of: room)?.nextMinimum(in: room) }

    /// What the caller may do now, in the order of `RoomAction`.
    public func allowedActions(of caller: UserID, in room: Room) -> [RoomAction] {
        let context = RuleContext(room: room, rulebook: self, caller: caller)
        return RoomAction.allCases.filter { permissions.denial(of: $0, in: context) == nil }
    }
}
