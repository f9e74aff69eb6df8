/// An item whose sale was voided, offered to the next bidder of its round.
package struct ItemOffer: Hashable, Sendable, Codable {
    /// Identifier of the offer.
    package let id: OfferID
    /// The round in which the item was sold.
    package let round: Int
    /// The lot that it was; nil if it was uploaded for its round.
    package let lot: LotID?
    /// The bidder.
    package internal(set) var to: Person
    /// What they would pay: their highest amount of that round.
    package let price: Money
    /// From then on it cannot be accepted.
    package internal(set) var expiresAt: Timestamp

    package init(id: OfferID, round: Int, lot: LotID?, to: Person, price: Money, expiresAt: Timestamp) {
        (self.id, self.round, self.lot) = (id, round, lot)
        (self.to, self.price, self.expiresAt) = (to, price, expiresAt)
    }

    /// The most offers of a room that stand at a time.
    package static let limit = 100
}

/// To whom items of voided sales are offered, and for how long. A rulebook has one; tests change parts of it.
package protocol OfferPolicy: Sendable {
    /// How long a bidder has to answer.
    var life: Seconds { get }
    /// What is left of an offer after an outage or a clock jump, at least.
    var leastRemaining: Seconds { get }
    /// The bidder to whom the item of a round is offered, whether or not they are here; nil if there is none.
    func nextBidder(of row: RoundResult, in room: Room) -> Afterwards.RunnerUp?
}

extension OfferPolicy {
    /// Ten minutes.
    package var life: Seconds { Seconds(600) }
    /// One minute.
    package var leastRemaining: Seconds { Seconds(60) }
    /// The runner-up of the round.
    package func nextBidder(of row: RoundResult, in room: Room) -> Afterwards.RunnerUp? { row.afterwards.runnerUp }
}

/// The product's.
package struct ProductOfferPolicy: OfferPolicy {
    package init() {}
}

/// What happened to an offer.
package enum OfferEvent: Hashable, Sendable {
    /// It was made, or, with a cause, it stands for longer than before.
    case made(ItemOffer, cause: CountdownMoved.Cause?)
    /// The bidder buys the item.
    case accepted(OfferID, round: Int, lot: LotID?, by: Person, price: Money)
    case declined(OfferID, by: Person)
    /// Its time is over.
    case expired(OfferID, to: Person)
}

extension Room {
    /// Offers that stand, the first to expire first.
    package var offers: [ItemOffer] { fields.value.hand?.offers ?? [] }

    /// The offer of a round's item; nil if none stands.
    package func offer(ofRound round: Int) -> ItemOffer? { offers.first { $0.round == round } }

    /// Whether an offer to the user stands.
    package func hasOffer(to user: UserID) -> Bool { offers.contains { $0.to.id == user } }
}

extension RoomFields {
    mutating func apply(_ happened: OfferEvent, in event: Event) {
        switch happened {
        case .made(let offer, _):
            changeOffers { offers in
                offers.removeAll { $0.id == offer.id }
                let place = offers.firstIndex { $0.expiresAt > offer.expiresAt } ?? offers.count
                offers.insert(offer, at: place)
            }
            results.change(offer.round) { $0.afterwards.wasOffered = true }
        case .accepted(let id, let round, let lot, let buyer, let price):
            changeOffers { $0.removeAll { $0.id == id } }
            results.change(round) { row in
                // Later than the sale of the round, so that the two rows of the index by user differ.
                let at = max(event.at, row.closedAt.advanced(byMilliseconds: 1))
                row.afterwards.resale = RoundResult.Sale(buyer: buyer, price: price, at: at)
                row.paddle = nil
            }
            if let lot { changeLots { $0.setState(lot, .sold) } }
        case .declined(let id, _), .expired(let id, _): changeOffers { $0.removeAll { $0.id == id } }
        }
    }

    /// Makes offers to a guest those of the user.
    mutating func moveOffers(from guest: UserID, to user: Person) {
        guard hand?.offers?.contains(where: { $0.to.id == guest }) == true else { return }
        changeOffers { offers in
            for index in offers.indices where offers[index].to.id == guest { offers[index].to = user }
        }
    }

    private mutating func changeOffers(_ change: (inout [ItemOffer]) -> Void) {
        changeHand { hand in
            var offers = hand.offers ?? []
            change(&offers)
            hand.offers = offers.isEmpty ? nil : offers
        }
    }
}
