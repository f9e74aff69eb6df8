/// The English auction, written from the product specification alone and naive on purpose: it keeps who said what, and works
/// price and leader out of everything said whenever it is asked, without knowing what they were before.
public struct EnglishOracle: Sendable {
    public struct Statement: Sendable {
        public let who: Int
        /// Nil: a maximum raised, not a bid.
        public let amount: Int64?
        public internal(set) var maximum: Int64

        public init(who: Int, amount: Int64?, maximum: Int64) {
            self.who = who
            self.amount = amount
            self.maximum = maximum
        }
    }

    public struct Standing: Equatable, Sendable {
        public let leader: Int
        public let price: Int64
    }

    public enum Answer: Equatable, Sendable {
        case accepted
        case refused(String)
    }

    public let start: Int64
    /// From which price on which step; the first from zero.
    public let steps: [(from: Int64, step: Int64)]
    /// In percent of the price, rounded up; nil: `steps`.
    public let percent: Int64?
    public let reserve: Int64?
    public let buyNow: Int64?
    public var said: [Statement] = []
    public var sold: Standing?

    public init(
        start: Int64, steps: [(from: Int64, step: Int64)], percent: Int64?, reserve: Int64?, buyNow: Int64?
    ) {
        self.start = start
        self.steps = steps
        self.percent = percent
        self.reserve = reserve
        self.buyNow = buyNow
    }

    private func increment(_ price: Int64) -> Int64 {
        if let percent { return max(1, (price * percent + 99) / 100) }
        return steps.last { $0.from <= price }?.step ?? 0
    }
    private func held(_ amount: Int64) -> Int64 { min(amount, buyNow ?? .max) }

    /// Up to where somebody goes, and since when.
    private func top(of who: Int) -> (who: Int, amount: Int64, since: Int)? {
        let mine = said.enumerated().filter { $0.element.who == who }.map { (held($0.element.maximum), $0.offset) }
        guard let most = mine.map(\.0).max(), let since = mine.first(where: { $0.0 == most })?.1 else { return nil }
        return (who, most, since)
    }

    public var standing: Standing? {
        let tops = Set(said.map(\.who)).compactMap(top)
        let best = tops.max { $0.amount == $1.amount ? $0.since > $1.since : $0.amount < $1.amount }
        guard let best, let bid = said.lastIndex(where: { $0.who == best.who && $0.amount != nil }) else { return nil }
        var price = said[bid].amount.map(held) ?? 0
        for (index, other) in said.enumerated() where other.who != best.who {
            // A maximum raised after a contest does not reopen it: raising moves no price.
            let then = said[...max(bid, index)].filter { $0.who == best.who }.map { held($0.maximum) }.max() ?? 0
            price = max(price, min(then, held(held(other.maximum) + increment(held(other.maximum)))))
        }
        if let reserve, reserve != buyNow, best.amount >= reserve { price = max(price, reserve) }
        return Standing(leader: best.who, price: price)
    }

    public var minimum: Int64 { standing.map { held($0.price + increment($0.price)) } ?? start }

    public var reserveMet: Bool? { reserve.map { standing?.price ?? 0 >= $0 } }

    public mutating func bid(_ who: Int, _ amount: Int64?, _ maximum: Int64?) -> Answer {
        if let now = standing, now.leader == who {
            let isBuying = amount.map { $0 >= buyNow ?? .max } ?? false
            if !isBuying {
                let top = said.filter { $0.who == who }.map(\.maximum).max() ?? 0
                guard let maximum, maximum > top else { return .refused("bid.already_leading") }
                if let amount, amount > maximum { return .refused("request.malformed") }
                said.append(Statement(who: who, amount: nil, maximum: maximum))
                return .accepted
            }
        } else if amount ?? maximum ?? 0 < minimum {
            return .refused("bid.below_minimum")
        }
        if let amount, let maximum, maximum < amount { return .refused("request.malformed") }
        said.append(Statement(who: who, amount: amount ?? minimum, maximum: maximum ?? amount ?? 0))
        if let buyNow, let now = standing, now.price >= buyNow { sold = now }
        return .accepted
    }

    /// The latest bid goes, and what its bidder said on top of it. Where it beat the maximum of the bidder who leads then,
    /// or the price had come up to that, the log shows the maximum: what they said counts up to the price and no further.
    /// - Returns: whether that took something from their maximum.
    @discardableResult
    public mutating func retract() -> Bool {
        guard let before = standing, let last = said.lastIndex(where: { $0.amount != nil }) else { return false }
        let who = said[last].who
        said.remove(at: last)
        while let raise = said[last...].firstIndex(where: { $0.who == who }) { said.remove(at: raise) }
        guard let now = standing, let most = top(of: now.leader)?.amount else { return false }
        guard before.leader == who || most <= before.price else { return false }
        let shown = said.indices.filter { said[$0].who == now.leader && said[$0].maximum > now.price }
        for index in shown { said[index].maximum = now.price }
        return !shown.isEmpty
    }
}
