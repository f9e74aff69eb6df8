/// Number of members per role, updated with every change: counting 1,000 members for each response would be slow.
struct RoleCounts: Hashable, Sendable {
    private var host = 0
    private var auctioneer = 0
    private var bidder = 0
    private var viewer = 0

    subscript(role: Role) -> Int {
        get {
            switch role {
            case .host: host
            case .auctioneer: auctioneer
            case .bidder: bidder
            case .viewer: viewer
            }
        }
        set {
            switch role {
            case .host: host = newValue
            case .auctioneer: auctioneer = newValue
            case .bidder: bidder = newValue
            case .viewer: viewer = newValue
            }
        }
    }
}
