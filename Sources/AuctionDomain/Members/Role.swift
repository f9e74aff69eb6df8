public import Permissions

/// What a member may be in a room.
public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    case host
    case auctioneer
    case bidder
    case viewer

    /// For people.
    public var name: LocalizedText {
        switch self {
        case .host: LocalizedText("host", "房主")
        case .auctioneer: LocalizedText("auctioneer", "拍卖人")
        case .bidder: LocalizedText("bidder", "竞拍者")
        case .viewer: LocalizedText("viewer", "观众")
        }
    }
}

/// Somebody in a room.
public struct Member: Hashable, Sendable, Codable {
    public let person: Person
    public internal(set) var role: Role
    public let joinedAt: Timestamp
    public internal(set) var standing: Standing

    public var isMuted: Bool { standing.isMuted }
    public var isBanned: Bool { standing.isBanned }
    public var creditLimit: Money? { standing.creditLimit }

    public init(person: Person, role: Role, joinedAt: Timestamp, standing: Standing = Standing()) {
        self.person = person
        self.role = role
        self.joinedAt = joinedAt
        self.standing = standing
    }
}

/// What the host decided about somebody; it survives their leaving.
public struct Standing: Hashable, Sendable, Codable {
    public var isMuted = false
    public var isBanned = false
    /// The most they may owe in this room; nil: no limit.
    public var creditLimit: Money?

    public init() {}

    public var isPlain: Bool { self == Standing() }
}
