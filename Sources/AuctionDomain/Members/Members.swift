internal import HashTreeCollections

/// The members of a room: a value whose copies share structure, so that keeping an old one costs nothing.
public struct Members: Hashable, Sendable {
    private var byID: TreeDictionary<UserID, Member> = [:]
    private var counts = RoleCounts()
    /// Of people who left: what the host decided about them waits for their return.
    private var gone: TreeDictionary<UserID, Standing> = [:]

    public init() {}

    public var count: Int { byID.count }

    public subscript(id: UserID) -> Member? { byID[id] }

    /// What the host decided about somebody, member or not.
    public func standing(of id: UserID) -> Standing { byID[id]?.standing ?? gone[id] ?? Standing() }

    /// How many members have the role.
    public func count(of role: Role) -> Int { counts[role] }

    /// All members, by id: an order that does not depend on how they are stored.
    public var sorted: [Member] { byID.values.sorted { $0.person.id < $1.person.id } }

    mutating func set(_ member: Member) {
        if let old = byID.updateValue(member, forKey: member.person.id) { counts[old.role] -= 1 }
        counts[member.role] += 1
        gone[member.person.id] = nil
    }

    mutating func remove(_ id: UserID) {
        guard let old = byID.removeValue(forKey: id) else { return }
        counts[old.role] -= 1
        if !old.standing.isPlain { gone[id] = old.standing }
    }

    /// Changes what the host decided about somebody, member or not.
    mutating func setStanding(of id: UserID, _ change: (inout Standing) -> Void) {
        var standing = standing(of: id)
        change(&standing)
        if var member = byID[id] {
            member.standing = standing
            byID[id] = member
        } else {
            gone[id] = standing.isPlain ? nil : standing
        }
    }
}

extension Members: Codable {
    private struct Stored: Codable {
        struct Gone: Codable {
            let id: UserID
            let standing: Standing
        }
        let present: [Member]
        let gone: [Gone]
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        for member in stored.present { set(member) }
        for entry in stored.gone { gone[entry.id] = entry.standing }
    }

    public func encode(to encoder: any Encoder) throws {
        let absent = gone.map { Stored.Gone(id: $0.key, standing: $0.value) }.sorted { $0.id < $1.id }
        try Stored(present: sorted, gone: absent).encode(to: encoder)
    }
}

/// Members per role, kept as they come and go: counting 1,000 members per answer would be felt.
private struct RoleCounts: Hashable, Sendable {
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
