internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// Commands that change the state of the auction.
extension Routes {
    static let auction: [Route] = [
        transition(.startAuction) { .startAuction($0) },
        transition(.endAuction) { .endAuction($0) },
        transition(.pause) { .pause($0) },
        transition(.resume) { .resume($0) },
        transition(.cancel, needsReason: true) { .cancel($0) },
    ]

    private static func transition(
        _ operation: Operation, needsReason: Bool = false,
        _ command: @escaping @Sendable (AuctionTransition) -> Command
    ) -> Route {
        Route(
            operation,
            .command { context, _, fields throws(Problem) in
                let reason =
                    needsReason
                    ? try fields.wordedText("reason", AuctionTransition.reasonLimit)
                    : try fields.optionalText("reason", 0...AuctionTransition.reasonLimit)
                let states = context.rulebook.states
                return try fields.taking { fields throws(JSONError) in
                    let state = try fields.optionalKeyword("expectedState").map(RoomState.init(rawValue:))
                    if let state, states[state] == nil {
                        let known = states.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
                        throw fields.invalid("expectedState", "must be one of \(known)")
                    }
                    let round = try fields.optionalInt("expectedRound")
                    let item = try fields.optionalItem("expectedItem")
                    return command(
                        AuctionTransition(reason: reason, expectedState: state, expectedRound: round, expectedItem: item))
                }
            })
    }
}

extension JSONFields {
    /// The item that the caller saw; nil if absent or null.
    mutating func optionalItem(_ name: String) throws(JSONError) -> ItemID? {
        guard let text = try optionalString(name) else { return nil }
        guard let item = ItemID(text) else { throw invalid(name, "must be an item's id") }
        return item
    }
}
