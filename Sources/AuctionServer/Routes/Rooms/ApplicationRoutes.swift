internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Applications of bidders, which the host decides.
extension Routes {
    static let applications: [Route] = [
        Route(.listApplications, .callerInRoom(listApplications)),
        Route(
            .approveApplication,
            .command(on: applicant) { _, room, user, fields throws(Problem) in
                let currency = room.state.currency
                return try fields.taking { fields throws(JSONError) in
                    .application(.approve(user, creditLimit: try fields.optionalMoney("creditLimit", in: currency)))
                }
            }),
        Route(
            .declineApplication,
            .command(on: applicant) { _, _, user, fields throws(Problem) in
                let reason = try fields.optionalText("reason", 1...BidderApplication.reasonLimit)
                return .application(.decline(user, reason: reason))
            }),
    ]

    private static let applicant = PathParameter(parse: UserID.init, problem: Problem(.applicationNotFound))

    private static func listApplications(
        _ context: RequestContext, by caller: Caller, in visible: VisibleRoom
    ) throws(Problem) -> Reply {
        let items = try context.query("state", "limit", "cursor")
        let isDeclined =
            try items.value("state", LocalizedText("must be open or declined.", "须为 open 或 declined。")) {
                ["open": false, "declined": true][$0]
            } ?? false
        let limit = try items.int("limit", in: 1...100, default: 50)
        let cursor = try items.int("cursor", in: 1...Int.max)
        try check(.decideApplication, visible, context)
        let room = visible.state
        let rest = room.applications.list(isDeclined: isDeclined).drop { $0.seq <= cursor ?? 0 }
        let response = Response.object(reserving: 256 * min(rest.count, limit) + 64) { json in
            json.member("applications", each: rest.prefix(limit)) { ApplicationRepresentation.write($0, in: room, to: &$1) }
            json.member("nextCursor", rest.count > limit ? rest.prefix(limit).last.map { String($0.seq) } : nil)
        }
        return .now(response)
    }
}
