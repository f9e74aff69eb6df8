internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// How a room's lots are sold.
extension Routes {
    static let sale: [Route] = [
        Route(.readSale, .room(readSale)),
        Route(.configureSale, .command(configureSale)),
        Route(.clearSale, .bodiless(.sale(.configure(.manual)))),
        Route(.startSale, .command { _, _, _ in .sale(.start) }),
        Route(.stopSale, .command { _, _, _ in .sale(.stop) }),
    ]

    private static func readSale(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        _ = try context.query()
        return .now(.json(reserving: 300) { LotRepresentation.writeSale(of: visible.state, to: &$0) })
    }

    private static func configureSale(
        _ context: RequestContext, _ room: VisibleRoom, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        try fields.taking { fields throws(JSONError) in
            .sale(
                .configure(
                    Sale(
                        mode: try fields.word("mode"),
                        pause: try fields.optionalSeconds("pauseSeconds", in: Sale.pauseRange) ?? Sale.defaultPause,
                        startsAt: try fields.startsAt(),
                        premium: try fields.removable("premium") { fields, name throws(JSONError) in
                            var members = try fields.object(name)
                            return try Premium(&members)
                        }.flatMap { $0 },
                        isAttended: try fields.optionalBool("attended") ?? false)))
        }
    }
}

extension JSONFields {
    fileprivate mutating func startsAt() throws(JSONError) -> Timestamp? {
        guard let text = try optionalString("startsAt") else { return nil }
        guard let instant = Timestamp(request: text) else {
            throw invalid(
                "startsAt", "must be a time such as 2026-11-21T20:00:00Z or 2026-11-21T20:00:00+08:00",
                "须为时间,例如 2026-11-21T20:00:00Z 或 2026-11-21T20:00:00+08:00")
        }
        return instant
    }
}
