public import Permissions

/// Requested changes to an item's rules; a nil field is unchanged.
public struct RulesPatch: Hashable, Sendable {
    /// New starting price.
    public var startingPrice: Money?
    /// New increment; replaces the whole of the old one.
    public var increment: Increment?
    /// `.some(nil)` removes it.
    public var reservePrice: Money??
    /// `.some(nil)` removes it.
    public var buyNowPrice: Money??
    /// `.some(nil)` removes it.
    public var floorPrice: Money??
    /// Within `AuctionRules.listingRange`.
    public var listing: Seconds?
    /// Within `AuctionRules.biddingRange`.
    public var bidding: Seconds?
    /// New effect of a bid on the deadline.
    public var countdown: Countdown?
    /// Within `AuctionRules.extendRange`.
    public var extendWindow: Seconds?
    /// Within `AuctionRules.extendRange`.
    public var extendBy: Seconds?
    /// Within `AuctionRules.maxDurationRange`; `.some(nil)` removes it.
    public var maxDuration: Seconds??
    /// Within `AuctionRules.dutchTickRange`; `.some(nil)` removes it.
    public var dutchTick: Seconds??
    /// New format; the resulting rules must fit it.
    public var format: AuctionFormatName?
    /// New choice among equal sealed bids.
    public var tie: TiePolicy?

    public init() {}

    /// Whether it changes a price that only the item's owner may change: the starting, reserve, buy-now or floor price.
    public var changesPrices: Bool {
        startingPrice != nil || reservePrice != nil || buyNowPrice != nil || floorPrice != nil
    }

    /// The rules with this patch; not validated.
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

/// Rules that contradict each other or their format.
public struct RulesProblem: Error, Hashable, Sendable {
    /// The field to change, such as `reservePrice`.
    public let field: String
    /// The explanation that clients show, in English and Chinese.
    public let text: LocalizedText

    public init(field: String, _ text: LocalizedText) {
        self.field = field
        self.text = text
    }
}
