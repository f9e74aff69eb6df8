public import Permissions

/// What somebody wants changed about an item's rules; what is nil stays as it is.
public struct RulesPatch: Hashable, Sendable {
    public var startingPrice: Money?
    public var increment: Increment?
    /// `.some(nil)` removes it.
    public var reservePrice: Money??
    public var buyNowPrice: Money??
    public var floorPrice: Money??
    public var listing: Seconds?
    public var bidding: Seconds?
    public var countdown: Countdown?
    public var extendWindow: Seconds?
    public var extendBy: Seconds?
    public var maxDuration: Seconds??
    public var dutchTick: Seconds??
    public var format: AuctionFormatName?
    public var tie: TiePolicy?

    public init() {}

    /// Whether it touches what only the item's owner may: the starting, reserve, buy-now and floor price.
    public var changesPrices: Bool {
        startingPrice != nil || reservePrice != nil || buyNowPrice != nil || floorPrice != nil
    }

    public func applied(to rules: AuctionRules) -> AuctionRules {
        AuctionRules(
            startingPrice: startingPrice ?? rules.startingPrice, increment: increment ?? rules.increment,
            reservePrice: reservePrice ?? rules.reservePrice, buyNowPrice: buyNowPrice ?? rules.buyNowPrice,
            floorPrice: floorPrice ?? rules.floorPrice, listing: listing ?? rules.listing,
            bidding: bidding ?? rules.bidding, countdown: countdown ?? rules.countdown,
            extendWindow: extendWindow ?? rules.extendWindow, extendBy: extendBy ?? rules.extendBy,
            maxDuration: maxDuration ?? rules.maxDuration, dutchTick: dutchTick ?? rules.dutchTick,
            format: format ?? rules.format, tie: tie ?? rules.tie)
    }
}

/// Rules that do not fit together, or not their format.
public struct RulesProblem: Error, Hashable, Sendable {
    /// The field to change, such as `reservePrice`.
    public let field: String
    public let text: LocalizedText

    public init(field: String, _ text: LocalizedText) {
        self.field = field
        self.text = text
    }
}
