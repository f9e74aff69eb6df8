import Permissions

// Decides about absentee bids. No refusal depends on another user's absentee bid.
extension RoomManager {
    func decideAbsentee(
        _ command: AbsenteeCommand, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch command {
        case .place(let lot, let maximum): return try place(on: lot, upTo: maximum, by: caller, in: &context)
        case .withdraw(let lot): return try withdraw(from: lot, by: caller, in: context)
        }
    }

    private func place(
        on lot: LotID, upTo maximum: Money, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let room = context.room
        guard room.lots[lot] != nil else { throw .lotNotFound.naming(lot) }
        let request = RuleRequest(bid: PlaceBid(amount: nil, maximum: maximum), lot: lot)
        try check(.placeAbsenteeBid, by: caller, in: context, request)
        let (own, stands) = (room.absenteeBid(of: caller.id, on: lot), room.absenteeStands(of: caller.id, on: lot))
        // The same maximum keeps its place in the order.
        if stands, own?.maximum == maximum { return Decision(events: [], outcome: .absenteeBid(lot, isNew: false)) }
        let changed = LotBidsChanged(
            lot: lot, absenteeBids: room.absenteeCount(on: lot) + (own == nil ? 1 : 0), bidder: caller,
            bid: context.identifiers.next(), maximum: maximum)
        return Decision(events: [.lotBidsChanged(changed)], outcome: .absenteeBid(lot, isNew: !stands))
    }

    private func withdraw(from lot: LotID, by caller: Person, in context: DecisionContext) throws(Refusal) -> Decision {
        let room = context.room
        guard room.lots[lot] != nil else { throw .lotNotFound.naming(lot) }
        guard room.absenteeBid(of: caller.id, on: lot) != nil else { throw .absenteeBidNotFound }
        try check(.withdrawAbsenteeBid, by: caller, in: context, RuleRequest(lot: lot))
        let changed = LotBidsChanged(
            lot: lot, absenteeBids: room.absenteeCount(on: lot) - 1, bidder: caller, bid: nil, maximum: nil)
        return Decision(events: [.lotBidsChanged(changed)], outcome: .silent)
    }
}

extension Refusal {
    /// Refusal of a user who has no absentee bid on the lot.
    package static let absenteeBidNotFound = Refusal(
        .notFound, code: "absentee.not_found",
        LocalizedText("You have left no bid on this lot.", "您没有对该拍品预先出价。"))
}
