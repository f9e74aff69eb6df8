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
    package func lotsWithAbsenteeBid(of user: UserID) -> [LotID] { absentees?.lots(of: user) ?? [] }

    func hasAbsenteeBid(_ user: UserID) -> Bool { !lotsWithAbsenteeBid(of: user).isEmpty }

    /// What the user's absentee bid on the lot has become; nil if they have none.
    package func absenteeStanding(of user: UserID, on lot: LotID) -> AbsenteeStanding? {
        guard let ofLot = absentees?[lot], let bid = ofLot.bids[user], let lot = lots[lot] else { return nil }
        guard ofLot.isUsed(bid) else {
            if lot.state == .withdrawn { return .void(.lotWithdrawn) }
            return bid.voidCause.map { .void($0) } ?? .standing
        }
        let format = lot.content.upload.rules.format
        guard ofLot.isOfLatestOpening(bid), format != .dutch else { return .unused }
        switch lot.state {
        case .queued, .withdrawn: return .unused
        case .passed, .voided: return .passed
        case .sold: return wins(lot, user) ? .won : .lost
        case .current:
            guard isRunning else { return .unused }
            if format != .english { return bid.voidCause.map { .void($0) } ?? .sealed }
            return currentBid?.bidder.id == user ? .leading : .outbid
        }
    }

    /// Whether bidding of the round is open, or paused.
    private var isRunning: Bool { state == .auctioning || pause?.from == .auctioning }

    private func wins(_ lot: Lot, _ user: UserID) -> Bool {
        lot.round.flatMap { results.row(ofRound: $0) }?.winner?.id == user
    }

    /// Whether the user's absentee bid on the lot waits for its opening.
    package func absenteeStands(of user: UserID, on lot: LotID) -> Bool {
        absenteeStanding(of: user, on: lot) == .standing
    }

    /// Whether the lot was opened since the user left their bid on it.
    func absenteeIsUsed(of user: UserID, on lot: LotID) -> Bool {
        guard let ofLot = absentees?[lot], let bid = ofLot.bids[user] else { return false }
        return ofLot.isUsed(bid)
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
        return absentees.lots(of: user).reduce(0) { sum, other in
            guard other != lot, absenteeStands(of: user, on: other), let bid = absentees[other]?.bids[user] else { return sum }
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

    /// Voids the user's bids on lots that wait, or whose round is not over.
    mutating func voidAbsentees(of user: UserID, because cause: AbsenteeBid.VoidCause) {
        guard hand?.absentee.value != nil else { return }
        let lots = lots
        changeAbsentees { bids in
            bids.void(of: user, because: cause) { [.queued, .current].contains(lots[$0]?.state) }
        }
    }
}
