// In a sealed round an absentee bid is the sealed bid of its bidder until they place another one, and like a placed one it stands from the
// opening on, whatever becomes of its bidder. It is no event until the round closes: ten thousand would have to reach every stream.
extension Room {
    /// Whether the bidding of this round opened on a lot with absentee bids.
    var hasOpenedAbsentees: Bool {
        fields.value.openedAt != nil && item?.lot.flatMap { absentees?[$0]?.openedSeq } != nil
    }

    /// The user's standing bid of a sealed round; nil if they have none.
    package func sealedAmount(of user: UserID) -> Money? { bids.latest(of: user)?.amount ?? openedAbsentee(of: user)?.most }

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

    /// Whether an absentee bid stands that the opening of the current round, a sealed one, let act. No event shows it, but it is a bid.
    var hasSealedAbsentee: Bool {
        guard isRunning, let ofLot = item?.lot.flatMap({ absentees?[$0] }) else { return false }
        return ofLot.bids.contains { $0.voidCause == nil && ofLot.isOfLatestOpening($0) && $0.most != nil }
    }

    /// `RoomFields.sealedStanding`.
    func sealedStanding() -> [Bid] { fields.value.sealedStanding() }
}

extension RoomFields {
    /// The standing bids of a sealed round, the earliest first: of each bidder the latest that they placed, or else the absentee bid that
    /// the opening let act. That is as early as it was given, also once an event of the close shows it.
    func sealedStanding() -> [Bid] {
        let placed = bids.standing
        // A round that closes before it opens has none, though an earlier one of the lot may have opened, in another format.
        guard openedAt != nil, let lot = item?.lot, let ofLot = hand?.absentee.value?[lot], ofLot.openedSeq != nil else {
            return placed
        }
        let given = ofLot.inOrder.compactMap { bid -> Bid? in
            guard bid.voidCause == nil, ofLot.isOfLatestOpening(bid), let amount = bid.most else { return nil }
            if let own = bids.latest(of: bid.bidder.id), own.id != bid.id { return nil }
            let bidder = members[bid.bidder.id]?.person ?? bid.bidder
            return Bid(id: bid.id, seq: bid.seq, at: bid.at, amount: amount, bidder: bidder, leading: false, origin: .absentee)
        }
        return given + placed.filter { $0.origin != .absentee }
    }
}

extension DecisionContext {
    /// The absentee bids that may not act in full in the sealed round that opens now; nil if the lot has no absentee bids. Whether the event
    /// has a private part follows from their public number alone.
    func absenteeCuts() -> [AbsenteeCut]? {
        guard let item = room.item, let lot = item.lot, let ofLot = room.absentees?[lot] else { return nil }
        let rules = rulebook.rulesOfBidders(in: room)
        return ofLot.inOrder.compactMap { bid in
            guard bid.voidCause == nil, !ofLot.isUsed(bid) else { return nil }
            let most = room.offer(of: bid, on: item, rules, rulebook, at: instant)?.maximum
            let amount = most.flatMap { $0 < item.rules.startingPrice ? nil : $0 }
            return amount == bid.maximum ? nil : AbsenteeCut(bidder: bid.bidder.id, bid: bid.id, amount: amount)
        }
    }
}
