extension AuctionFormatName {
    public static let vickrey = AuctionFormatName(rawValue: "vickrey")
}

/// Sealed bids; the highest wins and pays the second highest, so that nobody gains by saying less than it is worth to them.
struct VickreyFormat: SealedFormat {
    let name = AuctionFormatName.vickrey

    func price(of winner: Bid, among others: [Bid], _ rules: AuctionRules) -> Money {
        let floor = max(rules.startingPrice, rules.reservePrice ?? rules.startingPrice)
        return others.map(\.amount).reduce(floor, max)
    }

    /// What the item was worth to the winner stays theirs: the price tells what had to be known.
    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool {
        if bidder == user { return true }
        switch outcome {
        case nil: return false
        case .sold(let winner, _): return winner.id != bidder
        case .passed: return true
        }
    }
}
