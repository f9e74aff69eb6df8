import Permissions

extension AuctionFormatName {
    /// `DutchFormat`.
    package static let dutch = AuctionFormatName(rawValue: "dutch")
}

/// The descending auction: the price drops in steps, and the first bidder wins at the current price.
struct DutchFormat: AuctionFormat {
    let name = AuctionFormatName.dutch

    /// The most drops from the starting price to the floor; bounded because each is an event.
    static let dropLimit = 10_000

    /// The schedule of price drops: from `start` to `floor`, by `step` minor units every `tick`.
    private struct Schedule {
        let start: Money
        let floor: Money
        let step: Int64
        let tick: Seconds

        /// Nil if the rules are not those of a Dutch auction.
        init?(_ rules: AuctionRules) {
            guard let floor = rules.floorPrice, let tick = rules.dutchTick, case .fixed(let step) = rules.increment,
                step.minorUnits > 0
            else { return nil }
            (start, self.floor, self.step, self.tick) = (rules.startingPrice, floor, step.minorUnits, tick)
        }

        /// The number of drops from start to floor; the last one may be smaller than a step.
        var drops: Int64 {
            let (whole, rest) = (start.minorUnits - floor.minorUnits).quotientAndRemainder(dividingBy: step)
            return whole + (rest > 0 ? 1 : 0)
        }

        func price(below price: Money) -> Money { max(floor, Money(minorUnits: price.minorUnits - step)) }
    }

    func problem(with rules: AuctionRules) -> RulesProblem? {
        if let problem = rules.problem(withoutFieldsOf: [.reserve, .buyNow, .sealed]) { return problem }
        guard let floor = rules.floorPrice else { return .missing("floorPrice", in: name) }
        guard rules.dutchTick != nil else { return .missing("dutchTickSeconds", in: name) }
        guard floor <= rules.startingPrice else {
            return RulesProblem(
                field: "floorPrice",
                LocalizedText(
                    "\"rules.floorPrice\" must be at most \"rules.startingPrice\".",
                    "rules.floorPrice 不得高于 rules.startingPrice。"))
        }
        guard let schedule = Schedule(rules) else {
            return RulesProblem(
                field: "increment",
                LocalizedText(
                    "\"rules.increment\" must be fixed in the format \"\(name)\".",
                    "\(name) 拍卖的 rules.increment 须为 fixed。"))
        }
        guard schedule.drops <= Self.dropLimit else {
            return RulesProblem(
                field: "increment",
                LocalizedText(
                    "\"rules.increment\" must be larger: at most \(Self.dropLimit) drops lead to the floor.",
                    "rules.increment 过小:降至底价最多允许 \(Self.dropLimit) 次。"))
        }
        return nil
    }

    func nextMinimum(in room: Room, for user: UserID?) -> Money? { room.askingPrice ?? room.rules?.startingPrice }

    /// A bidder who bids more than the asking price still pays the asking price.
    func liability(of bid: PlaceBid, in room: Room) -> Money? { nextMinimum(in: room, for: nil) }

    /// The first price is an event like every later one, so the asking price is always that of the latest event.
    func opened(in context: inout DecisionContext) -> [EventBody] {
        guard let schedule = context.room.rules.flatMap(Schedule.init) else { return [] }
        let tick = Int64(schedule.tick.count) * 1000
        let end = context.instant.advanced(byMilliseconds: (schedule.drops + 1) * tick)
        let drop = schedule.drops > 0 ? context.instant + schedule.tick : nil
        return [
            .countdownStarted(endsAt: end, nextDropAt: drop), .priceDropped(price: schedule.start, nextDropAt: drop),
        ]
    }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        guard bid.maximum == nil else { throw .withoutMaximum(name) }
        guard bid.amount != nil else { throw .amountMissing }
        guard let price = context.room.askingPrice else { throw .unavailable(.placeBid, in: context.room.state) }
        let placed = BidPlaced(
            bid: context.identifiers.next(), amount: price, bidder: person, leading: true, nextMinimum: nil,
            endsAt: context.room.endsAt)
        return BidDecision(placing: placed, nextMinimum: price, outcome: .sold(to: person, price: price), in: context)
    }

    /// Drops the price by one step. The next drop is scheduled from the due time, however late the timer fired.
    func priceDropDue(in context: inout DecisionContext) -> [EventBody] {
        guard let schedule = context.room.rules.flatMap(Schedule.init), let asking = context.room.askingPrice,
            let due = context.room.nextDropAt
        else { return [] }
        let price = schedule.price(below: asking)
        return [.priceDropped(price: price, nextDropAt: price > schedule.floor ? due + schedule.tick : nil)]
    }

    /// The latest price stays valid for at least min(tick, 60 s) after `ready`; all later drops and the deadline move by the same.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        let room = context.room
        guard let end = room.endsAt, let tick = room.rules?.dutchTick else { return [] }
        let missed = (ready + min(tick, AuctionRules.longestExtension)).milliseconds(since: room.nextDropAt ?? end)
        guard missed > 0 else { return [] }
        return [
            .countdownMoved(
                CountdownMoved(
                    from: end, to: end.advanced(byMilliseconds: missed),
                    nextDropAt: room.nextDropAt?.advanced(byMilliseconds: missed), cause: cause))
        ]
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome {
        guard let taken = context.room.currentBid else { return .passed(.noBids) }
        return .sold(to: taken.bidder, price: taken.amount)
    }
}
