internal import AuctionDomain

/// Checks that money is conserved in a room: every sale price is covered by an offer of its winner in that round, also the price of the
/// next bidder after a void; no item is sold twice, no round has two results, and the room's results are the sales in its events that were not voided, each with the buyer to whom links of guests lead.
struct MoneyAudit: Sendable {
    /// The highest price that a bidder agreed to pay with one bid.
    private struct Offer {
        let bid: BidID
        let bidder: UserID
        var ceiling: Money
        /// Whether it raised a maximum. The retraction of an earlier bid of that bidder removes it.
        let isRaise: Bool
    }

    private struct Left: Hashable {
        let lot: LotID
        var bidder: UserID
    }

    private let room: RoomID
    private(set) var findings: [AuditFinding] = []
    /// Offers of the running round.
    private var offers: [Offer] = []
    /// What the leader pays if the round ends now; nil without a bid.
    private var price: Money?
    private var finished: Set<Int> = []
    private var sales = 0
    private var sum: Int128 = 0
    /// The most that each bidder other than the winner offered in a round that ended with a sale.
    private var ceilings: [Int: [UserID: Money]] = [:]
    private var items = Items()
    /// What each user has left on lots that were not opened since, and on the lot that opens now.
    private var left: [Left: Money] = [:]
    private var opening: [Left: Money] = [:]
    /// The buyer in each round, after the links so far.
    private var buyers: [Int: UserID] = [:]

    init(_ room: RoomID) { self.room = room }

    mutating func take(_ event: Event) {
        switch event.body {
        case .bidPlaced(let placed):
            if placed.leading { price = placed.amount }
            if placed.origin == .absentee {
                absentee(placed, event)
            } else if placed.automatic {
                guard !isCovered(placed.amount, by: placed.bidder.id) else { return }
                addFinding(event, "the automatic bid of \(placed.bidder.nickname) is above what they offered")
            } else {
                add(placed.bid, placed.bidder.id, max(placed.maximum ?? placed.amount, placed.amount), isRaise: false)
            }
        case .floorBidPlaced(let entered):
            if entered.placed.leading { price = entered.placed.amount }
            add(entered.placed.bid, .floor, entered.placed.amount, isRaise: false)
        case .maximumRaised(let raised): add(raised.bid, raised.bidder.id, raised.maximum, isRaise: true)
        case .bidRetracted(let retracted):
            price = retracted.price
            remove(retracted)
        case .maximumVoided(let voided):
            for index in offers.indices where offers[index].bidder == voided.bidder.id {
                offers[index].ceiling = min(offers[index].ceiling, price ?? offers[index].ceiling)
            }
        case .rulesAdjusted(_, let rules, _): items.isSealed = rules.isSealed
        case .lotBidsChanged(let changed): left[Left(lot: changed.lot, bidder: changed.bidder.id)] = changed.maximum
        case .itemUploaded(let item): (items.shown, items.isSealed) = (item.id, item.rules.isSealed)
        case .stateChanged(let change):
            if change.beginsRound { (offers, price, items.shown) = ([], nil, nil) }
            if change.to == .auctioning, change.from != .paused { open(change.lot) }
        case .itemSold(let winner, let price, _): sold(to: winner, price, event)
        case .itemPassed: finish(event)
        case .itemVoided(let voided): void(voided, event)
        case .offer(.accepted(_, let round, _, let buyer, let price)): sold(again: round, to: buyer, price, event)
        case .memberLinked(let link):
            for (round, buyer) in buyers where buyer == link.from.id { buyers[round] = link.to.id }
            for (round, bidders) in ceilings {
                guard let ceiling = bidders[link.from.id] else { continue }
                ceilings[round]?[link.from.id] = nil
                ceilings[round]?[link.to.id] = max(ceiling, bidders[link.to.id] ?? ceiling)
            }
            for (key, maximum) in left where key.bidder == link.from.id {
                let moved = Left(lot: key.lot, bidder: link.to.id)
                left[key] = nil
                left[moved] = max(left[moved] ?? maximum, maximum)
            }
        default: break
        }
    }

    /// Compares the sales in the events with the results in the room's state.
    func allFindings(_ results: RoundResults) -> [AuditFinding] {
        var shown: Int128 = 0
        var count = 0
        for sale in results.compactMap(\.sale) {
            shown += Int128(sale.price.minorUnits)
            count += 1
        }
        if shown != sum || count != sales {
            return [
                AuditFinding(
                    room: room, seq: nil,
                    "the results add up to \(shown) minor units in \(count) sales, the events to \(sum) in \(sales)")
            ]
        }
        return results.filter { $0.sale?.buyer.id != buyers[$0.round] }.map {
            AuditFinding(room: room, seq: nil, "the results have another buyer in round \($0.round) than the events")
        }
    }

    /// What was left on the lot may be used in this round only.
    private mutating func open(_ lot: LotID?) {
        opening = left.filter { $0.key.lot == lot }
        for key in opening.keys { left[key] = nil }
    }

    /// Each bid that was left acts once, and costs at most what its bidder has left.
    private mutating func absentee(_ placed: BidPlaced, _ event: Event) {
        let most = max(placed.maximum ?? placed.amount, placed.amount)
        let key = opening.keys.first { $0.bidder == placed.bidder.id }
        if let maximum = key.flatMap({ opening.removeValue(forKey: $0) }), maximum >= most {
            return add(placed.bid, placed.bidder.id, most, isRaise: false)
        }
        addFinding(event, "the bid of \(placed.bidder.nickname), who was absent, is above what they have left")
    }

    private mutating func add(_ bid: BidID, _ bidder: UserID, _ ceiling: Money, isRaise: Bool) {
        offers.append(Offer(bid: bid, bidder: bidder, ceiling: ceiling, isRaise: isRaise))
    }

    /// Removes a retracted bid and the raises of its bidder until their next bid. Earlier raises are of an earlier lead, which a
    /// further retraction can restore.
    private mutating func remove(_ retracted: BidRetracted) {
        guard let first = offers.firstIndex(where: { !$0.isRaise && $0.bid == retracted.bid }) else { return }
        offers.remove(at: first)
        let next = offers[first...].firstIndex { !$0.isRaise && $0.bidder == retracted.bidder.id } ?? offers.endIndex
        let kept = offers[first..<next].filter { !$0.isRaise || $0.bidder != retracted.bidder.id }
        offers.replaceSubrange(first..<next, with: kept)
    }

    private func isCovered(_ price: Money, by bidder: UserID) -> Bool {
        offers.contains { $0.bidder == bidder && $0.ceiling >= price }
    }

    private mutating func sold(to winner: Person, _ price: Money, _ event: Event) {
        let isFirst = !finished.contains(event.round)
        finish(event)
        sales += 1
        buyers[event.round] = winner.id
        sum += Int128(price.minorUnits)
        let shown = offers.map { ($0.bidder, $0.ceiling) }
        let unseen = items.isSealed ? opening.map { ($0.key.bidder, $0.value) } : []
        ceilings[event.round] = Dictionary((shown + unseen).filter { $0.0 != winner.id }, uniquingKeysWith: max)
        if isFirst, !items.sell(in: event.round) {
            addFinding(event, "an item that is sold is sold again in round \(event.round)")
        }
        guard !isCovered(price, by: winner.id) else { return }
        addFinding(
            event, "\(winner.nickname) never offered the price of \(price.minorUnits) minor units in round \(event.round)")
    }

    private mutating func void(_ voided: ItemVoided, _ event: Event) {
        guard buyers.removeValue(forKey: voided.round) == voided.winner.id else {
            return addFinding(event, "a sale of round \(voided.round) is voided that there is not")
        }
        sales -= 1
        sum -= Int128(voided.price.minorUnits)
        items.void(in: voided.round)
    }

    /// The next bidder buys what the winner of a round did not.
    private mutating func sold(again round: Int, to buyer: Person, _ price: Money, _ event: Event) {
        if buyers[round] != nil || !finished.contains(round) { addFinding(event, "the item of round \(round) is sold twice") }
        if !items.sell(again: round) { addFinding(event, "an item that is sold is sold again after round \(round)") }
        if ceilings[round]?[buyer.id].map({ $0 < price }) ?? true {
            addFinding(event, "\(buyer.nickname) never offered the price of \(price.minorUnits) minor units in round \(round)")
        }
        sales += 1
        buyers[round] = buyer.id
        sum += Int128(price.minorUnits)
    }

    private mutating func finish(_ event: Event) {
        guard !finished.insert(event.round).inserted else { return }
        addFinding(event, "round \(event.round) has a second result")
    }

    /// Which items are sold.
    private struct Items {
        /// The item of the running round.
        var shown: ItemID?
        /// Whether it has a sealed format: then an absentee bid may be a bid that no event shows.
        var isSealed = false
        private var sold: Set<ItemID> = []
        private var ofRound: [Int: ItemID] = [:]

        /// Sells the item of the running round; false if it is sold already.
        mutating func sell(in round: Int) -> Bool {
            ofRound[round] = shown
            return sell(again: round)
        }

        /// Sells the item of a round; false if it is sold already. Rounds without an item have other findings.
        mutating func sell(again round: Int) -> Bool { ofRound[round].map { sold.insert($0).inserted } ?? true }

        mutating func void(in round: Int) {
            if let item = ofRound[round] { sold.remove(item) }
        }
    }

    private mutating func addFinding(_ event: Event, _ text: String) {
        findings.append(AuditFinding(room: room, seq: event.seq, text))
    }
}

extension AuctionRules {
    fileprivate var isSealed: Bool { [.sealedFirstPrice, .vickrey].contains(format) }
}
