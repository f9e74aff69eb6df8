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
