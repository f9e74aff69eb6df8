internal import AuctionDomain

extension Scenario {
    /// The host starts, and starts again before the listing countdown ends.
    public mutating func openBidding() throws {
        for _ in 0..<2 { try perform(.startAuction(Advance()), by: host) }
    }
}
