/// What somebody wants of a room. Whether it happens is decided by the permission centre and the room's state object.
public enum Command: Hashable, Sendable {
    case openRoom(OpenRoom)
    case archiveRoom
    case join(JoinRoom)
    case leave
    case setRole(of: UserID, to: Role)
    case uploadItem(UploadItem)
    case startAuction(Expectation)
    case endAuction(Expectation)
    case placeBid(PlaceBid)
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

/// What the caller believed when they asked: refused if the room has moved on.
public struct Expectation: Hashable, Sendable {
    public let state: RoomState?
    public let round: Int?

    public init(state: RoomState? = nil, round: Int? = nil) {
        self.state = state
        self.round = round
    }
}

public struct PlaceBid: Hashable, Sendable {
    public let amount: Money
    /// The round the caller believes to bid in; nil: whichever runs.
    public let round: Int?

    public init(amount: Money, round: Int? = nil) {
        self.amount = amount
        self.round = round
    }
}
