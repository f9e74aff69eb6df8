/// Somebody in a room.
public struct Member: Hashable, Sendable, Codable {
    public let person: Person
    public internal(set) var role: Role
    /// Who gave them the role; nil: they chose it, or the clock made them host.
    public internal(set) var grantedBy: UserID?
    /// Since when they have the role.
    public internal(set) var roleSince: Timestamp
    /// When they came, the last time if they have left in between.
    public let joinedAt: Timestamp
    public internal(set) var standing: Standing

    public var isMuted: Bool { standing.isMuted }
    public var isBanned: Bool { standing.isBanned }
    public var creditLimit: Money? { standing.creditLimit }

    /// Whether the host wants them here as what they are, rather than they themself. It ends with the role: whoever chooses
    /// another one, or leaves, is to be invited again.
    public var isInvited: Bool { role == .host || grantedBy != nil }

    public init(
        person: Person, role: Role, grantedBy: UserID? = nil, roleSince: Timestamp? = nil, joinedAt: Timestamp,
        standing: Standing = Standing()
    ) {
        self.person = person
        self.role = role
        self.grantedBy = grantedBy
        self.roleSince = roleSince ?? joinedAt
        self.joinedAt = joinedAt
        self.standing = standing
    }
}

/// What the host decided about somebody; it survives their leaving.
public struct Standing: Hashable, Sendable, Codable {
    public var isMuted = false
    public var isBanned = false
    /// The most they may owe in this room; nil: no limit.
    public var creditLimit: Money?

    public init() {}

    public var isPlain: Bool { self == Standing() }
}

/// Somebody who left, and what the host decided about them: it waits for their return, or for the host's change of mind.
public struct Absentee: Hashable, Sendable, Codable {
    /// As they were called when they left.
    public let person: Person
    public internal(set) var standing: Standing
}
