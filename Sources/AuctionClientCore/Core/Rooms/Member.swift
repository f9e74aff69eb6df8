/// A member of a room.
public struct Member: Hashable, Sendable, Identifiable {
    /// Who.
    public let user: Person
    /// Nil for a user who has left and is known by what the host decided about them.
    public let role: Role?
    /// Nil for a user who has left.
    public let joinedAt: ServerTime?
    /// Whether they may not send messages.
    public let isMuted: Bool
    /// Whether they are banned.
    public let isBanned: Bool
    /// The most they may owe in the room; visible to the host and themselves.
    public let creditLimit: Money?

    /// The user's.
    public var id: String { user.id }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        user = try fields.person("user")
        role = try fields.optionalString("role").map(Role.init(rawValue:))
        joinedAt = try fields.optionalTime("joinedAt")
        isMuted = try fields.optionalBool("muted") ?? false
        isBanned = try fields.optionalBool("banned") ?? false
        creditLimit = try fields.optionalMoney("creditLimit", currency)
    }
}

/// What the host changes about a member; nil leaves it as it is.
public struct MemberChanges: Hashable, Sendable {
    /// `auctioneer`, `bidder` or `viewer`.
    public var role: Role?
    /// Whether they may not send messages.
    public var isMuted: Bool?
    /// Whether they are banned.
    public var isBanned: Bool?
    /// The most they may owe in the room; `.some(nil)` removes the limit.
    public var creditLimit: Money??

    /// Nothing yet.
    public init() {}

    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if let role { members["role"] = .string(role.rawValue) }
        if let isMuted { members["muted"] = .bool(isMuted) }
        if let isBanned { members["banned"] = .bool(isBanned) }
        if let creditLimit { members["creditLimit"] = creditLimit.map { .string($0.decimal) } ?? .null }
        return .object(members)
    }
}

/// A row in the list of rooms.
public struct RoomListing: Hashable, Sendable, Identifiable {
    /// The room.
    public let id: String
    /// One line.
    public let name: String
    /// Who leads it.
    public let host: Person
    /// Of its amounts.
    public let currency: Currency
    /// Who may see it.
    public let visibility: Visibility
    /// Its state; `closing` between the deadline and the record of the close.
    public let phase: RoomPhase
    /// Numbered from 1.
    public let round: Int
    /// What is auctioned; nil before the upload.
    public let itemName: String?
    /// What would be paid now.
    public let currentPrice: Money?
    /// When the running countdown expires.
    public let endsAt: ServerTime?
    /// Streams on the room.
    public let viewers: Int
    /// When it was opened.
    public let openedAt: ServerTime

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        name = try fields.string("name")
        host = try fields.person("host")
        currency = Currency(try fields.string("currency"))
        visibility = try fields.name("visibility")
        phase = try fields.name("state")
        round = try fields.count("round")
        itemName = try fields.optionalString("itemName")
        currentPrice = try fields.optionalMoney("currentPrice", currency)
        endsAt = try fields.optionalTime("endsAt")
        viewers = try fields.count("viewers")
        openedAt = try fields.time("openedAt")
    }
}

/// How a finished round ended, in the list of results.
public struct RoundResult: Hashable, Sendable, Identifiable {
    /// Which one.
    public let round: Int
    /// Of the item.
    public let itemId: String
    /// Of the item.
    public let itemName: String
    /// Winner and price, or why the item passed.
    public let outcome: RoundOutcome
    /// How many bids there were.
    public let bids: Int
    /// When it was closed.
    public let closedAt: ServerTime

    /// The round.
    public var id: Int { round }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        let item = try fields.fields("item")
        round = try fields.count("round")
        itemId = try item.string("id")
        itemName = try item.string("name")
        bids = try fields.count("bids")
        closedAt = try fields.time("closedAt")
        let winner = try fields.optionalPerson("winner")
        let price = try fields.optionalMoney("price", currency)
        let sale: RoundOutcome.Sale? = if let winner, let price { .init(winner: winner, price: price) } else { nil }
        outcome = RoundOutcome(round: round, sale: sale, passedReason: try fields.optionalString("reason"))
    }
}
