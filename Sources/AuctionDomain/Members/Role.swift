package import Permissions

/// A member's role in a room.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    case host
    case auctioneer
    case bidder
    case viewer

    /// The role's name in English and Chinese, for texts that users read.
    package var name: LocalizedText {
        switch self {
        case .host: LocalizedText("host", "房主")
        case .auctioneer: LocalizedText("auctioneer", "拍卖人")
        case .bidder: LocalizedText("bidder", "竞拍者")
        case .viewer: LocalizedText("viewer", "观众")
        }
    }
}
