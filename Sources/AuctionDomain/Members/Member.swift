/// A user who has joined a room and not left it.
package struct Member: Hashable, Sendable, Codable {
    /// The user, with their nickname as of the latest event that they caused, or that gave them a role.
    package let person: Person
    // In this order its values have no gaps: a room keeps thousands of them.
    /// The user who granted the role; nil: the member chose it, or the service made them host.
    package internal(set) var grantedBy: UserID?
    /// Exactly one member of a room with a host is `host`.
    package internal(set) var role: Role
    /// The instant at which the member got the role.
    package internal(set) var roleSince: Timestamp
    /// The instant of joining; of the latest one, if the user left and joined again.
    package let joinedAt: Timestamp
    /// The host's decisions about the member.
    package internal(set) var standing: Standing

    /// Whether the member may not send messages.
    package var isMuted: Bool { standing.isMuted }
    /// Whether the member may neither take part nor join again.
    package var isBanned: Bool { standing.isBanned }
    /// The most the member may owe in this room, in its currency; nil: no limit.
    package var creditLimit: Money? { standing.creditLimit }

    /// Whether the member has their role from another user, or is the host. A member who chooses another role, or leaves, loses
    /// this until a host grants a role again.
    package var isInvited: Bool { role == .host || grantedBy != nil }

    package init(
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

/// The host's decisions about a user; kept when the user leaves.
package struct Standing: Hashable, Sendable, Codable {
    /// The most the user may owe in this room, in its currency; nil: no limit.
    package var creditLimit: Money?
    /// Whether the user may not send messages.
    package var isMuted = false
    /// Whether the user may neither take part nor join again.
    package var isBanned = false

    package init() {}

    /// Whether the host decided nothing: such a standing is not kept for users who leave.
    package var isPlain: Bool { self == Standing() }
}

/// A user who is not a member, with the host's decisions about them: kept until the user joins, or the host withdraws them.
package struct FormerMember: Hashable, Sendable, Codable {
    /// The user, with their nickname when they left or when the host decided.
    package let person: Person
    /// The host's decisions; never plain.
    package internal(set) var standing: Standing
}
