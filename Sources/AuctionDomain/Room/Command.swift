/// What somebody wants of a room. Whether it happens is decided by the permission centre and the room's state object.
public enum Command: Hashable, Sendable {
    case openRoom(OpenRoom)
    case archiveRoom
    case join(JoinRoom)
    case leave
    case changeMember(UserID, MemberChanges)
    case kick(UserID)
    case uploadItem(UploadItem)
    case adjustRules(ItemID, RulesPatch)
    case configureRule(ConfigureRule)
    case startAuction(Advance)
    case endAuction(Advance)
    case pause(Advance)
    case resume(Advance)
    case cancel(Advance)
    case placeBid(PlaceBid)
    case retractBid(BidID, reason: String)
    case stage(StageCommand)
    case sendMessage(String)
    case removeMessage(MessageID)
    /// The service itself: the host's last stream has been closed for too long.
    case hostDisconnected(UserID)
    /// The service itself: somebody's last stream has been closed.
    case disconnected(UserID)
    /// The service itself: somebody has a stream again.
    case hostReconnected(UserID)

    /// Whether it may show an item that a lot decides: it is to come with random bits for that.
    public var mayDrawLot: Bool {
        if case .startAuction = self { true } else { false }
    }
}

public struct OpenRoom: Hashable, Sendable {
    public let name: String
    public let currency: Currency
    public let visibility: Visibility

    public static let nameLimit = 100

    public init(name: String, currency: Currency, visibility: Visibility) {
        self.name = name
        self.currency = currency
        self.visibility = visibility
    }
}

public struct JoinRoom: Hashable, Sendable {
    /// `viewer` or `bidder`; nil: a viewer, or whatever the member already is.
    public let role: Role?
    public let inviteCode: String?

    public init(role: Role?, inviteCode: String?) {
        self.role = role
        self.inviteCode = inviteCode
    }
}

/// What the host changes about a member; nil leaves it as it is.
public struct MemberChanges: Hashable, Sendable {
    public let role: Role?
    public let isMuted: Bool?
    public let isBanned: Bool?
    /// `.some(nil)` removes the limit.
    public let creditLimit: Money??

    public init(role: Role? = nil, isMuted: Bool? = nil, isBanned: Bool? = nil, creditLimit: Money?? = nil) {
        self.role = role
        self.isMuted = isMuted
        self.isBanned = isBanned
        self.creditLimit = creditLimit
    }
}

public struct UploadItem: Hashable, Sendable {
    public let name: String
    public let description: String
    public let media: [String]
    public let rules: AuctionRules

    public init(name: String, description: String, media: [String], rules: AuctionRules) {
        self.name = name
        self.description = description
        self.media = media
        self.rules = rules
    }
}

/// What a permission rule shall do in this room; nil leaves it as it is.
public struct ConfigureRule: Hashable, Sendable {
    public let rule: String
    public let isEnabled: Bool?
    public let priority: Int?

    public static let priorityRange = 0...1000

    public init(rule: String, isEnabled: Bool?, priority: Int?) {
        self.rule = rule
        self.isEnabled = isEnabled
        self.priority = priority
    }
}

/// A step of the auction: start, end, pause, resume, cancel.
public struct Advance: Hashable, Sendable {
    /// In the caller's words; nil if they gave none.
    public let reason: String?
    /// What the caller believed when they asked: refused if the room has moved on.
    public let expectedState: RoomState?
    public let expectedRound: Int?

    public static let reasonLimit = 500

    public init(reason: String? = nil, expectedState: RoomState? = nil, expectedRound: Int? = nil) {
        self.reason = reason
        self.expectedState = expectedState
        self.expectedRound = expectedRound
    }
}

public struct PlaceBid: Hashable, Sendable {
    /// Nil: a maximum alone; the server opens at the next minimum, or raises the leader's maximum.
    public let amount: Money?
    /// Up to where the server may bid on the caller's behalf; nil: a plain bid.
    public let maximum: Money?
    /// The round the caller believes to bid in; nil: whichever runs.
    public let round: Int?

    /// One of amount and maximum at least.
    public init(amount: Money?, maximum: Money? = nil, round: Int? = nil) {
        self.amount = amount
        self.maximum = maximum
        self.round = round
    }
}
