extension AuctionFormatName {
    public static let english = AuctionFormatName(rawValue: "english")
}

/// The open ascending auction: the highest bid when the hammer falls wins and pays its amount.
struct EnglishFormat: AuctionFormat {
    let name = AuctionFormatName.english

    func nextMinimum(in room: Room, for user: UserID?) -> Money? {
        guard let rules = room.rules else { return nil }
        guard let price = room.currentPrice else { return rules.startingPrice }
        return minimum(above: price, rules)
    }

    func placeBid(
        _ bid: PlaceBid, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard let rules = context.room.rules, let amount = bid.amount else {
            throw .unavailable(.placeBid, in: context.room.state)
        }
        let id: BidID = context.identifiers.next()
        let placed = BidPlaced(
            bid: id, amount: amount, bidder: person, leading: true, nextMinimum: minimum(above: amount, rules),
            endsAt: endsAt(after: context, rules))
        return BidDecision(events: [.bidPlaced(placed)], bid: id)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome {
        guard let winner = context.room.currentBid else { return .passed(.noBids) }
        return .sold(to: winner.bidder, price: winner.amount)
    }

    private func minimum(above price: Money, _ rules: AuctionRules) -> Money {
        price + rules.increment.step(above: price)
    }

    private func endsAt(after context: DecisionContext, _ rules: AuctionRules) -> Timestamp {
        switch rules.countdown {
        // An outage may have moved the end beyond a full countdown; a bid never brings the hammer nearer.
        case .reset, .extend, .fixed: max(context.instant + rules.bidding, context.room.endsAt ?? context.instant)
        }
    }
}
