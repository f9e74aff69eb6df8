internal import AuctionDomain
internal import Permissions

/// A sealed format of the product, changed according to the planted bug.
struct BrokenSealed: AuctionFormat {
    static let bugs: Set<SimulationBug> = [.absenteeJudgedAtClose, .absenteeLosersShown, .absenteeCutForgotten]
    let whole: any AuctionFormat
    let bug: SimulationBug

    var name: AuctionFormatName { whole.name }
    var isSealed: Bool { true }

    func problem(with rules: AuctionRules) -> RulesProblem? { whole.problem(with: rules) }
    func nextMinimum(in room: Room, for user: UserID?) -> Money? { whole.nextMinimum(in: room, for: user) }
    func reserveMet(in room: Room) -> Bool? { whole.reserveMet(in: room) }
    func listed(in context: inout DecisionContext) -> [EventBody] { whole.listed(in: &context) }
    func closed(in context: inout DecisionContext) -> [EventBody] { whole.closed(in: &context) }

    func opened(in context: inout DecisionContext) -> [EventBody] {
        whole.opened(in: &context).map { event in
            guard bug == .absenteeCutForgotten, case .countdownStarted(let end, let drop, let cuts) = event else {
                return event
            }
            return .countdownStarted(endsAt: end, nextDropAt: drop, cuts: cuts.map { _ in [] })
        }
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        try whole.placeBid(bid, from: minimum, by: person, in: &context)
    }

    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        try whole.retractBid(bid, reason: reason, by: person, in: &context)
    }

    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool {
        whole.showsAmount(of: bidder, after: outcome, to: user)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome { whole.outcome(in: judged(context)) }

    func decisive(for outcome: RoundResult.Outcome, in context: DecisionContext) -> [EventBody] {
        let events = whole.decisive(for: outcome, in: judged(context))
        guard bug == .absenteeLosersShown, let rules = context.room.rules else { return events }
        let shown = events.compactMap { if case .bidPlaced(let placed) = $0 { placed.bid } else { nil } }
        let others = opened(in: context.room).filter { !shown.contains($0.id) && !context.room.hasBid($0.bidder.id) }
        return events
            + others.compactMap { bid in
                bid.most.map { most in
                    .bidPlaced(
                        BidPlaced(
                            bid: bid.id, amount: most, bidder: bid.bidder, leading: false, origin: .absentee, isSealed: true,
                            nextMinimum: rules.startingPrice, endsAt: context.room.endsAt))
                }
            }
    }

    /// The absentee bids of the running round that are not void.
    private func opened(in room: Room) -> [AbsenteeBid] {
        guard let lots = room.absentees?.lots.first(where: { $0.lot == room.item?.lot }), let opened = lots.bids.openedSeq
        else {
            return []
        }
        return lots.bids.inOrder.filter { $0.voidCause == nil && $0.seq < opened && $0.seq >= lots.bids.cancelledSeq ?? 0 }
    }

    /// With the bids of those alone who may bid now.
    private func judged(_ context: DecisionContext) -> DecisionContext {
        guard bug == .absenteeJudgedAtClose, let absentees = context.room.absentees else { return context }
        let lots = absentees.lots.map { lot, bids in
            let judged = bids.inOrder.map { bid in
                let member = context.room.member(bid.bidder.id)
                let mayBid = member.map { !$0.isBanned && $0.role != .viewer } ?? false
                return AbsenteeBid(
                    id: bid.id, seq: bid.seq, at: bid.at, bidder: bid.bidder, maximum: bid.maximum, voidCause: bid.voidCause,
                    cut: mayBid ? bid.cut : AbsenteeBid.Cut(amount: nil))
            }
            return (
                lot,
                AbsenteeBids.OfLot(
                    judged, openedSeq: bids.openedSeq, cancelledSeq: bids.cancelledSeq, merged: bids.merged)
            )
        }
        return DecisionContext(
            room: context.room.with(AbsenteeBids(stored: lots)), rulebook: context.rulebook, instant: context.instant,
            identifiers: context.identifiers)
    }
}
