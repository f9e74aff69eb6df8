/// What is auctioned in a round.
package struct AuctionItem: Hashable, Sendable, Codable {
    /// Identifier of the item, unique across rooms and rounds.
    package let id: ItemID
    /// 1 to `nameLimit` Unicode scalars, shown to clients.
    package let name: String
    package let description: String
    /// At most `mediaLimit` `https` addresses of pictures, sound or video.
    package let media: [String]
    /// The price that the seller expects; nil: none is named.
    package let estimate: Estimate?
    /// The state that the item is in, as one line; nil: nothing is said.
    package let condition: String?
    /// The auctioneer who uploaded it.
    package let owner: Person
    /// Adjustable until the item's round starts.
    package var rules: AuctionRules
    /// The lot whose item it is; nil if it was uploaded for one round.
    package var lot: LotID?

    /// Longest name, in Unicode scalars.
    package static let nameLimit = 200
    /// Longest description, in Unicode scalars.
    package static let descriptionLimit = 5000
    /// Most media addresses of one item.
    package static let mediaLimit = 20
    /// Longest condition, in Unicode scalars.
    package static let conditionLimit = 200
    /// Longest media address, in UTF-8 bytes.
    package static let mediaAddressLimit = 2000

    package init(
        id: ItemID, name: String, description: String, media: [String], estimate: Estimate? = nil, condition: String? = nil,
        owner: Person, rules: AuctionRules, lot: LotID? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.media = media
        self.estimate = estimate
        self.condition = condition
        self.owner = owner
        self.rules = rules
        self.lot = lot
    }
}

/// Between which prices the seller expects the hammer price.
package struct Estimate: Hashable, Sendable, Codable {
    /// At most `high`.
    package let low: Money
    /// The upper bound.
    package let high: Money

    /// Nil if the bounds are in the wrong order.
    package init?(low: Money, high: Money) {
        guard low <= high else { return nil }
        (self.low, self.high) = (low, high)
    }
}
