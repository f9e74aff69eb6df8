internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// Commands that change the state of the auction.
extension Routes {
    static let auction: [Route] = [
        step(.startAuction) { _ in .start },
        step(.endAuction) { _ in .end },
        step(.pause) { _ in .pause },
        step(.resume) { _ in .resume },
        step(.cancel, reason: .required) { _ in .cancel },
        step(.extend, reason: .none) { fields throws(JSONError) in
            .extend(try fields.seconds("seconds", in: AuctionStep.extensionRange))
        },
        step(.warn, reason: .none) { fields throws(JSONError) in
            let level = try fields.int("level")
            guard AuctionStep.warningLevels.contains(level) else { throw fields.invalid("level", "must be 1 or 2", "须为 1 或 2") }
            return .warn(level: level)
        },
        step(.changeAsk, reason: .none, in: readAsk),
    ]

    private static func readAsk(_ fields: inout JSONFields, in currency: Currency) throws(JSONError) -> AuctionStep {
        let increment: Increment? =
            if let value = fields.take("increment"), value != .null {
                try Increment(try JSONFields(value, path: fields.fullName("increment")), currency: currency)
            } else { nil }
        switch (increment, try fields.optionalMoney("nextMinimum", in: currency)) {
        case (let increment?, nil): return .ask(.increment(increment))
        case (nil, let minimum?): return .ask(.nextMinimum(minimum))
        default:
            throw fields.invalid(
                "increment", "or \"nextMinimum\" is required, and not both", "与 nextMinimum 须且只能有一个")
        }
    }

    private enum Reason: Sendable { case none, optional, required }

    /// - Parameter decode: reads what the step has beside what all have.
    private static func step(
        _ operation: Operation, reason wanted: Reason = .optional,
        _ decode: @escaping @Sendable (inout JSONFields) throws(JSONError) -> AuctionStep
    ) -> Route {
        step(operation, reason: wanted, in: { fields, _ throws(JSONError) in try decode(&fields) })
    }

    /// - Parameter decode: as above, with amounts in the room's currency.
    private static func step(
        _ operation: Operation, reason wanted: Reason,
        in decode: @escaping @Sendable (inout JSONFields, Currency) throws(JSONError) -> AuctionStep
    ) -> Route {
        Route(
            operation,
            .command { context, room, fields throws(Problem) in
                let currency = room.state.currency
                let limit = AuctionTransition.reasonLimit
                let reason: String? =
                    switch wanted {
                    case .none: nil
                    case .optional: try fields.optionalText("reason", 0...limit)
                    case .required: try fields.wordedText("reason", limit)
                    }
                let states = context.rulebook.states
                return try fields.taking { fields throws(JSONError) in
                    let state = try fields.optionalKeyword("expectedState").map(RoomState.init(rawValue:))
                    if let state, states[state] == nil {
                        let known = states.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
                        throw fields.invalid("expectedState", "must be one of \(known)", "须为 \(known) 之一")
                    }
                    let round = try fields.optionalInt("expectedRound")
                    let item = try fields.optionalItem("expectedItem")
                    return .auction(
                        try decode(&fields, currency),
                        AuctionTransition(reason: reason, expectedState: state, expectedRound: round, expectedItem: item))
                }
            })
    }
}

extension JSONFields {
    /// The item that the caller saw; nil if absent or null.
    mutating func optionalItem(_ name: String) throws(JSONError) -> ItemID? {
        guard let text = try optionalString(name) else { return nil }
        guard let item = ItemID(text) else { throw invalid(name, "must be an item's id", "须为物品编号") }
        return item
    }
}
