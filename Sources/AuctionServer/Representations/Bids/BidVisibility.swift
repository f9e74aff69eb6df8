internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// Decides which amounts of a round's bids one caller may see: sealed amounts and maxima are visible to their bidder only.
struct BidVisibility {
    private let caller: UserID?
    private let currency: Currency
    private let premium: Premium?
    /// Nil without an item.
    private let format: (any AuctionFormat)?
    /// How the round ended; nil while it runs.
    private let outcome: RoundResult.Outcome?
    /// The leading bid and its current maximum, which may differ from the maximum the bid was placed with.
    private let leader: (bid: BidID, maximum: Money)?
    /// The running room, if the caller is its host, who sees the paddles of floor bids.
    private let hosted: Room?

    /// Visibility of bids of the current round.
    init(of room: Room, _ rulebook: RoomRulebook, caller: UserID?) {
        self.caller = caller
        currency = room.currency
        premium = room.premium
        format = rulebook.format(of: room)
        outcome = room.currentResult?.outcome
        leader = room.currentBid.flatMap { bid in room.leaderMaximum.map { (bid.id, $0) } }
        hosted = caller == room.host.id ? room : nil
    }

    /// Visibility of bids of a finished round.
    init(of result: RoundResult, in room: Room, _ rulebook: RoomRulebook, caller: UserID?) {
        self.caller = caller
        currency = room.currency
        premium = result.premium
        format = rulebook.formats[result.item.format]
        outcome = result.outcome
        leader = nil
        hosted = nil
    }

    /// - Returns: Where the members are that the room's current bid has too; nil if the amount is hidden.
    @discardableResult
    func write(_ bid: Bid, to json: inout JSONWriter) -> WrittenBid? {
        var written = WrittenBid(bid: bid)
        let amount = showsAmount(of: bid) ? bid.amount : nil
        json.object { json in
            written.idAndAmount = json.marking { json in
                json.member("id", bid.id)
                json.member("amount", amount, in: currency)
            }
            if let premium { json.member("total", amount.map { premium.total(of: $0) }, in: currency) }
            if let maximum = maximum(of: bid) { json.member("maximum", maximum, in: currency) }
            written.bidder = json.marking { $0.member("bidder", bid.bidder) }
            json.member("leading", bid.leading)
            json.member("automatic", bid.automatic)
            if bid.origin == .absentee { json.member("absentee", true) }
            if bid.origin == .floor { writeFloor(of: bid, to: &json) }
            written.at = json.marking { $0.member("at", bid.at) }
            json.member("seq", bid.seq)
        }
        return amount == nil ? nil : written
    }

    private func writeFloor(of bid: Bid, to json: inout JSONWriter) {
        json.member("floor", true)
        if let paddle = hosted?.paddle(of: bid) { json.member("paddle", paddle) }
    }

    private func showsAmount(of bid: Bid) -> Bool {
        format?.showsAmount(of: bid.bidder.id, after: outcome, to: caller) ?? true
    }

    /// The maximum to show; nil for a bid without one, and for all callers but the bidder.
    private func maximum(of bid: Bid) -> Money? {
        guard bid.bidder.id == caller else { return nil }
        return bid.shownMaximum(leader?.bid == bid.id ? leader?.maximum : nil)
    }
}

/// A bid with the places of its members in the document that it was written to.
struct WrittenBid {
    let bid: Bid
    fileprivate(set) var (idAndAmount, bidder, at) = (0..<0, 0..<0, 0..<0)

    fileprivate init(bid: Bid) { self.bid = bid }

    /// Repeats the members that a current bid has.
    func writeAgain(to json: inout JSONWriter) {
        json.members(at: idAndAmount)
        json.members(at: bidder)
        json.members(at: at)
    }
}
