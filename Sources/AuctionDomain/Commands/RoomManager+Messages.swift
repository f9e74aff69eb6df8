import Permissions

// Decides messages of members.
extension RoomManager {
    func decideMessage(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch command {
        case .sendMessage(let text):
            try check(.sendMessage, by: caller, in: context)
            let message = Message(id: context.identifiers.next(), author: caller, text: text)
            return Decision(events: [.messageSent(message)], outcome: .messageSent(message))
        case .removeMessage(let id):
            try check(.removeMessage, by: caller, in: context)
            guard context.room.messages.contains(id) else {
                throw Refusal(
                    .notFound, code: "message.not_found",
                    .init("There is no such message, or it is too old to be removed.", "没有该消息,或消息过旧无法移除。"),
                    actual: id.description)
            }
            return Decision(events: [.messageRemoved(id, by: caller)], outcome: .messageRemoved)
        default: return .nothing
        }
    }
}
