// In a sealed round an absentee bid is the sealed bid of its bidder until they place another one. It is no event until the round closes: ten
// thousand would have to reach every stream.
extension Room {
    /// Whether absentee bids on the round's lot were opened, or may have been.
    var hasOpenedAbsentees: Bool { item?.lot.flatMap { absentees?[$0]?.openedSeq } != nil }

    /// The user's standing bid of a sealed round; nil if they have none.
    package func sealedAmount(of user: UserID) -> Money? {
        bids.latest(of: user)?.amount ?? openedAbsentee(of: user).flatMap(sealedAmount)
    }

    /// Whether the user has a bid in the current round, perhaps one that they left before it opened and that no event shows yet.
    package func takesPart(_ user: UserID) -> Bool { hasBid(user) || openedAbsentee(of: user) != nil }

    /// The user's absentee bid that the opening of the current sealed round has made a bid; nil if there is none.
    private func openedAbsentee(of user: UserID) -> AbsenteeBid? {
        guard let lot = item?.lot, let bid = absenteeBid(of: user, on: lot), absenteeStanding(of: user, on: lot) == .sealed
        else {
            return nil
        }
        return bid
    }

    /// What an absentee bid of a sealed round offers: its maximum, or what is left of its bidder's credit; nil: less than the starting price.
    fileprivate func sealedAmount(of bid: AbsenteeBid) -> Money? {
        guard let rules else { return nil }
        let limit = member(bid.bidder.id)?.creditLimit
        let left = limit.map { $0.minorUnits - amountOwed(by: bid.bidder.id).minorUnits }
        let amount = left.map { min(bid.maximum, Money(minorUnits: max(0, $0))) } ?? bid.maximum
        return amount < rules.startingPrice ? nil : amount
    }
}

extension DecisionContext {
    /// The standing bids of a sealed round, the earliest first: of each bidder the latest that they placed, or else the one that they left,
    /// if they may bid now.
    func sealedStanding() -> [Bid] {
        let placed = room.bids.standing
        guard room.hasOpenedAbsentees, let item = room.item, let lot = item.lot, let ofLot = room.absentees?[lot] else {
            return placed
        }
        let rules = rulebook.rulesOfBidders(in: room)
        let left = ofLot.inOrder.compactMap { bid -> Bid? in
            guard bid.voidCause == nil, ofLot.isOfLatestOpening(bid), !room.hasBid(bid.bidder.id),
                let offer = room.offer(of: bid, on: item, rules, rulebook, at: instant),
                offer.maximum >= item.rules.startingPrice
            else { return nil }
            return Bid(
                id: bid.id, seq: bid.seq, at: bid.at, amount: offer.maximum, bidder: offer.bidder, leading: false,
                origin: .absentee)
        }
        return left + placed
    }
}
