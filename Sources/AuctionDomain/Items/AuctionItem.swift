/// What is auctioned in a round.
public struct AuctionItem: Hashable, Sendable, Codable {
    /// Identifier of the item, unique across rooms and rounds.
    public let id: ItemID
    /// 1 to `nameLimit` Unicode scalars, shown to clients.
    public let name: String
    public let description: String
    /// At most `mediaLimit` `https` addresses of pictures, sound or video.
    public let media: [String]
    /// The auctioneer who uploaded it.
    public let owner: Person
    /// Adjustable until the item's round starts.
    public package(set) var rules: AuctionRules

    /// Longest name, in Unicode scalars.
    public static let nameLimit = 200
    /// Longest description, in Unicode scalars.
    public static let descriptionLimit = 5000
    /// Most media addresses of one item.
    public static let mediaLimit = 20
    /// Longest media address, in UTF-8 bytes.
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
