/// An auction format: how bids compete and who wins. One file per format; formats are stateless.
///
/// The permission center has allowed a bid, and the room's state accepts bids, before a format receives it.
package protocol AuctionFormat: Sendable {
    /// The value of `rules.format` that selects this format; unique.
    var name: AuctionFormatName { get }
    /// Whether an amount is visible only to its bidder until the round closes.
    var isSealed: Bool { get }

    /// The first problem of rules that name this format; nil if they are valid.
    func problem(with rules: AuctionRules) -> RulesProblem?

    /// The least amount of a bid by `user` now, or by any user if nil; the result is nil without an item.
    func nextMinimum(in room: Room, for user: UserID?) -> Money?

    /// Whether the reserve price is reached; nil without one, and while the format hides it.
    func reserveMet(in room: Room) -> Bool?

    /// Whether the leading bidder may place this bid, for instance to raise their maximum.
    func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool

    /// The most that the bid may cost its bidder, compared with their credit limit; nil if the bid has no amount.
    func liability(of bid: PlaceBid, in room: Room) -> Money?

    /// Whether `user` may see the amounts that `bidder` bid in a round; nil is a caller without an identity.
    /// - Parameter outcome: how the round ended; nil while it is running.
    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool

    /// The countdown's deadline after a bid is accepted or retracted at `instant`; nil if no countdown is running.
    func deadline(afterBidAt instant: Timestamp, in room: Room) -> Timestamp?

    /// Events of the start of the listing; runs within the start command, so its identifiers are available.
    func listed(in context: inout DecisionContext) -> [EventBody]

    /// Events of the opening of bidding, such as the start of the countdown.
    func opened(in context: inout DecisionContext) -> [EventBody]

    /// The outcome if absentee bids end the round at its opening; nil if it goes on.
    /// - Parameter room: After the events of the opening.
    func openingSale(in room: Room) -> RoundResult.Outcome?

    /// The effects of a bid that the permission rules allowed.
    /// - Parameter minimum: `nextMinimum` for the bidder; the permission rules have compared the bid with it.
    /// - Throws: a refusal if the format does not support the bid's fields or has no price to bid on.
    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision

    /// The events of retracting an own bid, which the permission rules allowed.
    /// - Throws: a refusal if there is no such bid.
    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]

    /// The events that are due at `Room.nextDropAt`.
    func priceDropDue(in context: inout DecisionContext) -> [EventBody]

    /// Extends deadlines after an outage or a clock jump, so that bidders get time to react; clients can connect from `ready` on.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody]

    /// The outcome if the round closed now.
    func outcome(in context: DecisionContext) -> RoundResult.Outcome

    /// The absentee bids without which the outcome of a round that closes now could not be explained, as events; they come before the close.
    func decisive(for outcome: RoundResult.Outcome, in context: DecisionContext) -> [EventBody]

    /// Events that disclose what was hidden until the round closed.
    func closed(in context: inout DecisionContext) -> [EventBody]
}

/// The effects of an accepted bid.
package struct BidDecision: Sendable {
    /// What the bid makes happen, in order; never empty.
    package var events: [EventBody]
    /// The bid in the caller's response: a new one, or the leading one whose maximum was raised. Where the raised maximum reaches the
    /// reserve price it is the automatic bid at that price.
    package let bid: Bid
    /// `AuctionFormat.nextMinimum` for the bidder after all events.
    package let nextMinimum: Money?
    /// The outcome if this bid closes the round; nil if the round continues.
    package let outcome: RoundResult.Outcome?

    /// A new bid.
    /// - Parameter later: the events that follow that of the bid.
    package init(
        placing placed: BidPlaced, then later: [EventBody] = [], nextMinimum: Money?, outcome: RoundResult.Outcome? = nil,
        in context: DecisionContext
    ) {
        events = later.isEmpty ? [.bidPlaced(placed)] : [.bidPlaced(placed)] + later
        bid = context.room.bid(placed, seq: context.firstSeq, at: context.instant)
        self.nextMinimum = nextMinimum
        self.outcome = outcome
    }

    init(events: [EventBody], bid: Bid, nextMinimum: Money?, outcome: RoundResult.Outcome?) {
        self.events = events
        self.bid = bid
        self.nextMinimum = nextMinimum
        self.outcome = outcome
    }

    /// A higher maximum of the leader.
    init(raising leading: Bid, events: [EventBody], nextMinimum: Money) {
        self.events = events
        bid = leading
        self.nextMinimum = nextMinimum
        outcome = nil
    }
}

extension AuctionFormat {
    /// By default amounts are public.
    package var isSealed: Bool { false }
    /// By default all rules are valid.
    package func problem(with rules: AuctionRules) -> RulesProblem? { nil }
    /// By default there is no reserve price.
    package func reserveMet(in room: Room) -> Bool? { nil }
    /// By default leaders may not bid.
    package func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool { false }
    /// By default no events.
    package func listed(in context: inout DecisionContext) -> [EventBody] { [] }

    /// By default starts the first countdown of the rules.
    package func opened(in context: inout DecisionContext) -> [EventBody] {
        let bidding = context.room.rules?.firstCountdown ?? AuctionRules.defaultBidding
        return [.countdownStarted(endsAt: context.instant + bidding, nextDropAt: nil)]
    }

    /// By default the round goes on.
    package func openingSale(in room: Room) -> RoundResult.Outcome? { nil }

    /// By default a bid does not change the deadline.
    package func deadline(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? { room.endsAt }

    /// The larger of amount and maximum, at most the buy-now price.
    package func liability(of bid: PlaceBid, in room: Room) -> Money? {
        guard let offered = bid.maximum ?? bid.amount else { return nil }
        let most = max(offered, bid.amount ?? offered)
        return room.rules?.buyNowPrice.map { min(most, $0) } ?? most
    }

    /// By default amounts are visible to every user.
    package func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool { true }

    /// By default prices do not drop.
    package func priceDropDue(in context: inout DecisionContext) -> [EventBody] { [] }

    /// Moves the deadline to at least min(bidding countdown, 60 s) after `ready`.
    package func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        context.room.rules.map { context.room.countdownMoved(after: ready, by: $0.bidding, cause) } ?? []
    }

    /// By default none.
    package func decisive(for outcome: RoundResult.Outcome, in context: DecisionContext) -> [EventBody] { [] }

    /// By default nothing was hidden.
    package func closed(in context: inout DecisionContext) -> [EventBody] { [] }
}

/// The registry of formats: the only list of them.
package struct AuctionFormats: Sendable {
    /// In the order of registration.
    package let all: [any AuctionFormat]
    // Few, so comparing them all takes less than hashing a name.
    private let names: [AuctionFormatName]

    package init(_ all: [any AuctionFormat]) {
        self.all = all
        names = all.map(\.name)
    }

    /// The formats of the product.
    package static let product: [any AuctionFormat] = [
        EnglishFormat(), DutchFormat(), SealedFirstPriceFormat(), VickreyFormat(),
    ]

    /// The format with this name; nil if it is not registered.
    package subscript(name: AuctionFormatName) -> (any AuctionFormat)? { names.firstIndex(of: name).map { all[$0] } }
}
