/// The common part of sealed formats: amounts are visible only to their bidders until the round closes, and only each
/// bidder's latest bid stands. The formats differ in the price that the winner pays.
protocol SealedFormat: AuctionFormat {
    /// The price that the winner pays; called only if the reserve price is reached.
    /// - Parameter others: the standing bids of all other bidders.
    func price(of winner: Bid, among others: [Bid], _ rules: AuctionRules) -> Money
    /// Whether the winner may pay what another bidder has bid.
    var paysSecondPrice: Bool { get }
}

extension SealedFormat {
    var isSealed: Bool { true }
    var paysSecondPrice: Bool { false }

    func problem(with rules: AuctionRules) -> RulesProblem? {
        rules.problem(withoutFieldsOf: [.dutch, .buyNow]) ?? rules.problemInOrderOfPrices()
    }

    /// One minor unit above the user's own standing bid; independent of other bids, so a refusal reveals nothing about them.
    func nextMinimum(in room: Room, for user: UserID?) -> Money? {
        if let own = user.flatMap({ room.sealedAmount(of: $0) }) { return minimum(above: own) }
        return room.rules?.startingPrice
    }

    private func minimum(above own: Money) -> Money { own + Money(minorUnits: 1) }

    /// Nil until the round is closed, because whether the reserve is met reveals amounts.
    func reserveMet(in room: Room) -> Bool? {
        guard room.rules?.reservePrice != nil, let outcome = room.currentResult?.outcome else { return nil }
        if case .sold = outcome { return true }
        return false
    }

    /// Commits to the seed that decides ties: its hash is public before the first bid, so the seed cannot be chosen afterwards.
    func listed(in context: inout DecisionContext) -> [EventBody] {
        guard context.room.rules?.tie == .draw, let seed = context.identifiers.drawSeed else { return [] }
        return [.drawCommitted(seed: seed)]
    }

    /// What each absentee bid offers is decided here, once: from now on it stands like a bid that was placed.
    func opened(in context: inout DecisionContext) -> [EventBody] {
        let bidding = context.room.rules?.firstCountdown ?? AuctionRules.defaultBidding
        return [.countdownStarted(endsAt: context.instant + bidding, nextDropAt: nil, cuts: context.absenteeCuts())]
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard bid.maximum == nil else { throw .withoutMaximum(name) }
        guard let amount = bid.amount else { throw .amountMissing }
        let placed = BidPlaced(
            bid: context.identifiers.next(), amount: amount, bidder: person, leading: false, isSealed: true,
            nextMinimum: context.room.rules?.startingPrice, endsAt: context.room.endsAt)
        return BidDecision(placing: placed, nextMinimum: self.minimum(above: amount), in: context)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome {
        let standing = context.room.sealedStanding()
        guard let rules = context.room.rules, let top = standing.map(\.amount).max() else { return .passed(.noBids) }
        if let reserve = rules.reservePrice, top < reserve { return .passed(.reserveNotMet) }
        let tied = standing.filter { $0.amount == top }
        guard let winner = SealedTie.winner(among: tied, drawnBy: context.room.drawSeed) else { return .passed(.noBids) }
        let others = standing.filter { $0.bidder.id != winner.bidder.id }
        return .sold(to: winner.bidder, price: price(of: winner, among: others, rules))
    }

    /// Places the absentee bids that decide: the winner's, the one whose amount the winner pays, those among which a draw decides, and the
    /// highest of a round that passes. All others stay secret.
    func decisive(for outcome: RoundResult.Outcome, in context: DecisionContext) -> [EventBody] {
        guard context.room.hasOpenedAbsentees, let rules = context.room.rules else { return [] }
        let standing = context.room.sealedStanding()
        let top = standing.map(\.amount).max()
        var deciding = standing.filter { $0.amount == top }
        if case .sold(let winner, let price) = outcome {
            if context.room.drawSeed == nil { deciding.removeAll { $0.bidder.id != winner.id } }
            let others = standing.filter { $0.bidder.id != winner.id && paysSecondPrice }
            if let second = others.first(where: { $0.amount == price }), !deciding.contains(second) { deciding.append(second) }
        } else {
            deciding = Array(deciding.prefix(1))
        }
        return deciding.filter { $0.origin == .absentee }.map { bid in
            .bidPlaced(
                BidPlaced(
                    bid: bid.id, amount: bid.amount, bidder: bid.bidder, leading: false, origin: .absentee, isSealed: true,
                    nextMinimum: rules.startingPrice, endsAt: context.room.endsAt))
        }
    }

    func closed(in context: inout DecisionContext) -> [EventBody] {
        context.room.drawSeed.map { [.drawRevealed(seed: $0)] } ?? []
    }

    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool {
        outcome != nil || bidder == user
    }
}

/// Decides which of several equal sealed bids wins.
enum SealedTie {
    /// With a seed, the winner is the bidder at index `seed % count` in the order of user ids, which clients can verify once
    /// the seed is public. Without a seed the earliest standing bid wins. Nil if there are no bids.
    static func winner(among tied: [Bid], drawnBy seed: DrawSeed?) -> Bid? {
        guard let seed, tied.count > 1 else { return tied.min { $0.seq < $1.seq } }
        return tied.sorted { $0.bidder.id < $1.bidder.id }[Int(seed.bits % UInt128(tied.count))]
    }
}
