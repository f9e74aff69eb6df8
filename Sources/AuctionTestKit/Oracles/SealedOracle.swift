/// Sealed bids, written from the product specification alone: everything anybody said, in order.
public struct SealedOracle: Sendable {
    public let start: Int64
    public let reserve: Int64?
    public let isVickrey: Bool
    public var said: [(who: Int, amount: Int64)] = []

    public init(start: Int64, reserve: Int64?, isVickrey: Bool) {
        self.start = start
        self.reserve = reserve
        self.isVickrey = isVickrey
    }

    public func last(of who: Int) -> Int64? { said.last { $0.who == who }?.amount }

    public mutating func bid(_ who: Int, _ amount: Int64) -> Bool {
        guard amount >= start, amount > last(of: who) ?? 0 else { return false }
        said.append((who, amount))
        return true
    }

    /// - Parameter lot: which of so many tied bidders, in the order of their ids, wins; nil: the earliest.
    public func result(lot: ((Int) -> Int)?) -> (winner: Int?, price: Int64) {
        let standing = said.enumerated().compactMap { index, bid in
            said[(index + 1)...].contains { $0.who == bid.who } ? nil : bid
        }
        guard let top = standing.map(\.amount).max() else { return (nil, 0) }
        if top < reserve ?? 0 { return (nil, top) }
        let tied = standing.filter { $0.amount == top }.map(\.who)
        let winner = lot.map { tied.sorted()[$0(tied.count)] } ?? tied[0]
        guard isVickrey else { return (winner, top) }
        let others = standing.filter { $0.who != winner }.map(\.amount)
        return (winner, (others + [start]).reduce(reserve ?? 0, max))
    }
}
