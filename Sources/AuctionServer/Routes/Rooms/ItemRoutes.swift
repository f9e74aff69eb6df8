internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let items: [Route] = [
        Route(.uploadItem, .command(uploadItem)),
        Route(.adjustRules, .command(on: item, adjustRules)),
    ]

    private static let item = PathParameter(parse: ItemID.init, problem: Problem(.itemNotFound))

    private static func uploadItem(
        _ context: RequestContext, _ room: VisibleRoom, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        .uploadItem(try fields.item(context.rulebook.formats, room.state.currency))
    }

    private static func adjustRules(
        _ context: RequestContext, _ room: VisibleRoom, _ item: ItemID, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        guard let patch = try fields.rulesPatch(context.rulebook.formats, room.state.currency) else {
            throw Problem(JSONError(.missingField, field: "rules", "\"rules\" is required."))
        }
        return .adjustRules(item, patch)
    }
}
