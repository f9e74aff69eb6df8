/// The account of the caller.
public struct Account: Hashable, Sendable {
    /// The caller, with the nickname that the token has.
    public let user: Person
    /// When the token of the request expires.
    public let tokenExpiresAt: ServerTime
    /// The number of rooms that they are a member of.
    public let roomCount: Int

    init(_ fields: JSONFields) throws(MalformedJSON) {
        user = try fields.person("user")
        tokenExpiresAt = try fields.time("tokenExpiresAt")
        roomCount = try fields.count("rooms")
    }
}

/// A user whom the caller does not want to see.
public struct Block: Hashable, Sendable, Identifiable {
    /// Identifier of the user.
    public let userId: String
    /// When the block began.
    public let blockedAt: ServerTime

    /// The user's identifier.
    public var id: String { userId }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        userId = try fields.string("userId")
        blockedAt = try fields.time("blockedAt")
    }
}

/// A room of which the caller is a member.
public struct MyRoom: Hashable, Sendable, Identifiable {
    /// The caller's role there.
    public let role: Role
    /// As in the list of rooms.
    public let room: RoomListing

    /// The room's identifier.
    public var id: String { room.id }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        role = try fields.name("role")
        room = try RoomListing(try fields.fields("room"))
    }
}

/// The caller's bid in a round that is not over.
public struct StandingBid: Hashable, Sendable, Identifiable {
    /// Identifier of the room.
    public let roomId: String
    /// The room's name.
    public let roomName: String
    /// The state of the room; `closing` between the deadline and the record of the close.
    public let phase: RoomPhase
    /// Number of the round.
    public let round: Int
    /// The item's identifier.
    public let itemId: String
    /// The item's name.
    public let itemName: String
    /// How the bid stands.
    public let standing: Standing
    /// The leading bid, which the service may have placed for the caller; otherwise the latest that they placed themselves.
    public let bidId: String
    /// The amount of that bid.
    public let amount: Money
    /// Up to which the service bids for the caller; nil unless they lead.
    public let maximum: Money?
    /// When it was placed.
    public let bidAt: ServerTime
    /// What would be paid now; nil while bids are sealed.
    public let currentPrice: Money?
    /// That price with the premium of the sale; nil without a price or a premium.
    public let total: Money?
    /// The least amount of the caller's next bid, also while none is accepted, as in a pause; nil if there is none.
    public let nextMinimum: Money?
    /// When the running countdown expires; nil while none runs.
    public let endsAt: ServerTime?

    /// The bid's identifier.
    public var id: String { bidId }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        let room = try fields.fields("room")
        let item = try fields.fields("item")
        let currency = Currency(try fields.string("currency"))
        roomId = try room.string("id")
        roomName = try room.string("name")
        phase = try fields.name("state")
        round = try fields.count("round")
        itemId = try item.string("id")
        itemName = try item.string("name")
        standing = try fields.name("standing")
        bidId = try fields.string("bidId")
        amount = try fields.money("amount", currency)
        maximum = try fields.optionalMoney("maximum", currency)
        bidAt = try fields.time("bidAt")
        currentPrice = try fields.optionalMoney("currentPrice", currency)
        total = fields.total(currency)
        nextMinimum = try fields.optionalMoney("nextMinimum", currency)
        endsAt = try fields.optionalTime("endsAt")
    }
}

/// How a bid stands in a round that is not over.
public struct Standing: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is the highest.
    public static let leading: Self = "leading"
    /// Another one is higher.
    public static let outbid: Self = "outbid"
    /// Not known until the round ends.
    public static let sealed: Self = "sealed"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [leading, outbid, sealed]
}

/// Something that the caller bought.
public struct Win: Hashable, Sendable, Identifiable {
    /// Identifier of the room.
    public let roomId: String
    /// The room's name.
    public let roomName: String
    /// Number of the round.
    public let round: Int
    /// The item's identifier.
    public let itemId: String
    /// The item's name.
    public let itemName: String
    /// The hammer price.
    public let price: Money
    /// What the caller pays: the price with the premium. Nil if the service does not know it.
    public let total: Money?
    /// When the item was won.
    public let wonAt: ServerTime

    /// The item's identifier.
    public var id: String { itemId }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        let room = try fields.fields("room")
        let item = try fields.fields("item")
        roomId = try room.string("id")
        roomName = try room.string("name")
        round = try fields.count("round")
        itemId = try item.string("id")
        itemName = try item.string("name")
        let currency = Currency(try fields.string("currency"))
        price = try fields.money("price", currency)
        total = fields.total(currency)
        wonAt = try fields.time("wonAt")
    }
}
