import Permissions

/// Rules about bids that are off by default; a host may switch them on.
enum OptionalBidRules {
    static let all: [RoomPermissionRule] = [invitedOnly, newMember]

    /// How long a member must have been in the room before they may bid, if the host switched `bid.new_member` on.
    static let newMemberWait = Seconds(60)

    // The priorities place these rules after those about the bidder's identity and before those about the amount.
    private static let invitedOnly: RoomPermissionRule = rule(
        OptionalRule.invitedOnly, priority: 64,
        LocalizedText(
            "Only those whom the host made bidder or auctioneer may bid.", "只有由房主指定为竞拍者或拍卖人的成员才能出价。")
    ) { context in
        guard let member = context.member, !member.isInvited else { return nil }
        return DenialReason(invitedOnly.description, required: "invited", actual: member.role.rawValue)
    }

    private static let newMember: RoomPermissionRule = rule(
        OptionalRule.newMember, priority: 63,
        LocalizedText(
            "New members bid only after \(newMemberWait.count) seconds in the room.",
            "新成员加入房间 \(newMemberWait.count) 秒后才能出价。")
    ) { context in
        guard let member = context.member else { return nil }
        let milliseconds = context.instant.milliseconds(since: member.joinedAt)
        guard milliseconds < Int64(newMemberWait.count) * 1000 else { return nil }
        return DenialReason(
            newMember.description, required: String(newMemberWait.count), actual: String(max(0, milliseconds) / 1000))
    }

    private static func rule(
        _ id: String, priority: Int, _ description: LocalizedText,
        denial: @escaping @Sendable (RuleContext) -> DenialReason?
    ) -> RoomPermissionRule {
        RoomPermissionRule(
            id: id, action: .placeBid, priority: priority, category: .role, isPermanent: false, isEnabledByDefault: false,
            description: description, denial: denial)
    }
}

/// The ids of the rules that are off until a host switches them on.
package enum OptionalRule {
    /// Only members whom the host made bidder or auctioneer may bid.
    package static let invitedOnly = "bid.invited_only"
    /// New members may bid only after 60 seconds in the room.
    package static let newMember = "bid.new_member"
}
