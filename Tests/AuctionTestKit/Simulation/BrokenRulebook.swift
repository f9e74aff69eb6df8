internal import AuctionDomain
internal import Permissions
internal import StateMachines

extension RoomRulebook {
    /// The product's rulebook, changed to contain the planted bug, if any.
    static func broken(by bug: SimulationBug?) throws -> RoomRulebook {
        // The message rate limit would refuse most messages of a simulated run.
        let product = try RoomRulebook.product(limits: RoomLimits(messagesPerSecond: 0))
        let offers = SimulatedOffers(bug: bug)
        guard let bug else {
            return RoomRulebook(
                states: product.states, formats: product.formats, permissions: product.permissions, limits: product.limits,
                offers: offers)
        }
        let forgotten: [SimulationBug: String] = [
            .minimumForgotten: "bid.below_minimum", .hostPausesOwnBid: "pause.has_bid",
            .wrongItemTaken: "bid.wrong_item", .reofferedWhileSold: "reoffer.not_ended", .floorBidOnOwnItem: "floor.own_item",
            .offerTakenByAnother: "offer.not_yours", .absenteeTakenBackLate: "absentee.used",
        ]
        let rules = product.permissions.rules.filter { $0.id != forgotten[bug] }.map { rule in
            // Without the rule there would be no applications, either.
            bug == .unapprovedBids && rule.id == OptionalRule.notApproved ? rule.denyingNothing : rule
        }
        return RoomRulebook(
            states: try RoomStates(product.states.all.map { BrokenState(whole: $0, bug: bug) }),
            formats: AuctionFormats(
                product.formats.all.map {
                    if $0.isSealed, BrokenSealed.bugs.contains(bug) { return BrokenSealed(whole: $0, bug: bug) }
                    return $0.name == .english && BrokenEnglish.bugs.contains(bug) ? BrokenEnglish(whole: $0, bug: bug) : $0
                }),
            permissions: try RoomPermissionCenter(rules: rules), limits: product.limits, offers: offers)
    }
}

extension PermissionRule {
    fileprivate var denyingNothing: Self {
        Self(
            id: id, action: action, priority: priority, category: category, isPermanent: isPermanent,
            isEnabledByDefault: isEnabledByDefault, description: description, denies: { _ in false },
            because: { _ in DenialReason(LocalizedText("", "")) })
    }
}

/// Wraps a state of the product and changes its events according to the planted bug.
private struct BrokenState: RoomStateObject {
    let whole: any RoomStateObject
    let bug: SimulationBug

    var name: RoomState { whole.name }
    var description: LocalizedText { whole.description }
    var isRound: Bool { bug != .linkedDuringRound && whole.isRound }
    var allowedActions: [RoomAction] { whole.allowedActions }
    var transitions: [Transition<RoomState, TransitionCause>] { whole.transitions }
    var incomingTransitions: [IncomingTransition] { whole.incomingTransitions }

    func entered(_ context: inout DecisionContext) -> [EventBody] { whole.entered(&context) }

    func enter(
        by incomingTransition: IncomingTransition, _ person: Person?, _ requested: AuctionTransition,
        in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        try whole.enter(by: incomingTransition, person, requested, in: &context)
    }

    func uploadItem(
        _ item: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        try whole.uploadItem(item, by: person, in: &context)
    }

    func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        try whole.adjustRules(of: item, patch, by: person, in: &context)
    }

    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let events = broken(try whole.perform(step, requested, by: person, in: &context), context)
        guard bug == .warningMovesCountdown, case .warningGiven? = events.last, let end = context.room.endsAt else {
            return events
        }
        return events + [.countdownMoved(CountdownMoved(from: end, to: end + Seconds(5), cause: .maximum))]
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        var decision = try whole.placeBid(bid, from: minimum, by: person, in: &context)
        decision.events = broken(decision.events, context)
        return decision
    }

    func placeFloorBid(
        _ bid: PlaceBid, paddle: String?, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        var decision = try whole.placeFloorBid(bid, paddle: paddle, from: minimum, by: person, in: &context)
        decision.events = broken(decision.events, context)
        return decision
    }

    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let events = try whole.retractBid(bid, reason: reason, by: person, in: &context)
        return events.filter { event in
            switch event {
            case .maximumVoided: bug != .maximumRestored
            case .countdownMoved: bug != .deadlineStaysAfterRetraction
            default: true
            }
        }
    }

    func timerFired(in context: inout DecisionContext) -> [EventBody] {
        if name == .auctioning, let end = context.room.endsAt, context.instant >= end {
            if bug == .roundNeverCloses { return [] }
            if bug == .bidAtDeadline, context.instant == end { return [] }
        }
        if bug == .saleWithoutHost, name == .closed { return timerFiredWithHost(&context) }
        if bug == .unattendedSaleStops, name == .closed, context.room.hostGoneSince != nil {
            return [.sale(.stopped(.hostGone, by: nil))]
        }
        if bug == .drawSeedForgotten {
            return whole.timerFired(in: &context).filter { if case .drawCommitted = $0 { false } else { true } }
        }
        return broken(whole.timerFired(in: &context), context)
    }

    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        if bug == .outageForgotten, cause == .outage { return [] }
        if bug == .jumpForgotten, cause == .clock { return [] }
        if bug == .pauseLostInOutage, name == .closed { return [] }
        if bug == .hostWaitNotRestarted, name == .paused { return [] }
        let later = bug == .extendedTooFar && name == .auctioning ? ready + Seconds(60) : ready
        if bug == .outageNamedJump { return whole.serviceReturned(ready: context.instant, cause: .clock, in: &context) }
        return whole.serviceReturned(ready: later, cause: cause, in: &context)
    }

    /// What would happen if the host were there.
    private func timerFiredWithHost(_ context: inout DecisionContext) -> [EventBody] {
        var room = context.room
        if room.hostGoneSince != nil { _ = room.record([.hostReturned(room.host)], at: context.instant) }
        var other = DecisionContext(
            room: room, rulebook: context.rulebook, instant: context.instant, identifiers: context.identifiers)
        defer { context.identifiers = other.identifiers }
        return whole.timerFired(in: &other)
    }

    private func broken(_ events: [EventBody], _ context: DecisionContext) -> [EventBody] {
        events.map { event in
            switch (bug, event) {
            case (.wrongWinner, .itemSold(let winner, let price, let lot)):
                let others = context.room.bids.all.map(\.bidder).filter { $0.id != winner.id }
                return .itemSold(winner: others.last ?? winner, price: price, lot: lot)
            case (.wrongPrice, .itemSold(let winner, let price, let lot)):
                let own = context.room.bids.all.last { $0.bidder.id == winner.id }?.amount
                return .itemSold(winner: winner, price: max(own ?? price, price), lot: lot)
            case (.lotSkipped, .itemUploaded(let item)) where item.lot != nil:
                let queued = context.room.lots.lots().filter { $0.state == .queued }.prefix(2)
                return .itemUploaded(queued.last.map { context.room.lots.item(of: $0) } ?? item)
            case (.lotSoldTwice, .itemUploaded(let item)) where item.lot != nil:
                let sold = context.room.lots.lots().first { $0.state == .sold }
                return .itemUploaded(sold.map { context.room.lots.item(of: $0) } ?? item)
            case (.lotStaysCurrent, .itemSold(let winner, let price, _)):
                return .itemSold(winner: winner, price: price, lot: nil)
            case (.pauseBetweenLotsForgotten, .countdownStarted) where name == .auctioning:
                return .countdownStarted(endsAt: context.instant, nextDropAt: nil)
            case (.firstDropLate, .priceDropped(let price, let drop?)) where name != .auctioning:
                return .priceDropped(price: price, nextDropAt: drop + Seconds(1))
            case (.countdownStandsStill, .bidPlaced(let bid)): return .bidPlaced(bid.with(endsAt: context.room.endsAt))
            case (.reserveMetLate, .bidPlaced(let bid)):
                return .bidPlaced(bid.with(reserveMet: context.rulebook.reserveMet(in: context.room)))
            case (.sealedAmountShows, .bidPlaced(let bid)): return .bidPlaced(bid.with(endsAt: bid.endsAt, isSealed: false))
            default: return event
            }
        }
    }
}

/// The product's English format, changed according to the planted bug.
private struct BrokenEnglish: AuctionFormat {
    static let bugs: Set<SimulationBug> = [
        .bannedMaximumStays, .askOverpaid, .askIgnored, .absenteeUsedTwice, .absenteeAboveMaximum, .absenteeOutOfOrder,
        .absenteeVoidForgotten,
    ]
    let whole: any AuctionFormat
    let bug: SimulationBug

    var name: AuctionFormatName { whole.name }

    func liability(of bid: PlaceBid, in room: Room) -> Money? {
        // What the leader's maximum costs, which a ban asks before it ends that.
        let isOfLeader = bid.amount == nil && bid.maximum == room.leaderMaximum
        return bug == .bannedMaximumStays && isOfLeader ? nil : whole.liability(of: bid, in: room)
    }

    /// With other absentee bids than the room has.
    func opened(in context: inout DecisionContext) -> [EventBody] {
        guard let absentees = context.room.absentees else { return whole.opened(in: &context) }
        var other = DecisionContext(
            room: context.room.with(broken(absentees, at: context.room.item?.lot)), rulebook: context.rulebook,
            instant: context.instant,
            identifiers: context.identifiers)
        return whole.opened(in: &other)
    }

    func openingSale(in room: Room) -> RoundResult.Outcome? { whole.openingSale(in: room) }

    private func broken(_ absentees: AbsenteeBids, at opening: LotID?) -> AbsenteeBids {
        var lots = absentees.lots
        if bug == .absenteeUsedTwice, let opening {
            let used = lots.filter { $0.lot != opening && $0.bids.openedSeq != nil }.flatMap(\.bids.inOrder)
            lots.removeAll { $0.lot == opening }
            lots.append((opening, AbsenteeBids.OfLot((absentees.lots.first { $0.lot == opening }?.bids.inOrder ?? []) + used)))
        }
        return AbsenteeBids(
            stored: lots.map { lot, ofLot in
                let bids = ofLot.inOrder
                let changed = zip(bids, bids.reversed()).map { bid, opposite in
                    AbsenteeBid(
                        id: bid.id, seq: bug == .absenteeOutOfOrder ? opposite.seq : bid.seq, at: bid.at, bidder: bid.bidder,
                        maximum: bug == .absenteeAboveMaximum ? bid.maximum + Money(minorUnits: 700) : bid.maximum,
                        voidCause: bug == .absenteeVoidForgotten ? nil : bid.voidCause)
                }
                return (
                    lot,
                    AbsenteeBids.OfLot(
                        changed, openedSeq: ofLot.openedSeq, cancelledSeq: ofLot.cancelledSeq, merged: ofLot.merged)
                )
            })
    }

    func problem(with rules: AuctionRules) -> RulesProblem? { whole.problem(with: rules) }
    func nextMinimum(in room: Room, for user: UserID?) -> Money? {
        guard bug == .askIgnored, let rules = room.rules, let price = room.currentPrice else {
            return whole.nextMinimum(in: room, for: user)
        }
        let next = price + rules.increment.base.step(above: price)
        return rules.buyNowPrice.map { min($0, next) } ?? next
    }
    func reserveMet(in room: Room) -> Bool? { whole.reserveMet(in: room) }
    func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool { whole.letsLeaderPlace(bid, in: room) }
    func outcome(in context: DecisionContext) -> RoundResult.Outcome { whole.outcome(in: context) }

    func deadline(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? {
        whole.deadline(afterBidAt: instant, in: room)
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        var decision = try whole.placeBid(bid, from: minimum, by: person, in: &context)
        guard bug == .askOverpaid, let increment = context.room.rules?.increment, increment != increment.base else {
            return decision
        }
        decision.events = decision.events.map { event in
            guard case .bidPlaced(let placed) = event, placed.automatic, let top = context.room.leaderMaximum else {
                return event
            }
            return .bidPlaced(placed.with(amount: max(placed.amount, min(top, placed.amount + Money(minorUnits: 1)))))
        }
        return decision
    }
}

extension BidPlaced {
    fileprivate func with(amount: Money) -> BidPlaced {
        BidPlaced(
            bid: bid, amount: amount, bidder: bidder, leading: leading, origin: origin, maximum: maximum,
            isSealed: isSealed, nextMinimum: nextMinimum, reserveMet: reserveMet, endsAt: endsAt)
    }

    fileprivate func with(endsAt: Timestamp?, isSealed: Bool? = nil) -> BidPlaced {
        BidPlaced(
            bid: bid, amount: amount, bidder: bidder, leading: leading, origin: origin, maximum: maximum,
            isSealed: isSealed ?? self.isSealed, nextMinimum: nextMinimum, reserveMet: reserveMet, endsAt: endsAt)
    }

    fileprivate func with(reserveMet: Bool?) -> BidPlaced {
        BidPlaced(
            bid: bid, amount: amount, bidder: bidder, leading: leading, origin: origin, maximum: maximum,
            isSealed: isSealed, nextMinimum: nextMinimum, reserveMet: reserveMet, endsAt: endsAt)
    }
}
