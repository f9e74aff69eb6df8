internal import HashTreeCollections

/// The members of a room: a value whose copies share structure, so that keeping an old one costs nothing.
public struct Members: Hashable, Sendable {
    private var byID: TreeDictionary<UserID, Member> = [:]
    private var counts = RoleCounts()

    public init() {}

    public var count: Int { byID.count }

    public subscript(id: UserID) -> Member? { byID[id] }

    /// How many members have the role.
    public func count(of role: Role) -> Int { counts[role] }

    /// All members, by id: an order that does not depend on how they are stored.
    public var sorted: [Member] { byID.values.sorted { $0.person.id < $1.person.id } }

    mutating func set(_ member: Member) {
        if let old = byID.updateValue(member, forKey: member.person.id) { counts[old.role] -= 1 }
        counts[member.role] += 1
    }

    mutating func remove(_ id: UserID) {
        if let old = byID.removeValue(forKey: id) { counts[old.role] -= 1 }
    }
}

extension Members: Codable {
    public init(from decoder: any Decoder) throws {
        for member in try decoder.singleValueContainer().decode([Member].self) { set(member) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sorted)
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
