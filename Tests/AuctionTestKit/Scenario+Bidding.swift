internal import AuctionDomain

extension Scenario {
    /// The host starts the listing, and starts the bidding before the listing's deadline.
    package mutating func openBidding() throws {
        for _ in 0..<2 { try perform(.startAuction(AuctionTransition()), by: host) }
    }
}
