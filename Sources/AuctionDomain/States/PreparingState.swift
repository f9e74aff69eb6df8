import Permissions
import StateMachines

extension RoomState {
    /// 准备: an item is chosen and its rules set.
    public static let preparing = RoomState(rawValue: "preparing")
}

struct PreparingState: RoomStateObject {
    let name = RoomState.preparing

    let description = LocalizedText(
        "Preparing: an auctioneer uploads the item, then the host starts the auction.",
        "准备中:拍卖人上传物品,随后由房主开始拍卖。")

    let allowedActions: [RoomAction] = [.uploadItem, .startAuction, .archiveRoom]

    let transitions = [Transition(from: RoomState.preparing, to: .listing, on: TransitionCause.start, by: "host")]

    func uploadItem(
        _ upload: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        [
            .itemUploaded(
                AuctionItem(
                    id: context.identifiers.next(), name: upload.name, description: upload.description,
                    media: upload.media, owner: person, rules: upload.rules))
        ]
    }

    func startAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        // The permission centre has seen to it; a state object must not depend on that to stay sound.
        guard let item = context.room.item else { throw .unavailable(.startAuction, in: name) }
        return transition(
            to: .listing, cause: .start, by: person,
            message: SystemMessage(
                key: "state.listing", text: LocalizedText("Up next: \(item.name)", "即将开拍:\(item.name)")),
            in: &context)
    }
}
