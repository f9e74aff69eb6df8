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

    public init(person: Person, role: Role, joinedAt: Timestamp) {
        self.person = person
        self.role = role
        self.joinedAt = joinedAt
    }
}
