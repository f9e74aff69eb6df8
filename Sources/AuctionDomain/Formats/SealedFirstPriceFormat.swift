extension AuctionFormatName {
    /// `SealedFirstPriceFormat`.
    package static let sealedFirstPrice = AuctionFormatName(rawValue: "sealedFirstPrice")
}

/// Sealed bids; the highest wins and pays its own amount.
struct SealedFirstPriceFormat: SealedFormat {
    let name = AuctionFormatName.sealedFirstPrice

    func price(of winner: Bid, among others: [Bid], _ rules: AuctionRules) -> Money { winner.amount }
}
