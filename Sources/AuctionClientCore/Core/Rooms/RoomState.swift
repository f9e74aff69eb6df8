/// A room at one place of its history: made from a response of the service, and kept up to date by the events after it.
///
/// Everything but `details` and `viewers` is exact at `seq`.
public struct RoomState: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// Sequence number of the last event that the state contains.
    public internal(set) var seq: Int64
    /// What the host calls the room, as one line.
    public internal(set) var name: String
    /// Who leads the room.
    public internal(set) var host: Person
    /// The currency of all amounts in the room.
    public let currency: Currency
    /// Who may see the room.
    public internal(set) var visibility: Visibility
    /// The recorded state. A round whose deadline has passed stays `auctioning` until the close is recorded; what to show meanwhile is
    /// `shownPhase(at:)`.
    public internal(set) var phase: RoomPhase
    /// Number of the round, from 1.
    public internal(set) var round: Int
    /// What is auctioned in this round; nil before the upload. If its lot is withdrawn and the room has only been read since the lot was
    /// prepared, it stays until the room is read again.
    public internal(set) var item: Item?
    /// The lot whose item it is. Nil if there is none, and where it is not known: a response does not tell.
    var itemLot: String?
    /// How it is auctioned.
    public internal(set) var rules: AuctionRules?
    /// What would be paid now; nil before the first bid and while bids are sealed. Dutch: the asking price.
    public internal(set) var currentPrice: Money?
    /// What the buyer would pay now: the current price with the premium of the sale, rounded half up to the minor unit. Nil without a price
    /// or a premium. A round that is over keeps the premium that it closed with.
    public internal(set) var total: Money?
    /// How the lots are sold; nil for a room without lots and a sale. Where the room has only been read since an item was prepared,
    /// another item or a withdrawn lot may leave `queuedCount` one off until the room is read again.
    public internal(set) var sale: Sale?
    /// The bid that would win now.
    public internal(set) var currentBid: LeadingBid?
    /// The least amount of the next bid; nil without an item, and when the round is over.
    public internal(set) var nextMinimum: Money?
    /// Whether the reserve price is reached; nil without one, while bids are sealed, and where it is not known: after an upload or a change
    /// of the rules, whose events do not tell, until the room is read again or a bid is placed.
    public internal(set) var reserveMet: Bool?
    /// When the running countdown expires; nil while none runs.
    public internal(set) var endsAt: ServerTime?
    /// When a Dutch price drops next.
    public internal(set) var nextDropAt: ServerTime?
    /// 1 after "going once", 2 after "going twice"; 0 once a bid, a retraction or a transition followed.
    public internal(set) var warning: Int
    /// How many messages were reported to the host; nil unless the caller was the host when the room was read.
    public internal(set) var reports: Int?
    /// How the latest round ended whose end is among the events so far; nil if none is.
    public internal(set) var result: RoundOutcome?
    /// Whether the room is archived; no event follows.
    public internal(set) var isArchived = false
    /// Streams on the room when the service last counted.
    public internal(set) var viewers: Int
    /// What events do not carry, such as what the caller may do; as of `details.seq`.
    public internal(set) var details: RoomDetails

    /// The phase to show at an instant by the server's clock: `closing` between the deadline and the record of the close.
    public func shownPhase(at now: ServerTime) -> RoomPhase {
        guard phase == .auctioning, let endsAt, now >= endsAt else { return phase }
        return .closing
    }
}

/// The bid that would win now.
public struct LeadingBid: Hashable, Sendable {
    /// Nil after a retraction, and after the sale of a sealed round, until the room is read again.
    public let id: String?
    /// The amount of the bid, which is the current price.
    public let amount: Money
    /// Who placed it, or for whom the service did.
    public let bidder: Person
    /// When it was placed; nil where `id` is, until the room is read again.
    public let at: ServerTime?
}

/// How a round ended.
public struct RoundOutcome: Hashable, Sendable {
    /// Number of the round.
    public let round: Int
    /// Who buys it, and what they pay; nil if the item passed, or its sale was voided.
    public let sale: Sale?
    /// Why the item passed: `no_bids`, `reserve_not_met`; nil if it was sold.
    public let passedReason: String?
    /// The sale that the host voided; nil if none was.
    public let voided: VoidedSale?

    init(round: Int, sale: Sale?, passedReason: String?, voided: VoidedSale? = nil) {
        (self.round, self.sale, self.passedReason, self.voided) = (round, sale, passedReason, voided)
    }

    /// A sale that counts nowhere.
    public struct VoidedSale: Hashable, Sendable {
        /// Who was to buy the item.
        public let winner: Person
        /// What they would have paid.
        public let price: Money
        /// Why the host voided it.
        public let reason: String
        /// The host.
        public let by: Person
    }

    /// A winner and a price.
    public struct Sale: Hashable, Sendable {
        /// Who won.
        public let winner: Person
        /// What they pay.
        public let price: Money
    }
}

/// What the response to a read of the room has and events do not carry: true at `seq`, and perhaps outdated after it. While a room is
/// followed it is read again after events that may have changed it.
public struct RoomDetails: Hashable, Sendable {
    /// The seq of the room's last event when all of it was true.
    public let seq: Int64
    /// What the caller may do; nil without a token.
    public let allowedActions: [RoomAction]?
    /// The caller in this room; nil without a token.
    public let me: Caller?
    /// How many wait to be approved as bidders; visible to the host only, nil for others.
    public let applications: Int?
    /// How many members have each role.
    public let memberCounts: [Role: Int]
    /// The state described for people, in the client's language.
    public let phaseDescription: String
    /// The code with which users join a private room; visible to the host only.
    public let inviteCode: String?
    /// What is left of the countdown while it is stopped; nil while it runs, and if there is none.
    public let frozenRemaining: Duration?

    /// Whether the caller may do this, as far as is known; false without a token.
    public func allows(_ action: RoomAction) -> Bool { allowedActions?.contains(action) ?? false }
}

/// The caller in a room.
public struct Caller: Hashable, Sendable {
    /// Nil for a caller who is not a member.
    public let role: Role?
    /// Whether the highest bid is theirs; false while bids are sealed.
    public let isLeading: Bool
    /// Up to which the service bids for them while they lead.
    public let maximum: Money?
    /// Their standing bid of a sealed round.
    public let sealedAmount: Money?
    /// The most they may owe in this room; nil for no limit.
    public let creditLimit: Money?
    /// Whether they may not send messages.
    public let isMuted: Bool
    /// Whether they are banned from the room.
    public let isBanned: Bool
    /// What is offered to them, the first to expire first.
    public let offers: [Offer]
    /// That they asked the host to be approved as a bidder; nil if they have not, and once they are.
    public let application: OwnApplication?
}

/// An item whose sale was voided, offered to the next bidder of its round.
public struct Offer: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// The round in which the item was sold.
    public let round: Int
    /// The lot that it was; nil if the item was uploaded for its round.
    public let lotId: String?
    /// The item's name.
    public let itemName: String
    /// What the bidder would pay for the item.
    public let price: Money
    /// Price and premium.
    public let total: Money
    /// From then on it cannot be accepted.
    public let expiresAt: ServerTime
}
