/// The price arithmetic of an English auction with competing maxima.
struct EnglishPricing {
    let rules: AuctionRules

    /// The amount, clamped to the buy-now price.
    func capped(_ money: Money) -> Money { rules.buyNowPrice.map { min(money, $0) } ?? money }

    /// The least amount of the next bid at this price.
    func minimum(above price: Money) -> Money { capped(price + rules.increment.step(above: price)) }

    /// The price of a bid that takes the lead from a maximum of `second`: just enough to outbid it, but at least `amount`.
    func price(of amount: Money, upTo maximum: Money, against second: Money?) -> Money {
        let needed = second.map { min(capped(maximum), minimum(above: $0)) } ?? capped(amount)
        return jump(from: max(capped(amount), needed), upTo: maximum)
    }

    /// The leader's price after a challenger failed to outbid them; if the maxima are equal, that amount.
    func defence(upTo maximum: Money, against challenger: Money) -> Money {
        min(capped(maximum), minimum(above: challenger))
    }

    /// The price, raised to the reserve price if the maximum covers it. Unchanged where the reserve is the buy-now price: a
    /// maximum alone never buys.
    func jump(from price: Money, upTo maximum: Money) -> Money {
        guard let reserve = rules.reservePrice, price < reserve, reserve <= maximum, reserve != rules.buyNowPrice else {
            return price
        }
        return reserve
    }

    /// Whether a price reaches the buy-now price.
    func buys(_ price: Money) -> Bool { rules.buyNowPrice.map { price >= $0 } ?? false }

    /// Whether the price reaches the reserve price; nil without a reserve price.
    func reserveMet(at price: Money?) -> Bool? {
        rules.reservePrice.map { reserve in price.map { $0 >= reserve } ?? false }
    }
}
