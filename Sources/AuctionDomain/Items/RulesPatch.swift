package import Permissions

/// Requested changes to an item's rules; a nil field is unchanged.
package struct RulesPatch: Hashable, Sendable {
    /// New starting price.
    package var startingPrice: Money?
    /// New increment; replaces the whole of the old one.
    package var increment: Increment?
    /// `.some(nil)` removes it.
    package var reservePrice: Money??
    /// `.some(nil)` removes it.
    package var buyNowPrice: Money??
    /// `.some(nil)` removes it.
    package var floorPrice: Money??
    /// Within `AuctionRules.listingRange`.
    package var listing: Seconds?
    /// Within `AuctionRules.biddingRange`.
    package var bidding: Seconds?
    /// New effect of a bid on the deadline.
    package var countdown: Countdown?
    /// Within `AuctionRules.extendRange`.
    package var extendWindow: Seconds?
    /// Within `AuctionRules.extendRange`.
    package var extendBy: Seconds?
    /// Within `AuctionRules.maxDurationRange`; `.some(nil)` removes it.
    package var maxDuration: Seconds??
    /// Within `AuctionRules.dutchTickRange`; `.some(nil)` removes it.
    package var dutchTick: Seconds??
    /// New format; the resulting rules must fit it.
    package var format: AuctionFormatName?
    /// New choice among equal sealed bids.
    package var tie: TiePolicy?

    package init() {}

    /// Whether it changes a price that only the item's owner may change: the starting, reserve, buy-now or floor price.
    package var changesPrices: Bool {
        startingPrice != nil || reservePrice != nil || buyNowPrice != nil || floorPrice != nil
    }

    /// The rules with this patch; not validated.
    package func applied(to rules: AuctionRules) -> AuctionRules {
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
package struct RulesProblem: Error, Hashable, Sendable {
    /// The field to change, such as `reservePrice`.
    package let field: String
    /// The explanation that clients show, in English and Chinese.
    package let text: LocalizedText

    package init(field: String, _ text: LocalizedText) {
        self.field = field
        self.text = text
    }
}
