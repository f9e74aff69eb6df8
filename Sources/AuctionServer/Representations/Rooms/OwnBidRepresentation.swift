internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

/// The JSON of bids that were left on lots, as their own bidder sees them.
struct OwnBidRepresentation {
    let room: Room
    let rulebook: RoomRulebook
    /// The user who reads: only their bids are written.
    let caller: UserID
    /// The time of the request, for rules that depend on it.
    let now: Timestamp

    /// Writes the members of the caller's bid on a lot, beside those that say which lot it is.
    func write(_ bid: AbsenteeBid, on lot: LotID, to json: inout JSONWriter) {
        let standing = room.absenteeStanding(of: caller, on: lot)
        json.member("bidId", bid.id)
        json.member("maximum", bid.maximum, in: room.currency)
        json.member("placedAt", bid.at)
        json.member("state", Self.name(standing))
        json.member("cause", Self.cause(standing)?.rawValue)
        json.member("problem", standing == .standing ? problem(of: bid, on: lot) : nil)
    }

    /// The code of the rule that would refuse the bid as the lot is now.
    private func problem(of bid: AbsenteeBid, on lot: LotID) -> String? {
        let request = RuleRequest(bid: PlaceBid(amount: nil, maximum: bid.maximum), lot: lot)
        let question = RuleContext(room: room, rulebook: rulebook, caller: caller, at: now, request)
        let rule = rulebook.denial(of: .placeAbsenteeBid, in: question)?.rule
        // A lot that is about to open takes no further ones; this one acts.
        return rule == "absentee.not_queued" ? nil : rule
    }

    private static func name(_ standing: AbsenteeStanding?) -> String {
        switch standing {
        case .standing, nil: "standing"
        case .void: "void"
        case .leading: "leading"
        case .outbid: "outbid"
        case .sealed: "sealed"
        case .won: "won"
        case .lost: "lost"
        case .passed: "passed"
        case .unused: "unused"
        }
    }

    private static func cause(_ standing: AbsenteeStanding?) -> AbsenteeBid.VoidCause? {
        guard case .void(let cause) = standing else { return nil }
        return cause
    }
}
