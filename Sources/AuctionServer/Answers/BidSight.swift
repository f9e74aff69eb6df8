internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// What one caller sees of the bids of one round: amounts that are sealed, and maxima, are for their bidder only.
struct BidSight {
    private let caller: UserID?
    private let currency: Currency
    /// Nil without an item.
    private let format: (any AuctionFormat)?
    /// How the round ended; nil while it runs.
    private let outcome: RoundResult.Outcome?
    /// The leading bid and up to where the server bids for it now, more or less than the bid itself said first.
    private let leader: (bid: BidID, maximum: Money)?

    /// The current round.
    init(of room: Room, _ rulebook: RoomRulebook, caller: UserID?) {
        self.caller = caller
        currency = room.currency
        format = rulebook.format(of: room)
        outcome = room.results.last.flatMap { $0.round == room.round ? $0.outcome : nil }
        leader = room.currentBid.flatMap { bid in room.leaderMaximum.map { (bid.id, $0) } }
    }

    /// A finished round.
    init(of result: RoundResult, in room: Room, _ rulebook: RoomRulebook, caller: UserID?) {
        self.caller = caller
        currency = room.currency
        format = rulebook.formats[result.item.format]
        outcome = result.outcome
        leader = nil
    }

    func write(_ bid: Bid, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", bid.id)
            json.member("amount", showsAmount(of: bid) ? bid.amount : nil, in: currency)
            if let maximum = maximum(of: bid) { json.member("maximum", maximum, in: currency) }
            json.member("bidder", bid.bidder)
            json.member("leading", bid.leading)
            json.member("automatic", bid.automatic)
            json.member("at", bid.at)
            json.member("seq", bid.seq)
        }
    }

    private func showsAmount(of bid: Bid) -> Bool {
        format?.showsAmount(of: bid.bidder.id, after: outcome, to: caller) ?? true
    }

    /// Nil for a plain bid, and for everybody but the bidder.
    private func maximum(of bid: Bid) -> Money? {
        guard bid.bidder.id == caller else { return nil }
        guard let leader, leader.bid == bid.id else { return bid.maximum }
        return bid.maximum != nil || leader.maximum > bid.amount ? leader.maximum : nil
    }
}
