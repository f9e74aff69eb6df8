/// The arithmetic of an English auction: what a price becomes when maxima compete. Product specification, section 4.
struct EnglishPricing {
    let rules: AuctionRules

    /// No amount counts beyond the buy-now price.
    func capped(_ money: Money) -> Money { rules.buyNowPrice.map { min(money, $0) } ?? money }

    /// What whoever comes next must bid at least.
    func minimum(above price: Money) -> Money { capped(price + rules.increment.step(above: price)) }

    /// What a leader pays who beats `second`: no more than it takes, no less than their own `amount`.
    func price(of amount: Money, upTo maximum: Money, against second: Money?) -> Money {
        let needed = second.map { min(capped(maximum), minimum(above: $0)) } ?? capped(amount)
        return jump(from: max(capped(amount), needed), upTo: maximum)
    }

    /// What a leader pays who beats a challenger off; equal maxima meet at that amount.
    func defence(upTo maximum: Money, against challenger: Money) -> Money {
        min(capped(maximum), minimum(above: challenger))
    }

    /// A proxy whose maximum reaches the reserve goes there at once, as a bid would. Not where the reserve is the buy-now
    /// price: a maximum alone never buys.
    func jump(from price: Money, upTo maximum: Money) -> Money {
        guard let reserve = rules.reservePrice, price < reserve, reserve <= maximum, reserve != rules.buyNowPrice else {
            return price
        }
        return reserve
    }

    /// Whether a price buys at once.
    func buys(_ price: Money) -> Bool { rules.buyNowPrice.map { price >= $0 } ?? false }

    /// Nil without a reserve price.
    func reserveMet(at price: Money?) -> Bool? {
        rules.reservePrice.map { reserve in price.map { $0 >= reserve } ?? false }
    }
}
