/// What is auctioned in a round.
public struct AuctionItem: Hashable, Sendable, Codable {
    public let id: ItemID
    public let name: String
    public let description: String
    /// `https` addresses of pictures, sound or video.
    public let media: [String]
    /// The auctioneer who uploaded it.
    public let owner: Person
    public internal(set) var rules: AuctionRules

    public static let nameLimit = 200
    public static let descriptionLimit = 5000
    public static let mediaLimit = 20
    public static let mediaAddressLimit = 2000

    public init(id: ItemID, name: String, description: String, media: [String], owner: Person, rules: AuctionRules) {
        self.id = id
        self.name = name
        self.description = description
        self.media = media
        self.owner = owner
        self.rules = rules
    }
}
