import Permissions

extension AuctionFormatName {
    /// `EnglishFormat`.
    package static let english = AuctionFormatName(rawValue: "english")
}

/// The open ascending auction: the highest bid when the round closes wins and pays its amount.
///
/// Every bid has a maximum; that of a plain bid is its amount. The server bids up to it on the bidder's behalf, so a price
/// depends only on the maxima of the leader and the challenger, never on older bids.
struct EnglishFormat: AuctionFormat {
    let name = AuctionFormatName.english

    func problem(with rules: AuctionRules) -> RulesProblem? {
        rules.problem(withoutFieldsOf: [.dutch, .sealed]) ?? rules.problemInOrderOfPrices()
    }

    func nextMinimum(in room: Room, for user: UserID?) -> Money? {
        guard let rules = room.rules else { return nil }
        guard let price = room.currentPrice else { return rules.increment.openingAsk ?? rules.startingPrice }
        return EnglishPricing(rules: rules).minimum(above: price)
    }

    func reserveMet(in room: Room) -> Bool? {
        room.rules.flatMap { EnglishPricing(rules: $0).reserveMet(at: room.currentPrice) }
    }

    /// The leader may raise their maximum, or bid the buy-now price.
    func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool {
        if let amount = bid.amount, let buyNow = room.rules?.buyNowPrice, amount >= buyNow { return true }
        guard let maximum = bid.maximum, let own = room.leaderMaximum else { return false }
        return maximum > own
    }

    func deadline(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? {
        room.rules?.deadline(afterBidAt: instant, in: room)
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        let room = context.room
        guard let rules = room.rules, let minimum else { throw .unavailable(.placeBid, in: room.state) }
        if let amount = bid.amount, let maximum = bid.maximum, maximum < amount { throw .maximumBelowAmount }
        let effects = BidEffects(
            room: room, pricing: EnglishPricing(rules: rules), deadline: deadline(afterBidAt: context.instant, in: room))
        guard let leading = room.currentBid else {
            return effects.lead(try Offer(bid, by: person, opening: minimum), against: nil, in: &context)
        }
        let top = room.leaderMaximum ?? leading.amount
        // On the floor several people bid, also against each other.
        if leading.bidder.id == person.id, person.id != .floor {
            if let amount = bid.amount, effects.pricing.buys(amount) {
                return effects.lead(try Offer(bid, by: person, opening: minimum), against: nil, in: &context)
            }
            guard let maximum = bid.maximum, maximum > top else { throw .alreadyLeading }
            return effects.raise(leading, to: maximum, from: minimum, in: &context)
        }
        let offer = try Offer(bid, by: person, opening: minimum)
        let isBeaten = effects.pricing.capped(offer.maximum) <= effects.pricing.capped(top)
        return isBeaten
            ? effects.defend(leading, upTo: top, against: offer, in: &context)
            : effects.lead(offer, against: top, in: &context)
    }

    /// The absentee bids act at once. They do not move the countdown, which has just begun.
    func opened(in context: inout DecisionContext) -> [EventBody] {
        let end = context.instant + (context.room.rules?.firstCountdown ?? AuctionRules.defaultBidding)
        let started = EventBody.countdownStarted(endsAt: end, nextDropAt: nil)
        let offers = context.absenteeOffers()
        guard !offers.isEmpty, let rules = context.room.rules else { return [started] }
        var opening = EnglishOpening(EnglishPricing(rules: rules))
        for offer in offers { opening.place(offer) }
        return [started] + opening.events(until: end)
    }

    func openingSale(in room: Room) -> RoundResult.Outcome? {
        guard let rules = room.rules, let leading = room.currentBid, EnglishPricing(rules: rules).buys(leading.amount) else {
            return nil
        }
        return .sold(to: leading.bidder, price: leading.amount)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome {
        guard let winner = context.room.currentBid else { return .passed(.noBids) }
        guard reserveMet(in: context.room) != false else { return .passed(.reserveNotMet) }
        return .sold(to: winner.bidder, price: winner.amount)
    }
}

/// A bid with both amount and maximum; the server derives the one that the bidder left out.
private struct Offer {
    let bidder: Person
    let amount: Money
    /// Equal to the amount for a plain bid.
    let maximum: Money
    /// The maximum to record; nil for a plain bid.
    var recordedMaximum: Money? { maximum > amount ? maximum : nil }

    /// - Parameter opening: the amount if the bid has only a maximum, unless the maximum is lower.
    init(_ bid: PlaceBid, by bidder: Person, opening: Money) throws(Refusal) {
        guard let top = bid.maximum ?? bid.amount else { throw .amountMissing }
        self.bidder = bidder
        amount = bid.amount ?? min(opening, top)
        maximum = top
    }
}

/// The three effects of an English bid, as events: it takes the lead, is outbid at once, or raises the leader's maximum.
private struct BidEffects {
    let room: Room
    let pricing: EnglishPricing
    /// The countdown's deadline after this bid.
    let deadline: Timestamp?

    /// The bid takes the lead from the bidder whose maximum is `second`; nil if there is none.
    func lead(_ offer: Offer, against second: Money?, in context: inout DecisionContext) -> BidDecision {
        let price = pricing.price(of: offer.amount, upTo: offer.maximum, against: second)
        let next = pricing.minimum(above: price)
        let bid = placed(context.identifiers.next(), price, by: offer, leads: true, price: price, next: next)
        return BidDecision(placing: bid, nextMinimum: next, outcome: sale(to: offer.bidder, at: price), in: context)
    }

    /// The bid is accepted but outbid at once: it is logged at its maximum, and an automatic bid follows for the leader.
    func defend(
        _ leading: Bid, upTo top: Money, against offer: Offer, in context: inout DecisionContext
    ) -> BidDecision {
        let price = pricing.defence(upTo: top, against: offer.maximum)
        let next = pricing.minimum(above: price)
        let (id, automaticID): (BidID, BidID) = (context.identifiers.next(), context.identifiers.next())
        let beaten = placed(id, pricing.capped(offer.maximum), by: offer, leads: false, price: price, next: next)
        let automatic = automatic(automaticID, price, by: leading.bidder, next: next)
        return BidDecision(
            placing: beaten, then: [.bidPlaced(automatic)], nextMinimum: next, outcome: sale(to: leading.bidder, at: price),
            in: context)
    }

    /// Only the leader's maximum rises; the price rises too if the maximum reaches the reserve price for the first time.
    /// - Parameter minimum: the next minimum at the present price.
    func raise(_ leading: Bid, to maximum: Money, from minimum: Money, in context: inout DecisionContext) -> BidDecision {
        let raised = EventBody.maximumRaised(MaximumRaised(bid: leading.id, bidder: leading.bidder, maximum: maximum))
        let price = pricing.jump(from: leading.amount, upTo: maximum)
        guard price > leading.amount else { return BidDecision(raising: leading, events: [raised], nextMinimum: minimum) }
        let next = pricing.minimum(above: price)
        let automatic = automatic(context.identifiers.next(), price, by: leading.bidder, next: next)
        var events = [raised, .bidPlaced(automatic)]
        if let old = room.endsAt, let deadline, deadline > old {
            events.append(.countdownMoved(CountdownMoved(from: old, to: deadline, cause: .maximum)))
        }
        // The bid at the reserve price leads now, with the maximum.
        let bid = room.bid(automatic, seq: context.firstSeq + 1, at: context.instant)
        return BidDecision(events: events, bid: bid, nextMinimum: next, outcome: nil)
    }

    /// - Parameters:
    ///   - price: the room's price after all events of the bid.
    ///   - next: the next minimum at that price.
    private func placed(
        _ id: BidID, _ amount: Money, by offer: Offer, leads: Bool, price: Money, next: Money
    ) -> BidPlaced {
        let own = pricing.price(of: offer.amount, upTo: offer.maximum, against: nil)
        return BidPlaced(
            bid: id, amount: amount, bidder: offer.bidder, leading: leads, maximum: offer.recordedMaximum,
            ownAmount: own == amount ? nil : own, nextMinimum: shown(next, at: price),
            reserveMet: pricing.reserveMet(at: price), endsAt: deadline(at: price))
    }

    private func automatic(_ id: BidID, _ price: Money, by bidder: Person, next: Money) -> BidPlaced {
        BidPlaced(
            bid: id, amount: price, bidder: bidder, leading: true, origin: .automatic, nextMinimum: shown(next, at: price),
            reserveMet: pricing.reserveMet(at: price), endsAt: deadline(at: price))
    }

    // A buy-now purchase closes the round: no further bid is possible and the deadline stays.
    private func shown(_ next: Money, at price: Money) -> Money? { pricing.buys(price) ? nil : next }
    private func deadline(at price: Money) -> Timestamp? { pricing.buys(price) ? room.endsAt : deadline }

    private func sale(to bidder: Person, at price: Money) -> RoundResult.Outcome? {
        pricing.buys(price) ? .sold(to: bidder, price: price) : nil
    }
}

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
