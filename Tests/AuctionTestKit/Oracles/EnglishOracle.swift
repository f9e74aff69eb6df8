/// A naive English auction, written from the product specification alone: keeps every bid, and computes price and leader from
/// all of them on each query. Amounts in minor units; bidders are numbers.
package struct EnglishOracle: Sendable {
    /// A bid, or a raised maximum.
    package struct Entry: Sendable {
        /// The bidder.
        package let who: Int
        /// Amount of the bid; nil if only the maximum was raised.
        package let amount: Int64?
        /// Highest amount up to which the server bids for the bidder; the bid's amount if no maximum was given.
        package internal(set) var maximum: Int64
        /// What the price rose by when it came.
        let rule: Rule
        /// Whether it was left before the bidding opened.
        var isAbsentee = false
    }

    /// By how much the next bid exceeds the price.
    package struct Rule: Sendable {
        /// Minimum increments by the price from which they apply; the first applies from zero.
        package var steps: [(from: Int64, step: Int64)]
        /// Increment in percent of the price, rounded up; nil if `steps` apply.
        package var percent: Int64?
        /// What the host has asked for at one price, zero while there is no bid; nil: nothing.
        package var ask: (at: Int64, minimum: Int64)?

        fileprivate func increment(_ price: Int64) -> Int64 {
            if let ask, ask.at == price { return ask.minimum - price }
            if let percent { return max(1, (price * percent + 99) / 100) }
            return steps.last { $0.from <= price }?.step ?? 0
        }
    }

    /// The leader and the current price.
    package struct Standing: Equatable, Sendable {
        /// The leading bidder.
        package let leader: Int
        /// The current price.
        package let price: Int64
    }

    /// The outcome of a bid; a refusal has the code of the problem.
    package enum Response: Equatable, Sendable {
        case accepted
        case refused(String)
    }

    /// Starting price.
    package let start: Int64
    /// The increment now.
    package private(set) var rule: Rule
    /// Reserve price; nil for none.
    package let reserve: Int64?
    /// Buy-now price; nil for none.
    package let buyNow: Int64?
    /// Accepted bids and raised maximums, in order.
    package var entries: [Entry] = []
    /// The sale at the buy-now price; nil until a bid reaches it.
    package var sold: Standing?

    package init(
        start: Int64, steps: [(from: Int64, step: Int64)], percent: Int64?, reserve: Int64?, buyNow: Int64?
    ) {
        self.start = start
        rule = Rule(steps: steps, percent: percent)
        self.reserve = reserve
        self.buyNow = buyNow
    }

    /// The amount, at most the buy-now price.
    package func held(_ amount: Int64) -> Int64 { min(amount, buyNow ?? .max) }

    /// The bidder's highest maximum, and the index of the entry that first stated it.
    private func top(of who: Int) -> (who: Int, amount: Int64, since: Int)? {
        let mine = entries.enumerated().filter { $0.element.who == who }.map { (held($0.element.maximum), $0.offset) }
        guard let most = mine.map(\.0).max(), let since = mine.first(where: { $0.0 == most })?.1 else { return nil }
        return (who, most, since)
    }

    /// Leader and price; nil without bids.
    package var standing: Standing? {
        let tops = Set(entries.map(\.who)).compactMap(top)
        let best = tops.max { $0.amount == $1.amount ? $0.since > $1.since : $0.amount < $1.amount }
        guard let best, let bid = entries.lastIndex(where: { $0.who == best.who && $0.amount != nil }) else { return nil }
        var price = entries[bid].amount.map(held) ?? 0
        for (index, other) in entries.enumerated() where other.who != best.who {
            // A maximum raised after a contest does not reopen it: raising moves no price.
            let later = max(bid, index)
            let then = entries[...later].filter { $0.who == best.who }.map { held($0.maximum) }.max() ?? 0
            let rule = entries[later].rule
            price = max(price, min(then, held(held(other.maximum) + rule.increment(held(other.maximum)))))
        }
        if let reserve, reserve != buyNow, best.amount >= reserve { price = max(price, reserve) }
        return Standing(leader: best.who, price: price)
    }

    /// The lowest amount that the next bid must have.
    package var minimum: Int64 {
        if let now = standing { return minimum(above: now.price) }
        if let ask = rule.ask, ask.at == 0 { return ask.minimum }
        return start
    }

    /// The lowest amount of a bid at a price.
    package func minimum(above price: Int64) -> Int64 { held(price + rule.increment(price)) }

    /// Whether the price has reached the reserve; nil without a reserve.
    package var reserveMet: Bool? { reserve.map { standing?.price ?? 0 >= $0 } }

    /// Places a bid or raises the leader's maximum; at least one of `amount` and `maximum` is given.
    package mutating func bid(_ who: Int, _ amount: Int64?, _ maximum: Int64?) -> Response {
        if let now = standing, now.leader == who {
            let isBuying = amount.map { $0 >= buyNow ?? .max } ?? false
            if !isBuying {
                let top = entries.filter { $0.who == who }.map(\.maximum).max() ?? 0
                guard let maximum, maximum > top else { return .refused("bid.already_leading") }
                if let amount, amount > maximum { return .refused("request.malformed") }
                raise(who, to: maximum)
                return .accepted
            }
        } else if amount ?? maximum ?? 0 < minimum {
            return .refused("bid.below_minimum")
        } else if amount == nil, minimum == buyNow {
            return .refused("bid.names_no_price")
        }
        if let amount, let maximum, maximum < amount { return .refused("request.malformed") }
        entries.append(Entry(who: who, amount: amount ?? minimum, maximum: maximum ?? amount ?? 0, rule: rule))
        if let buyNow, let now = standing, now.price >= buyNow { sold = now }
        return .accepted
    }

    /// Places a bid that was left before the bidding opened. One above the leader's maximum is always taken; any other as a bid is, and a
    /// refused one has no effect.
    package mutating func leave(_ who: Int, upTo maximum: Int64) {
        guard sold == nil else { return }
        let before = entries.count
        if let now = standing, let most = top(of: now.leader)?.amount, held(maximum) > most {
            entries.append(Entry(who: who, amount: min(minimum, maximum), maximum: maximum, rule: rule))
            if let buyNow, let now = standing, now.price >= buyNow { sold = now }
        } else {
            _ = bid(who, nil, maximum)
        }
        for index in entries.indices[before...] { entries[index].isAbsentee = true }
    }

    /// Of the bids that were left before the bidding opened only those of these bidders are known, and count from now on, each from the
    /// starting price.
    package mutating func keep(_ bidders: [Int]) {
        entries = entries.filter { bidders.contains($0.who) }.map {
            Entry(who: $0.who, amount: start, maximum: $0.maximum, rule: $0.rule, isAbsentee: true)
        }
    }

    /// Only the leader's maximum rises.
    package mutating func raise(_ who: Int, to maximum: Int64) {
        entries.append(Entry(who: who, amount: nil, maximum: maximum, rule: rule))
    }

    /// The price rises by another increment from now on, and nothing is asked for.
    package mutating func change(steps: [(from: Int64, step: Int64)], percent: Int64?) {
        rule = Rule(steps: steps, percent: percent)
    }

    /// The host asks for a next minimum at the present price.
    /// - Returns: the code of the refusal; nil if it is taken.
    package mutating func ask(_ minimum: Int64) -> String? {
        let price = standing?.price
        if minimum < (price.map { $0 + 1 } ?? start) { return "ask.below_price" }
        if held(minimum) != self.minimum { rule.ask = (price ?? 0, held(minimum)) }
        return nil
    }

    /// Retracts a bid, and later raises of its bidder's maximum until their next bid. If the bid beat the new leader's maximum, or the price
    /// reached it, the log has disclosed that maximum, so it is voided down to the price.
    /// - Parameter number: Which of the bids that were placed since the bidding opened, from 0; nil: the latest. Nothing happens if there are
    ///   fewer.
    /// - Returns: Whether a maximum was voided.
    @discardableResult
    package mutating func retract(_ number: Int? = nil) -> Bool {
        let bids = entries.indices.filter { entries[$0].amount != nil && !entries[$0].isAbsentee }
        let place = number ?? bids.count - 1
        return bids.indices.contains(place) && retract(at: bids[place])
    }

    /// Retracts the bid that the bidder left before the bidding opened, as any other.
    @discardableResult
    package mutating func retractLeft(by who: Int) -> Bool {
        entries.firstIndex { $0.who == who && $0.isAbsentee }.map { retract(at: $0) } ?? false
    }

    private mutating func retract(at gone: Int) -> Bool {
        guard let before = standing else { return false }
        let who = entries[gone].who
        entries.remove(at: gone)
        while let raise = entries[gone...].firstIndex(where: { $0.who == who }), entries[raise].amount == nil {
            entries.remove(at: raise)
        }
        // The price at which the host asked was retracted.
        if let ask = rule.ask, standing.map({ $0.price < ask.at }) ?? true { rule.ask = nil }
        guard let now = standing, let most = top(of: now.leader)?.amount else { return false }
        guard before.leader == who || most <= before.price else { return false }
        return void()
    }

    /// Ends the leader's maximum: it is the price from now on.
    /// - Returns: Whether it was higher.
    @discardableResult
    package mutating func void() -> Bool {
        guard let now = standing else { return false }
        let higher = entries.indices.filter { entries[$0].who == now.leader && entries[$0].maximum > now.price }
        for index in higher { entries[index].maximum = now.price }
        return !higher.isEmpty
    }
}
