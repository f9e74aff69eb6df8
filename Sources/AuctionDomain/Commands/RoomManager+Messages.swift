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
        case .reportMessage(let id, let reason):
            try check(.reportMessage, by: caller, in: context, RuleRequest(message: id))
            let reports = context.room.reports
            if reports.contains(id, by: caller.id) { return .nothing }
            guard let message = context.room.messages[id] else { throw .reportedMessageNotFound.naming(id) }
            let author = context.room.owner(ofBidBy: Person(id: message.author, nickname: ""), at: message.seq)
            guard author.id != caller.id else { throw .ownMessage }
            let reported = MessageReported(
                reports: reports.count + 1, id: context.identifiers.next(), message: id, messageSeq: message.seq,
                reporter: caller, reason: reason)
            return Decision(events: [.messageReported(reported)], outcome: .silent)
        default: return .nothing
        }
    }
}

extension Refusal {
    fileprivate static let reportedMessageNotFound = Refusal(
        .notFound, code: messageNotFound.code,
        LocalizedText("There is no such message, or it is too old to be reported.", "没有该消息,或消息过旧无法举报。"))

    /// Refusal of a caller who is not the host, to read the reports.
    /// - Parameter role: The caller's; nil: they are no member.
    package static func reportsOfHost(to role: Role?) -> Refusal {
        Refusal(
            .forbidden, code: "report.not_host",
            LocalizedText("Only the host reads the reports.", "只有房主才能查看举报。"), required: Role.host.rawValue,
            actual: role?.rawValue ?? "none")
    }

    fileprivate static let ownMessage = Refusal(
        .conflict, code: "report.own",
        LocalizedText("You cannot report your own message.", "不能举报自己的消息。"))
}
