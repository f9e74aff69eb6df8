/// A member of a room.
public struct Member: Hashable, Sendable, Identifiable {
    /// Who the member is.
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
    /// The application that a join has made; nil for none, and in all other answers.
    public let application: OwnApplication?

    /// The user's identifier.
    public var id: String { user.id }

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        user = try fields.person("user")
        role = try fields.optionalString("role").map(Role.init(rawValue:))
        joinedAt = try fields.optionalTime("joinedAt")
        isMuted = try fields.optionalBool("muted") ?? false
        isBanned = try fields.optionalBool("banned") ?? false
        creditLimit = try fields.optionalMoney("creditLimit", currency)
        application =
            if let fields = try fields.optionalFields("application") { try OwnApplication(fields) } else { nil }
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

    /// All amounts in it.
    var amounts: [Money] { if case .some(.some(let limit)) = creditLimit { [limit] } else { [] } }

    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if let role { members["role"] = .string(role.rawValue) }
        if let isMuted { members["muted"] = .bool(isMuted) }
        if let isBanned { members["banned"] = .bool(isBanned) }
        if let creditLimit { members["creditLimit"] = creditLimit.map { .string($0.decimal) } ?? .null }
        return .object(members)
    }
}
