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
                throw .messageNotFound.naming(id)
            }
            return Decision(events: [.messageRemoved(id, by: caller)], outcome: .messageRemoved)
        default: return .nothing
        }
    }
}
