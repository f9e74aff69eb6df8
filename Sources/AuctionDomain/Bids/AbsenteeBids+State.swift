/// What an absentee bid has become.
package enum AbsenteeStanding: Hashable, Sendable {
    /// It waits for the opening of its lot.
    case standing
    /// It does not act any more.
    case void(AbsenteeBid.VoidCause)
    /// It leads the running round.
    case leading
    /// The round runs, and another bid leads.
    case outbid
    /// It is a sealed bid of the running round.
    case sealed
    /// Its bidder bought the lot.
    case won
    /// Another bidder bought the lot.
    case lost
    /// The lot was not sold, or its sale was voided.
    case passed
    /// It was used up by an opening at which it could not act, or whose round was cancelled.
    case unused
}

extension Room {
    /// All absentee bids; nil if there are none. For snapshots.
    package var absentees: AbsenteeBids? { fields.value.hand?.absentee.value }

    /// How many absentee bids on the lot were given and not taken back, also void and used ones.
    package func absenteeCount(on lot: LotID) -> Int { absentees?[lot]?.count ?? 0 }

    /// The user's absentee bid on the lot; nil if they have none.
    package func absenteeBid(of user: UserID, on lot: LotID) -> AbsenteeBid? { absentees?[lot]?.bids[user] }

    /// The lots on which the user has an absentee bid, in no particular order.
    package func lotsWithAbsenteeBid(of user: UserID) -> [LotID] { absentees?.lots(of: user).map { Array($0.all) } ?? [] }

    func hasAbsenteeBid(_ user: UserID) -> Bool { absentees?.lots(of: user) != nil }

    /// What the user's absentee bid on the lot has become; nil if they have none.
    package func absenteeStanding(of user: UserID, on lot: LotID) -> AbsenteeStanding? {
        guard let ofLot = absentees?[lot], let bid = ofLot.bids[user], let lot = lots[lot] else { return nil }
        if let cause = bid.voidCause { return .void(cause) }
        guard ofLot.isUsed(bid) else { return .standing }
        guard ofLot.isOfLatestOpening(bid), bid.most != nil else { return .unused }
        switch lot.state {
        case .queued, .withdrawn: return .unused
        case .passed, .voided: return .passed
        case .sold: return wins(lot, user) ? .won : .lost
        case .current:
            guard isRunning else { return .unused }
            if lot.content.upload.rules.format != .english { return .sealed }
            return currentBid?.bidder.id == user ? .leading : .outbid
        }
    }

    /// Whether bidding of the round is open, or paused.
    var isRunning: Bool { state == .auctioning || pause?.from == .auctioning }

    private func wins(_ lot: Lot, _ user: UserID) -> Bool {
        lot.round.flatMap { results.row(ofRound: $0) }?.winner?.id == user
    }

    /// The lots on which the user's absentee bid waits for the opening: `AbsenteeBids.waitingLimit` at most, unless a link has joined
    /// those of two users.
    func lotsWithWaitingBid(of user: UserID) -> LotSet { absentees?.lots(of: user)?.waiting ?? LotSet() }

    /// Whether the user's absentee bid on the lot waits for its opening.
    package func absenteeStands(of user: UserID, on lot: LotID) -> Bool { lotsWithWaitingBid(of: user).contains(lot) }

    /// Whether the user may take back their bid on the lot, or any without one: it was not opened since.
    func hasUnusedBid(_ user: UserID, on lot: LotID?) -> Bool {
        guard let lots = absentees?.lots(of: user) else { return false }
        guard let lot else { return !lots.waiting.isEmpty || !lots.void.isEmpty }
        return lots.waiting.contains(lot) || lots.void.contains(lot)
    }

    /// What the user would owe with a bid of at most `liability` and their waiting absentee bids, except for one lot's. It saturates.
    func debtWithAbsentees(of user: UserID, with liability: Money, except lot: LotID? = nil) -> Money {
        let (debt, waiting) = (debt(of: user, with: liability), absenteeLiability(of: user, except: lot))
        let (total, overflows) = debt.minorUnits.addingReportingOverflow(waiting)
        return Money(minorUnits: overflows ? .max : total)
    }

    /// The most that the user's waiting absentee bids may cost, except for one lot's, in minor units. It saturates.
    func absenteeLiability(of user: UserID, except lot: LotID? = nil) -> Int64 {
        guard let absentees else { return 0 }
        return lotsWithWaitingBid(of: user).reduce(0) { sum, other in
            guard other != lot, let bid = absentees[other]?.bids[user] else { return sum }
            let most = lots[other]?.content.upload.rules.capped(bid.maximum) ?? bid.maximum
            let (total, overflows) = sum.addingReportingOverflow(most.minorUnits)
            return overflows ? .max : total
        }
    }
}

extension AuctionRules {
    /// The most that a bid up to `maximum` may cost.
    func capped(_ maximum: Money) -> Money { buyNowPrice.map { min(maximum, $0) } ?? maximum }
}

// Folds what concerns absentee bids.
extension RoomFields {
    /// Nothing happens in a room without absentee bids.
    mutating func changeAbsentees(_ change: (inout AbsenteeBids) -> Void) {
        guard var bids = hand?.absentee.value else { return }
        change(&bids)
        hand?.absentee.value = bids.isEmpty ? nil : bids
    }

    mutating func apply(_ changed: LotBidsChanged, in event: Event) {
        guard let id = changed.bid, let maximum = changed.maximum else {
            return changeAbsentees { $0.remove(of: changed.bidder.id, on: changed.lot) }
        }
        let bid = AbsenteeBid(id: id, seq: event.seq, at: event.at, bidder: changed.bidder, maximum: maximum)
        changeHand { hand in
            var bids = hand.absentee.value ?? AbsenteeBids()
            bids.set(bid, on: changed.lot)
            hand.absentee.value = bids
        }
    }

    /// Voids the bids of the user that wait. A bid whose lot was opened has acted, or is a sealed bid like one that was placed.
    mutating func voidAbsentees(of user: UserID, because cause: AbsenteeBid.VoidCause) {
        changeAbsentees { $0.void(of: user, because: cause) }
    }

    /// Voids the bids that wait on a lot if its format becomes another one.
    mutating func voidAbsentees(on lot: LotID, becoming format: AuctionFormatName) {
        guard hand?.absentee.value != nil, let old = lots[lot]?.content.upload.rules.format, old != format else { return }
        changeAbsentees { $0.void(on: lot, because: .formatChanged) }
    }
}
