import Permissions
import StateMachines

extension RoomState {
    /// 准备: an item is uploaded and its rules are set.
    package static let preparing = RoomState(rawValue: "preparing")
}

struct PreparingState: RoomStateObject {
    let name = RoomState.preparing

    let description = LocalizedText(
        "Preparing: an auctioneer uploads the item, then the host starts the auction.",
        "准备中:拍卖人上传物品,随后由房主开始拍卖。")

    let isRound = false

    let allowedActions: [RoomAction] = [.uploadItem, .adjustRules, .startAuction, .configurePermissions, .archiveRoom]

    let transitions = [
        Transition(from: RoomState.preparing, to: .listing, on: TransitionCause.start, by: "host"),
        Transition(from: RoomState.preparing, to: .listing, on: TransitionCause.sale, by: "the clock"),
    ]

    func uploadItem(
        _ upload: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        try context.rulebook.check(upload.rules)
        return [.itemUploaded(upload.item(context.identifiers.next(), of: person))]
    }

    func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard let current = context.room.item, current.id == item else {
            throw .itemNotFound.naming(item)
        }
        let rules = patch.applied(to: current.rules)
        guard rules != current.rules else { return [] }
        try context.rulebook.check(rules, of: current, by: person)
        return [.rulesAdjusted(item, rules, by: person)]
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        // The permission center already requires an item; the state object checks again so that it does not depend on that.
        guard step == .start else { throw .unavailable(step.action, in: name) }
        if context.room.item != nil {
            return list(by: person, cause: .start, reason: requested.reason, in: &context)
        }
        // Lots that were queued while the room was preparing: the first of them is taken now.
        let lots = context.room.lots
        guard let lot = lots.firstQueued else { throw .unavailable(step.action, in: name) }
        let taken = [EventBody.itemUploaded(lots.item(of: lot))]
        return taken
            + deciding(after: taken, in: &context) {
                list(by: person, cause: .start, reason: requested.reason, in: &$0)
            }
    }
}
