import Permissions

/// What absentee bids make of the opening of an English round: the result of placing them one after the other, in their order.
///
/// It differs from bids of people who watch in one thing: a maximum above the leader's always takes the lead, however little it is above,
/// since its bidder is not there to bid again. A bid that does not reach the leader's maximum counts as it would then: below the next
/// minimum it has no effect, so that the leader never pays more. A bid takes the same time whatever came before it.
struct EnglishOpening {
    /// An absentee bid that may act.
    struct Offer {
        let bid: BidID
        let bidder: Person
        /// The most that it may cost, which may be less than what its bidder gave.
        let maximum: Money
    }

    private let pricing: EnglishPricing
    private let start: Money
    /// The bid that leads, and up to where.
    private(set) var leader: Offer?
    /// The price that the leader would pay.
    private(set) var price: Money
    /// The bid that explains the price, and its amount; nil if the price needs no explanation.
    private(set) var second: (offer: Offer, amount: Money)?
    /// Whether the price is the buy-now price: no further bid acts.
    private(set) var isSold: Bool

    init(_ pricing: EnglishPricing) {
        self.pricing = pricing
        start = pricing.rules.startingPrice
        price = start
        // A maximum alone never buys.
        isSold = pricing.buys(start)
    }

    /// Places the next bid.
    mutating func place(_ offer: Offer) {
        guard !isSold, offer.maximum >= start else { return }
        guard let leading = leader else {
            price = pricing.price(of: start, upTo: offer.maximum, against: nil)
            leader = offer
            return
        }
        let (minimum, top) = (pricing.minimum(above: price), leading.maximum)
        if pricing.capped(offer.maximum) > pricing.capped(top) {
            price = pricing.price(of: min(minimum, offer.maximum), upTo: offer.maximum, against: top)
            // Where the price is higher it is the reserve price, which the beaten maximum does not explain: it stays secret.
            second = price <= pricing.minimum(above: pricing.capped(top)) ? (leading, pricing.capped(top)) : nil
            leader = offer
        } else if offer.maximum >= minimum, !pricing.buys(minimum) {
            second = (offer, pricing.capped(offer.maximum))
            price = pricing.defence(upTo: top, against: offer.maximum)
        }
        isSold = pricing.buys(price)
    }

    /// The events that explain the result: the bid that was beaten, if there is one, and the leader's. None if no bid acted.
    /// - Parameter deadline: That of the opening; absentee bids do not move it.
    func events(until deadline: Timestamp) -> [EventBody] {
        guard let leader else { return [] }
        let next = isSold ? nil : pricing.minimum(above: price)
        func placed(_ offer: Offer, _ amount: Money, leads: Bool) -> EventBody {
            // Without the other it would lead at the lowest price: only what is shown explains a price, also after a retraction.
            let own = pricing.price(of: start, upTo: offer.maximum, against: nil)
            return .bidPlaced(
                BidPlaced(
                    bid: offer.bid, amount: amount, bidder: offer.bidder, leading: leads, origin: .absentee,
                    maximum: leads && offer.maximum > amount ? offer.maximum : nil, ownAmount: own == amount ? nil : own,
                    nextMinimum: next, reserveMet: pricing.reserveMet(at: price), endsAt: deadline))
        }
        return (second.map { [placed($0.offer, $0.amount, leads: false)] } ?? []) + [placed(leader, price, leads: true)]
    }
}

extension DecisionContext {
    /// The absentee bids on the room's lot that may act at its opening, in their order: of members who may bid now and do not own the
    /// lot, each up to what the bidder may owe.
    func absenteeOffers() -> [EnglishOpening.Offer] {
        guard let item = room.item, let lot = item.lot, let ofLot = room.absentees?[lot] else { return [] }
        let rules = rulebook.rulesOfBidders(in: room)
        return ofLot.inOrder.compactMap { bid in
            guard bid.voidCause == nil, !ofLot.isUsed(bid) else { return nil }
            return room.offer(of: bid, on: item, rules, rulebook, at: instant)
        }
    }
}

extension Room {
    /// What an absentee bid may do now; nil: nothing.
    /// - Parameter rules: `RoomRulebook.rulesOfBidders`.
    func offer(
        of bid: AbsenteeBid, on item: AuctionItem, _ rules: [RoomPermissionRule], _ rulebook: RoomRulebook,
        at instant: Timestamp
    ) -> EnglishOpening.Offer? {
        let user = bid.bidder.id
        guard let member = member(user), !member.isBanned, item.owner.id != user else { return nil }
        let context = RuleContext(room: self, rulebook: rulebook, caller: user, at: instant)
        guard !rules.contains(where: { $0.denies(context) }) else { return nil }
        guard let limit = member.creditLimit else {
            return EnglishOpening.Offer(bid: bid.id, bidder: member.person, maximum: bid.maximum)
        }
        let left = limit.minorUnits - amountOwed(by: user).minorUnits
        guard left > 0 else { return nil }
        return EnglishOpening.Offer(
            bid: bid.id, bidder: member.person, maximum: min(bid.maximum, Money(minorUnits: left)))
    }
}
