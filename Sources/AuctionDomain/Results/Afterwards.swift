/// What becomes of a sale after its round.
package struct Afterwards: Hashable, Sendable, Codable {
    /// The bidder who would have won without the buyer, and the highest amount of theirs: also a sealed absentee bid, which no event shows.
    package struct RunnerUp: Hashable, Sendable, Codable {
        /// The bidder.
        package let person: Person
        /// What they offered.
        package let amount: Money

        package init(person: Person, amount: Money) { (self.person, self.amount) = (person, amount) }
    }

    /// A sale that the host has voided: it counts nowhere.
    package struct Void: Hashable, Sendable, Codable {
        /// When it was voided.
        package let at: Timestamp
        /// Free text of the host.
        package let reason: String
        /// The host who voided it.
        package let by: Person
        /// The sale that does not count.
        package let sale: RoundResult.Sale
    }

    /// Nil if there was no other bidder, or the format shows none.
    package internal(set) var runnerUp: RunnerUp?
    /// The last sale of this item that was voided; nil if none was.
    package internal(set) var void: Void?
    /// The sale of the round, if it was voided and that to the next bidder after it; nil otherwise. An item is offered once, so that there are no
    /// more.
    package internal(set) var earlierVoid: Void?
    /// The sale to the next bidder, who accepted the offer; nil without one, or if it was voided too.
    package internal(set) var resale: RoundResult.Sale?
    /// Whether the item was offered to the next bidder: that happens once.
    package internal(set) var wasOffered = false
}

extension RoundResult {
    /// Who buys an item, and at which price.
    package struct Sale: Hashable, Sendable, Codable {
        /// The buyer.
        package let buyer: Person
        /// What they pay for the item itself.
        package let price: Money
        /// When the sale was recorded.
        package let at: Timestamp
    }

    /// The sale that counts; nil if the item was passed, or its sale was voided.
    package var sale: Sale? { afterwards.void == nil ? soldInRound : afterwards.resale }

    /// The sale at the end of the round, whatever became of it; nil if the item was passed.
    private var soldInRound: Sale? {
        guard case .sold(let buyer, let price) = outcome else { return nil }
        return Sale(buyer: buyer, price: price, at: closedAt)
    }

    /// The sale that is shown: the one that counts, or the one that was voided; nil if the item was passed.
    private var shownSale: Sale? { sale ?? afterwards.void?.sale }

    /// Whether the sale was voided, and the item has no buyer.
    package var isVoid: Bool { afterwards.void != nil && sale == nil }

    /// The buyer, also of a sale that was voided; nil if the item was passed.
    package var winner: Person? { shownSale?.buyer }

    /// What the buyer pays for the item itself, or would have paid; nil if the item was passed.
    package var price: Money? { shownSale?.price }

    /// Why the item was not sold; nil if it was.
    package var passReason: PassReason? {
        if case .passed(let reason) = outcome { reason } else { nil }
    }

    /// The amount of the premium; nil without one, or without a sale that counts.
    package var premiumAmount: Money? { sale.flatMap { premium?.amount(on: $0.price) } }

    /// What the buyer pays altogether; nil without a sale that counts.
    package var total: Money? { sale.map { premium?.total(of: $0.price) ?? $0.price } }

    /// Whether the user is its buyer or seller, or has another part in it.
    func names(_ user: UserID) -> Bool {
        if case .sold(let buyer, _) = outcome, buyer.id == user { return true }
        let voids = [afterwards.void, afterwards.earlierVoid].compactMap { $0 }
        return seller.id == user || afterwards.runnerUp?.person.id == user || afterwards.resale?.buyer.id == user
            || voids.contains { $0.sale.buyer.id == user || $0.by.id == user }
    }

    /// The same result after a link of a guest, who may have been the buyer or the seller.
    func moved(from user: UserID, to person: Person) -> RoundResult {
        func moved(_ other: Person) -> Person { other.id == user ? person : other }
        func moved(_ sale: Sale) -> Sale { Sale(buyer: moved(sale.buyer), price: sale.price, at: sale.at) }
        var row = self
        if case .sold(let buyer, let price) = outcome { row.outcome = .sold(to: moved(buyer), price: price) }
        row.seller = moved(seller)
        var afterwards = afterwards
        afterwards.runnerUp = afterwards.runnerUp.map { Afterwards.RunnerUp(person: moved($0.person), amount: $0.amount) }
        func moved(_ void: Afterwards.Void) -> Afterwards.Void {
            Afterwards.Void(at: void.at, reason: void.reason, by: moved(void.by), sale: moved(void.sale))
        }
        afterwards.void = afterwards.void.map(moved)
        afterwards.earlierVoid = afterwards.earlierVoid.map(moved)
        afterwards.resale = afterwards.resale.map(moved)
        row.afterwards = afterwards
        return row
    }
}

/// The host voided the sale of an item.
package struct ItemVoided: Hashable, Sendable {
    /// The round in which it was sold.
    package let round: Int
    /// The lot that it was; nil if the item was uploaded for its round.
    package let lot: LotID?
    /// What was sold.
    package let item: NamedItem
    /// Who does not buy it.
    package let winner: Person
    /// What they would have paid.
    package let price: Money
    /// Free text of the host.
    package let reason: String
    /// The host.
    package let by: Person

    package init(
        round: Int, lot: LotID?, item: NamedItem, winner: Person, price: Money, reason: String, by: Person
    ) {
        (self.round, self.lot, self.item, self.winner, self.price) = (round, lot, item, winner, price)
        (self.reason, self.by) = (reason, by)
    }
}

/// The identifier of an item with its name.
package struct NamedItem: Hashable, Sendable {
    /// Identifier of the item.
    package let id: ItemID
    /// Its name, as it was shown.
    package let name: String

    package init(id: ItemID, name: String) { (self.id, self.name) = (id, name) }
}

extension RoomFields {
    mutating func apply(_ voided: ItemVoided, in event: Event) {
        results.change(voided.round) { row in
            guard let sale = row.sale else { return }
            row.afterwards.earlierVoid = row.afterwards.void
            row.afterwards.void = Afterwards.Void(at: event.at, reason: voided.reason, by: voided.by, sale: sale)
            row.afterwards.resale = nil
        }
        if let lot = voided.lot { changeLots { $0.setState(lot, .voided) } }
    }

    /// The bidder who would have won without the buyer, if they reached the reserve price; of equal ones the earliest, as in
    /// `sealedStanding`. The bids of others rise along an English history, so that the newest is the highest of theirs; a Dutch round has one
    /// bid.
    func runnerUp(of outcome: RoundResult.Outcome) -> Afterwards.RunnerUp? {
        guard case .sold(let winner, _) = outcome, let format = formatName else { return nil }
        let other: Bid? =
            switch format {
            case .english: bids.newest(otherThan: winner.id)
            case .sealedFirstPrice, .vickrey:
                sealedStanding().filter { $0.bidder.id != winner.id }.max { ($0.amount, $1.seq) < ($1.amount, $0.seq) }
            default: nil
            }
        guard let other, rules?.reservePrice.map({ other.amount >= $0 }) ?? true else { return nil }
        return Afterwards.RunnerUp(person: other.bidder, amount: other.amount)
    }
}
