/// A row in the list of rooms.
public struct RoomListing: Hashable, Sendable, Identifiable {
    /// Identifier of the room.
    public let id: String
    /// What the host calls the room, as one line.
    public let name: String
    /// Who leads it.
    public let host: Person
    /// The currency of its amounts.
    public let currency: Currency
    /// Who may see it.
    public let visibility: Visibility
    /// Its state; `closing` between the deadline and the record of the close.
    public let phase: RoomPhase
    /// Number of the round, from 1.
    public let round: Int
    /// Sequence number of its latest event.
    public let seq: Int64
    /// What is auctioned; nil before the upload.
    public let itemName: String?
    /// What would be paid now.
    public let currentPrice: Money?
    /// That price with the premium of the sale; nil without a price or a premium.
    public let total: Money?
    /// The current item, or else the first lot to come; nil if there is neither.
    public let offer: Offer?
    /// When the sale begins by itself; nil if it does not.
    public let startsAt: ServerTime?
    /// When the running countdown expires.
    public let endsAt: ServerTime?
    /// Streams on the room.
    public let viewers: Int
    /// When it was opened.
    public let openedAt: ServerTime

    /// What is or will be sold first.
    public struct Offer: Hashable, Sendable {
        /// As one line.
        public let name: String
        /// The address of its first picture, below that of the service; with `?preview` at its end a small one. Nil if it has none of the service.
        public let picture: String?
        /// What the bids begin with.
        public let startingPrice: Money

        init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
            name = try fields.string("name")
            picture = try fields.optionalString("picture")
            startingPrice = try fields.money("startingPrice", currency)
        }
    }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        name = try fields.string("name")
        host = try fields.person("host")
        currency = Currency(try fields.string("currency"))
        visibility = try fields.name("visibility")
        phase = try fields.name("state")
        round = try fields.count("round")
        seq = try fields.integer("seq")
        itemName = try fields.optionalString("itemName")
        currentPrice = try fields.optionalMoney("currentPrice", currency)
        total = fields.total(currency)
        if let offered = try fields.optionalFields("offer") { offer = try Offer(offered, currency) } else { offer = nil }
        startsAt = try fields.optionalTime("startsAt")
        endsAt = try fields.optionalTime("endsAt")
        viewers = try fields.count("viewers")
        openedAt = try fields.time("openedAt")
    }
}
