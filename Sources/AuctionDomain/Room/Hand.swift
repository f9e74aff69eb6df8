/// What members and host do by hand beside bids, and what follows from it, as far as it lasts.
struct Hand: Hashable, Sendable, Codable {
    /// The last warning; nil if there was none, or a transition or a retraction ended it.
    var warning: Warning?
    /// Nil until a member first reports a message.
    var reports: RoomReports?
    /// The absentee bids; snapshots store them apart, as they do with lots.
    var absentee = StoredApart<AbsenteeBids>()
    /// The paddles of the round's floor bids, by the seq of the bid; nil: none was noted.
    var paddles: BTree<Int, String>?
    /// Offers that stand, the first to expire first; nil if none does.
    var offers: [ItemOffer]?
    /// Applications of bidders; nil if there is none.
    var applications: RoomApplications?
}

/// A value that snapshots store beside the JSON of the room; nil if there is none.
struct StoredApart<Value: Hashable & Sendable>: Hashable, Sendable, Codable {
    var value: Value?

    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
}

/// The host says that the round is about to end. A bid that follows ends the warning: nothing is written for that.
package struct Warning: Hashable, Sendable, Codable {
    /// 1: going once; 2: going twice.
    package let level: Int
    /// The seq of its event.
    let seq: Int
}

extension Room {
    /// 1 after "going once", 2 after "going twice"; 0 if there was no warning since the last bid.
    package var warning: Int {
        guard let lastWarning, lastWarning.seq > bids.last?.seq ?? 0 else { return 0 }
        return lastWarning.level
    }

    /// The last warning, also if a bid has ended it; nil if there was none, or a transition or a retraction ended it.
    package var lastWarning: Warning? { fields.value.hand?.warning }
}

extension RoomFields {
    mutating func changeHand(_ change: (inout Hand) -> Void) {
        var changed = hand ?? Hand()
        change(&changed)
        hand = changed
    }

    mutating func endWarning() {
        if hand?.warning != nil { changeHand { $0.warning = nil } }
    }
}

/// How the host changes what the next bid must be.
package enum AskChange: Hashable, Sendable {
    /// From now on the price rises by this, until the round ends.
    case increment(Increment)
    /// The next bid at the present price, or the first bid, is this, or the buy-now price if that is less.
    case nextMinimum(Money)
}

extension RoomStateObject {
    /// The events of another increment or next minimum; none if nothing would change.
    func changeAsk(_ change: AskChange, by person: Person, in context: DecisionContext) throws(Refusal) -> [EventBody] {
        guard var rules = context.room.rules else { throw .unavailable(.changeAsk, in: name) }
        switch change {
        case .increment(let increment):
            let (before, isSame) = (context.rulebook.nextMinimum(in: context.room), rules.increment.base == increment)
            rules.increment = increment
            try context.rulebook.check(rules)
            let price = context.room.currentPrice
            let minimum = price.map { EnglishPricing(rules: rules).minimum(above: $0) } ?? rules.startingPrice
            // An ask at another price than the present one changes nothing.
            if isSame, minimum == before { return [] }
            return [.incrementChanged(IncrementChanged(increment: increment, nextMinimum: minimum, by: person))]
        case .nextMinimum(let amount):
            let minimum = EnglishPricing(rules: rules).capped(amount)
            guard context.rulebook.nextMinimum(in: context.room) != minimum else { return [] }
            return [.askChanged(AskChanged(nextMinimum: minimum, by: person))]
        }
    }
}

extension RoomFields {
    mutating func apply(_ changed: IncrementChanged) { item?.rules.increment = changed.increment }

    mutating func apply(_ changed: AskChanged) {
        guard var item else { return }
        let price = currentBid?.amount ?? Money(minorUnits: 0)
        item.rules.increment = .asked(minimum: changed.nextMinimum, at: price, then: item.rules.increment.base)
        self.item = item
    }

    /// Ends an ask, for instance where there is no bid any more at whose price the host asked.
    mutating func endAsk() {
        guard let increment = rules?.increment, increment != increment.base else { return }
        item?.rules.increment = increment.base
    }

    /// Ends an ask above the price that a retraction has left: the price it was made at is retracted. Later it would raise a maximum that
    /// equals that price.
    mutating func endAskAbovePrice() {
        guard case .asked(_, let asked, _)? = rules?.increment, currentBid.map({ $0.amount < asked }) ?? true else { return }
        endAsk()
    }
}
