/// One thing that happened in a room. A room is what its events make it.
public struct Event: Hashable, Sendable {
    /// 1, 2, 3 … without gaps: the order of everything.
    public let seq: Int
    /// Never earlier than the event before it.
    public let at: Timestamp
    /// The round it belongs to; where a round begins, the new one.
    public let round: Int
    public let body: EventBody

    public init(seq: Int, at: Timestamp, round: Int, body: EventBody) {
        self.seq = seq
        self.at = at
        self.round = round
        self.body = body
    }
}

/// What happened.
public enum EventBody: Hashable, Sendable {
    case roomOpened(RoomOpened)
    case roomArchived(by: Person)
    case memberJoined(Person, role: Role)
    case memberLeft(Person)
    case memberRoleChanged(Person, from: Role, to: Role, by: Person)
    case itemUploaded(AuctionItem)
    case stateChanged(StateChange)
    case countdownStarted(endsAt: Timestamp)
    case countdownMoved(endsAt: Timestamp, extendedBySeconds: Int, cause: CountdownMoveCause)
    case bidPlaced(BidPlaced)
    case itemSold(winner: Person, price: Money)
    case itemPassed(PassReason)
    case systemMessage(SystemMessage)
}

public struct RoomOpened: Hashable, Sendable {
    public let name: String
    public let host: Person
    public let currency: Currency
    public let visibility: Visibility
    /// Private: lets somebody join a private room.
    public let inviteCode: String

    public init(name: String, host: Person, currency: Currency, visibility: Visibility, inviteCode: String) {
        self.name = name
        self.host = host
        self.currency = currency
        self.visibility = visibility
        self.inviteCode = inviteCode
    }
}

public struct StateChange: Hashable, Sendable {
    public let from: RoomState
    public let to: RoomState
    public let cause: TransitionCause
    /// Nil: the clock.
    public let by: Person?
    /// Whether this begins the next round, with no item and no bid.
    public let beginsRound: Bool

    public init(from: RoomState, to: RoomState, cause: TransitionCause, by: Person?, beginsRound: Bool = false) {
        self.from = from
        self.to = to
        self.cause = cause
        self.by = by
        self.beginsRound = beginsRound
    }
}

/// Why a running countdown ends at another time than it was to.
public enum CountdownMoveCause: String, Hashable, Sendable, Codable {
    /// The service was away.
    case outage
    /// The wall clock jumped.
    case clock
}

public struct BidPlaced: Hashable, Sendable {
    public let bid: BidID
    public let amount: Money
    public let bidder: Person
    public let leading: Bool
    public let automatic: Bool
    /// What the next bid must be at least.
    public let nextMinimum: Money
    /// The moved end of the countdown: in the same event, so that no reader sees one without the other.
    public let endsAt: Timestamp?

    public init(
        bid: BidID, amount: Money, bidder: Person, leading: Bool, automatic: Bool, nextMinimum: Money, endsAt: Timestamp?
    ) {
        self.bid = bid
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.automatic = automatic
        self.nextMinimum = nextMinimum
        self.endsAt = endsAt
    }
}
