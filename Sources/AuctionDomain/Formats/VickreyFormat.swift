extension AuctionFormatName {
    /// `VickreyFormat`.
    package static let vickrey = AuctionFormatName(rawValue: "vickrey")
}

/// Sealed bids; the highest wins and pays the second highest, so bidders gain nothing by bidding less than their valuation.
struct VickreyFormat: SealedFormat {
    let name = AuctionFormatName.vickrey
    let paysSecondPrice = true

    func price(of winner: Bid, among others: [Bid], _ rules: AuctionRules) -> Money {
        let floor = max(rules.startingPrice, rules.reservePrice ?? rules.startingPrice)
        return others.map(\.amount).reduce(floor, max)
    }

    /// The winner's amount stays visible only to the winner: the price is all that other users need.
    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool {
        if bidder == user { return true }
        switch outcome {
        case nil: return false
        case .sold(let winner, _): return winner.id != bidder
        case .passed: return true
        }
    }
}
