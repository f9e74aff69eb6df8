/// A naive sealed-bid auction, written from the product specification alone: keeps every bid in order. Amounts in minor units.
package struct SealedOracle: Sendable {
    /// Starting price.
    package let start: Int64
    /// Reserve price; nil for none.
    package let reserve: Int64?
    /// Whether the winner pays the second price instead of their own bid.
    package let isVickrey: Bool
    /// Accepted bids in order; a bidder's last one counts.
    package var entries: [(who: Int, amount: Int64)] = []

    package init(start: Int64, reserve: Int64?, isVickrey: Bool) {
        self.start = start
        self.reserve = reserve
        self.isVickrey = isVickrey
    }

    /// The bidder's last bid; nil if there is none.
    package func last(of who: Int) -> Int64? { entries.last { $0.who == who }?.amount }

    /// Places a bid; false if it is refused.
    package mutating func bid(_ who: Int, _ amount: Int64) -> Bool {
        guard amount >= start, amount > last(of: who) ?? 0 else { return false }
        entries.append((who, amount))
        return true
    }

    /// The winner, nil if the item passes, and the price.
    /// - Parameter draw: Maps the number of tied bidders to the index of the winner in the order of their ids; nil: the earliest wins.
    package func result(draw: ((Int) -> Int)?) -> (winner: Int?, price: Int64) {
        let standing = entries.enumerated().compactMap { index, bid in
            entries[(index + 1)...].contains { $0.who == bid.who } ? nil : bid
        }
        guard let top = standing.map(\.amount).max() else { return (nil, 0) }
        if top < reserve ?? 0 { return (nil, top) }
        let tied = standing.filter { $0.amount == top }.map(\.who)
        let winner = draw.map { tied.sorted()[$0(tied.count)] } ?? tied[0]
        guard isVickrey else { return (winner, top) }
        let others = standing.filter { $0.who != winner }.map(\.amount)
        return (winner, (others + [start]).reduce(reserve ?? 0, max))
    }
}
