internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Chat messages of members.
extension Routes {
    static let messages: [Route] = [
        Route(
            .sendMessage,
            .command { _, _, fields throws(Problem) in .sendMessage(try fields.wordedText("text", Message.textLimit)) }),
        Route(.removeMessage, .bodiless(on: message) { _, message in .removeMessage(message) }),
        Route(
            .reportMessage,
            .command(on: message) { _, _, message, fields throws(Problem) in
                .reportMessage(message, reason: try fields.optionalText("reason", 1...RoomReports.reasonLimit))
            }),
        Route(.listReports, .callerInRoom(listReports)),
    ]

    private static let message = PathParameter(parse: MessageID.init, problem: Problem(.messageNotFound))

    private static func listReports(
        _ context: RequestContext, by caller: Caller, in visible: VisibleRoom
    ) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...50, default: 20)
        let cursor = try items.int("cursor", in: 1...Int.max)
        let room = visible.state
        // Reading is no action of the rules: it is the host's, whatever they have switched off.
        guard caller.service != nil || room.member(caller.id)?.role == .host else {
            let refusal = Refusal.reportsOfHost(to: room.member(caller.id)?.role)
            let allowed = context.rulebook.allowedActions(of: caller.id, in: room, at: context.now.wall)
            throw Problem(refusal, allowed: allowed)
        }
        return context.offload(visible) { log throws(EventLogError) in
            try ReportPage(of: room, before: cursor, limit: limit, in: log).response
        }
    }
}
