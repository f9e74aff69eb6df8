internal import AuctionDomain
internal import Permissions

/// What the contract says of a permission rule's code beyond the rule; nil is what follows from the rule.
package struct RuleCodeDetails: Sendable {
    let meaning: String?
    let detail: String?
    let required: String?
    let actual: String?
    let allowedActions: [RoomAction]

    init(
        _ meaning: String? = nil, detail: String? = nil, required: String? = nil, actual: String? = nil,
        allowedActions: [RoomAction] = []
    ) {
        self.meaning = meaning
        self.detail = detail
        self.required = required
        self.actual = actual
        self.allowedActions = allowedActions
    }
}

extension ProblemCode {
    /// The statuses of denials by a rule's category.
    private static let statuses: [PermissionCategory: Int] = [
        .identity: 403, .role: 403, .state: 409, .amount: 422, .limit: 429,
    ]

    /// The codes of the permission rules of some categories, in the order of the rulebook.
    static func ofRules(_ categories: [PermissionCategory]) -> [ProblemCode] {
        RoomRulebook.rules.filter { categories.contains($0.category) }.compactMap { rule in
            guard let status = statuses[rule.category] else { return nil }
            let more = ruleDetails[rule.id] ?? RuleCodeDetails()
            let (required, actual) = usualValues(of: rule)
            let text = rule.description.english
            return ProblemCode(
                rule.id, status, more.meaning ?? (rule.isEnabledByDefault ? text : "Optional rule: \(text)"),
                (more.required ?? required) == nil ? nil : more.detail ?? text, required: more.required ?? required,
                actual: more.actual ?? actual, allowedActions: more.allowedActions)
        }
    }

    /// What a rule about hosts or states requires, and what it may find; nil for other rules.
    private static func usualValues(of rule: PermissionRule<RoomAction, RuleContext>) -> (required: String?, actual: String?) {
        guard rule.category == .state else { return rule.id.hasSuffix(".not_host") ? ("host", "bidder") : (nil, nil) }
        let allowing = RoomStates.product.filter { $0.allowedActions.contains(rule.action) }.map(\.name)
        return allowing.isEmpty ? (nil, nil) : (allowing.map(\.rawValue).joined(separator: ", "), RoomState.closed.rawValue)
    }

    /// By code. A code without `required` here or by the kind of its rule has no example.
    package static let ruleDetails: [String: RuleCodeDetails] = [
        "item.not_auctioneer": .init(required: "auctioneer", actual: "bidder"),
        "item.not_preparing": .init(actual: "listing"),
        "lot.not_auctioneer": .init(required: "host or auctioneer", actual: "bidder"),
        "lot.owner_only": .init(required: "owner", actual: "host"),
        "lot.not_queued": .init(
            "Only a lot that waits in the queue or is being prepared is changed or moved, and only before one that waits.",
            required: "queued", actual: "sold"),
        "lot.too_many": .init(
            "The room has as many lots as it may have, or an import would add too many.", required: "10000", actual: "10000"),
        "reoffer.too_many": .init(
            "The room has as many lots as it may have: a lot that is offered again is another one.", required: "10000",
            actual: "10000"),
        "reoffer.not_yours": .init(required: "host or owner", actual: "bidder"),
        "reoffer.not_ended": .init(required: "passed or voided", actual: "sold"),
        "absentee.not_member": .init(required: "bidder", actual: "none"),
        "absentee.not_queued": .init(required: "queued", actual: "sold"),
        "absentee.used": .init(required: "waiting", actual: "used"),
        "absentee.below_start": .init(
            detail: "The maximum of 80.00 is below the starting price of 100.00 CNY.", required: "100.00", actual: "80.00"),
        "withdraw.not_yours": .init(required: "host or owner", actual: "bidder"),
        "withdraw.not_queued": .init(
            "Only a lot that waits in the queue or is being prepared is withdrawn.", required: "queued", actual: "withdrawn"),
        "bid.viewer": .init(required: "bidder", actual: "viewer"),
        "bid.not_auctioning": .init(actual: "preparing"),
        "bid.wrong_item": .init(
            detail: "This bid is meant for another item than the one that is up.", required: "item_01m7yn51hqg9w4ebvy9v1v1c9p",
            actual: "item_01m7yn4zcvfn0r8v1m2d5t7k3x", allowedActions: [.placeBid]),
        "bid.below_minimum": .init(
            "`required` is the next minimum, `actual` the amount, both as decimal strings.",
            detail: "The bid of 125.00 is below the minimum of 130.00 CNY.", required: "130.00", actual: "125.00",
            allowedActions: [.placeBid]),
        "bid.names_no_price": .init(
            """
            A maximum alone where the next minimum is the buy-now price: `amount` has to name it; `required` is that \
            price.
            """, detail: #"The next bid buys at 500.00 CNY: to buy, send that as "amount"."#, required: "500.00",
            actual: "no amount", allowedActions: [.placeBid]),
        "rules.owner_only": .init(required: "owner", actual: "host"),
        "rules.not_preparing": .init(actual: "listing"),
        "start.no_item": .init(required: "item", actual: "none", allowedActions: [.setRole, .archiveRoom]),
        "end.not_auctioning": .init(actual: "listing", allowedActions: [.startAuction, .setRole]),
        "pause.not_running": .init(required: "listing, auctioning", actual: "closed", allowedActions: [.startAuction]),
        "resume.not_paused": .init(required: "paused", actual: "auctioning", allowedActions: [.endAuction, .pause]),
        "ask.below_price": .init(
            detail: "The next minimum must be above the current price of 120.00 CNY.", required: "120.01", actual: "120.00"),
        "offer.not_yours": .init(required: "the bidder of the offer", actual: "bidder"),
        "offer.over_credit": .init(
            detail: "With it you would owe 1200.00 CNY; your credit limit is 1000.00 CNY.", required: "1000.00",
            actual: "1200.00"),
        "cancel.has_bids": .init(required: "0", actual: "2", allowedActions: [.endAuction]),
        "retract.not_latest": .init(
            """
            Only the latest bid that was not automatic can be retracted, which `required` names, and those of banned \
            bidders.
            """, required: "bid_01m7yn51q4q1z490kmeybkexbs", actual: "bid_01m7yn51q0zthtweg1a3x7wgpt",
            allowedActions: [.endAuction]),
        "room.round_running": .init(actual: "listing", allowedActions: [.startAuction, .setRole]),
        "message.muted": .init(required: "not muted", actual: "muted"),
        "message.rate": .init(
            "Too many messages by this member; see `Retry-After`.", detail: "At most 2 messages a second.", required: "2",
            actual: "3"),
        "report.not_member": .init(required: "member", actual: "none"),
        "report.limit": .init(
            "The caller has made as many of the room's reports as are kept of one member.", required: "20", actual: "21"),
        "stage.not_member": .init(
            "Only members of the room ask for the stage (404 where another user is invited).", required: "member",
            actual: "none"),
        "stage.host": .init("The host leads the room and takes no seat (409 for an invitation of themself)."),
    ]
}
