internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Bids that are left on lots before their turn.
extension Routes {
    static let absenteeBids: [Route] = [
        Route(
            .placeAbsenteeBid,
            .command(on: lotWithBid) { _, room, lot, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in
                    .absentee(.place(lot, maximum: try fields.money("maximum", in: room.state.currency)))
                }
            }),
        Route(.readAbsenteeBid, .callerInRoom(readAbsenteeBid)),
        Route(.withdrawAbsenteeBid, .bodiless(on: lotWithBid) { _, lot in .absentee(.withdraw(lot)) }),
    ]

    private static let lotWithBid = PathParameter(parse: LotID.init, problem: Problem(.lotNotFound))

    private static func readAbsenteeBid(
        _ context: RequestContext, by caller: Caller, in visible: VisibleRoom
    ) throws(Problem) -> Reply {
        try context.endQuery()
        let room = visible.state
        guard let lot = LotID(context.parameters[1]), room.lots[lot] != nil else { throw Problem(.lotNotFound) }
        guard let bid = room.absenteeBid(of: caller.id, on: lot) else { throw Problem(.absenteeBidNotFound) }
        let own = OwnBidRepresentation(room: room, rulebook: context.rulebook, caller: caller.id, now: context.now.wall)
        return .now(
            .object(reserving: 300) { json in
                json.member("lotId", lot)
                own.write(bid, on: lot, to: &json)
            })
    }
}

extension VisibleRoom {
    /// What the caller may see of their own bids; nil without a caller.
    func ownBids(_ context: RequestContext) -> OwnBidRepresentation? {
        viewer.map { OwnBidRepresentation(room: state, rulebook: context.rulebook, caller: $0.id, now: context.now.wall) }
    }
}

extension Room {
    /// The lots on which a user has left a bid, from a place on, in the order of their turns.
    func lotsWithBid(of user: UserID?, from place: UInt64) -> [Lot] {
        guard let user else { return [] }
        return lotsWithAbsenteeBid(of: user).compactMap { lots[$0] }.filter { $0.place >= place }.sorted { $0.place < $1.place }
    }
}
