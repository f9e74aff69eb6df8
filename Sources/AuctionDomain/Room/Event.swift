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
    /// - Parameter by: nil: the clock, which made the host's successor.
    case memberRoleChanged(Person, from: Role, to: Role, by: Person?)
    case memberKicked(Person, by: Person)
    case memberBanned(Person, isBanned: Bool, by: Person)
    case memberMuted(Person, isMuted: Bool, by: Person)
    /// The limit is private; nil: none.
    case memberCreditLimitChanged(Person, limit: Money?, by: Person)
    /// The host is gone and nobody takes their place.
    case hostGone(Person)
    case hostReturned(Person)
    case itemUploaded(AuctionItem)
    case rulesAdjusted(ItemID, AuctionRules, by: Person)
    case permissionChanged(PermissionChange)
    case stateChanged(StateChange)
    /// - Parameter nextDropAt: when a Dutch price drops first; nil in the other formats.
    case countdownStarted(endsAt: Timestamp, nextDropAt: Timestamp?)
    case countdownMoved(CountdownMoved)
    /// A lot will decide among equal bids: the hash of the seed is public, the seed private until the end.
    case drawCommitted(seed: UInt128)
    case drawRevealed(seed: UInt128)
    case bidPlaced(BidPlaced)
    case maximumRaised(MaximumRaised)
    case bidRetracted(BidRetracted)
    case maximumVoided(MaximumVoided)
    /// - Parameter nextDropAt: nil at the floor.
    case priceDropped(price: Money, nextDropAt: Timestamp?)
    case itemSold(winner: Person, price: Money)
    case itemPassed(PassReason)
    case stage(StageEvent)
    case messageSent(Message)
    case messageRemoved(MessageID, by: Person)
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
    /// In the words of whoever caused it; nil if they gave none.
    public let reason: String?
    /// Whether this begins the next round, with no item and no bid.
    public let beginsRound: Bool

    public init(
        from: RoomState, to: RoomState, cause: TransitionCause, by: Person?, reason: String? = nil,
        beginsRound: Bool = false
    ) {
        self.from = from
        self.to = to
        self.cause = cause
        self.by = by
        self.reason = reason
        self.beginsRound = beginsRound
    }
}

/// A running countdown ends at another time than it was to.
public struct CountdownMoved: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// The pause is over.
        case resume
        /// The service was away.
        case outage
        /// The wall clock jumped.
        case clock
        /// A bid was taken back.
        case retraction
        /// A raised maximum reached the reserve price.
        case maximum
    }

    public let endsAt: Timestamp
    /// When a Dutch price drops next; nil in the other formats and at the floor.
    public let nextDropAt: Timestamp?
    /// By how much, rounded up.
    public let extendedBySeconds: Int
    public let cause: Cause

    public init(endsAt: Timestamp, nextDropAt: Timestamp? = nil, extendedBySeconds: Int, cause: Cause) {
        self.endsAt = endsAt
        self.nextDropAt = nextDropAt
        self.extendedBySeconds = extendedBySeconds
        self.cause = cause
    }

    /// A move from one end to a later or equal one.
    public init(from old: Timestamp, to endsAt: Timestamp, nextDropAt: Timestamp? = nil, cause: Cause) {
        let seconds = Int(max(0, endsAt.milliseconds(since: old) + 999) / 1000)
        self.init(endsAt: endsAt, nextDropAt: nextDropAt, extendedBySeconds: seconds, cause: cause)
    }
}

/// The host changed what a permission rule does in this room; nil leaves it as it is.
public struct PermissionChange: Hashable, Sendable {
    public let rule: String
    public let isEnabled: Bool?
    public let priority: Int?
    public let by: Person

    public init(rule: String, isEnabled: Bool?, priority: Int?, by: Person) {
        self.rule = rule
        self.isEnabled = isEnabled
        self.priority = priority
        self.by = by
    }
}

/// Something a member said.
public struct Message: Hashable, Sendable {
    public let id: MessageID
    public let author: Person
    public let text: String

    public static let textLimit = 500

    public init(id: MessageID, author: Person, text: String) {
        self.id = id
        self.author = author
        self.text = text
    }
}
