/// By how much a bid must exceed the current price.
package enum Increment: Hashable, Sendable, Codable {
    /// The same step at every price, more than zero.
    case fixed(Money)
    /// Hundredths of a percent of the price, rounded up to the minor unit; at least one minor unit.
    case percent(basisPoints: Int)
    /// The step of the last tier that begins at or below the price; the first begins at zero.
    case tiers([Tier])
    /// The host has asked for `minimum` as the next bid at the price `at`, zero while there is no bid; at any other price `then` counts. Only
    /// of a round that runs: rules that are written have `base`.
    indirect case asked(minimum: Money, at: Money, then: Increment)

    /// A step that applies from a price upwards, up to the next tier.
    package struct Tier: Hashable, Sendable, Codable {
        /// Lowest price of the tier; zero in the first, rising from tier to tier.
        package let from: Money
        /// More than zero.
        package let step: Money

        package init(from: Money, step: Money) {
            self.from = from
            self.step = step
        }
    }

    /// Allowed basis points: 0.01 % … 1000 %.
    package static let basisPointsRange = 1...100_000
    /// Most tiers of an increment; the least is 1.
    package static let tierLimit = 50

    /// What the rules of the item say, without what the host has asked for.
    package var base: Increment {
        if case .asked(_, _, let then) = self { then } else { self }
    }

    /// What the host has asked for as the first bid; nil: nothing.
    var openingAsk: Money? {
        if case .asked(let minimum, Money(minorUnits: 0), _) = self { minimum } else { nil }
    }

    /// The step above a price: at least one minor unit, at most `Money.maximum` for a percentage.
    package func step(above price: Money) -> Money {
        switch self {
        case .asked(let minimum, let asked, let then):
            return price == asked ? Money(minorUnits: minimum.minorUnits - asked.minorUnits) : then.step(above: price)
        case .fixed(let step): return step
        case .percent(let basisPoints):
            // At most 2^53 times 10^5: far inside 128 bits.
            let product = Int128(price.minorUnits) * Int128(basisPoints)
            return Money(minorUnits: max(1, min(Int64((product + 9999) / 10000), Money.maximum.minorUnits)))
        case .tiers(let tiers):
            return (tiers.last { $0.from <= price } ?? tiers.first)?.step ?? Money(minorUnits: 1)
        }
    }
}
