/// How bids compete and who wins. One file per format; formats hold no data.
///
/// The permission centre has let a bid through before it gets here; the state object of the room has taken it.
public protocol AuctionFormat: Sendable {
    var name: AuctionFormatName { get }
    /// Whether amounts stay with their bidders until the hammer falls.
    var isSealed: Bool { get }

    /// What is wrong with rules that name this format; nil: nothing.
    func problem(with rules: AuctionRules) -> RulesProblem?

    /// The least amount that a bid may have now; `user` nil: by anybody.
    func nextMinimum(in room: Room, for user: UserID?) -> Money?

    /// Whether the reserve price is reached; nil without one and while nobody may know.
    func reserveMet(in room: Room) -> Bool?

    /// Whether the leader may place this bid although they lead.
    func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool

    /// What the bid may cost its bidder at most: what their credit limit is held against; nil if it says no amount.
    func liability(of bid: PlaceBid, in room: Room) -> Money?

    /// Whether somebody may see the amounts that a bidder bid in a round.
    /// - Parameter outcome: how the round ended; nil while it goes on.
    func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool

    /// Where the countdown ends once a bid is taken, or taken back; nil if none runs.
    func end(afterBidAt instant: Timestamp, in room: Room) -> Timestamp?

    /// The item is shown; identifiers still come from the command of whoever started.
    func listed(in context: inout DecisionContext) -> [EventBody]

    /// Bidding opens: the countdown starts.
    func opened(in context: inout DecisionContext) -> [EventBody]

    /// What an allowed bid does.
    func placeBid(_ bid: PlaceBid, by person: Person, in context: inout DecisionContext) throws(Refusal) -> BidDecision

    /// Takes the latest explicit bid back.
    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]

    /// `Room.nextDropAt` has come.
    func priceDue(in context: inout DecisionContext) -> [EventBody]

    /// The service was away or its clock jumped, and can be reached from `ready` on: nobody may lose by it.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody]

    /// How the round would end now.
    func outcome(in context: DecisionContext) -> RoundResult.Outcome

    /// What comes to light when the hammer has fallen.
    func closed(in context: inout DecisionContext) -> [EventBody]
}

/// What a bid does.
public struct BidDecision: Sendable {
    public let events: [EventBody]
    /// The bid that the caller's answer shows: a new one, or the leading one whose maximum was raised.
    public let bid: BidID
    /// How the round ends with this bid; nil: it goes on.
    public let outcome: RoundResult.Outcome?

    public init(events: [EventBody], bid: BidID, outcome: RoundResult.Outcome? = nil) {
        self.events = events
        self.bid = bid
        self.outcome = outcome
    }
}

extension AuctionFormat {
    public var isSealed: Bool { false }
    public func problem(with rules: AuctionRules) -> RulesProblem? { nil }
    public func reserveMet(in room: Room) -> Bool? { nil }
    public func letsLeaderPlace(_ bid: PlaceBid, in room: Room) -> Bool { false }
    public func listed(in context: inout DecisionContext) -> [EventBody] { [] }

    public func opened(in context: inout DecisionContext) -> [EventBody] {
        let bidding = context.room.rules?.firstCountdown ?? AuctionRules.defaultBidding
        return [.countdownStarted(endsAt: context.instant + bidding, nextDropAt: nil)]
    }

    /// A bid leaves the countdown alone.
    public func end(afterBidAt instant: Timestamp, in room: Room) -> Timestamp? { room.endsAt }

    /// The larger of amount and maximum; nobody pays more than the buy-now price.
    public func liability(of bid: PlaceBid, in room: Room) -> Money? {
        guard let said = bid.maximum ?? bid.amount else { return nil }
        let most = max(said, bid.amount ?? said)
        return room.rules?.buyNowPrice.map { min(most, $0) } ?? most
    }

    public func showsAmount(of bidder: UserID, after outcome: RoundResult.Outcome?, to user: UserID?) -> Bool { true }

    /// Whether somebody may see the amount of a bid of the room's current round.
    public func showsAmount(of bid: Bid, in room: Room, to user: UserID?) -> Bool {
        showsAmount(of: bid.bidder.id, after: room.currentResult?.outcome, to: user)
    }

    public func priceDue(in context: inout DecisionContext) -> [EventBody] { [] }

    /// At least min(bidding countdown, 60 s) are left once the service can be reached.
    public func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        guard let endsAt = context.room.endsAt, let bidding = context.room.rules?.bidding else { return [] }
        let earliest = ready + min(bidding, Seconds(60))
        guard endsAt < earliest else { return [] }
        return [.countdownMoved(CountdownMoved(from: endsAt, to: earliest, cause: cause))]
    }

    public func closed(in context: inout DecisionContext) -> [EventBody] { [] }
}

/// The registry of formats: the only list of them.
public struct AuctionFormats: Sendable {
    public let all: [any AuctionFormat]
    private let byName: [AuctionFormatName: any AuctionFormat]

    public init(_ all: [any AuctionFormat]) {
        self.all = all
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The formats of the product.
    public static let product: [any AuctionFormat] = [
        EnglishFormat(), DutchFormat(), SealedFirstPriceFormat(), VickreyFormat(),
    ]

    public subscript(name: AuctionFormatName) -> (any AuctionFormat)? { byName[name] }
}
