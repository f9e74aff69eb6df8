internal import HashTreeCollections

/// The members of a room: a value whose copies share structure, so that keeping an old one costs nothing.
public struct Members: Hashable, Sendable {
    private var byID: TreeDictionary<UserID, Member> = [:]
    private var counts = RoleCounts()
    /// Who may succeed the host: finding a successor visits these, and not every member.
    private var auctioneerIDs: TreeSet<UserID> = []
    /// Of people who left, only those about whom the host decided something: nobody makes this grow but the host.
    private var gone: TreeDictionary<UserID, Absentee> = [:]

    public init() {}

    public var count: Int { byID.count }

    public subscript(id: UserID) -> Member? { byID[id] }

    /// What the host decided about somebody, member or not.
    public func standing(of id: UserID) -> Standing { byID[id]?.standing ?? gone[id]?.standing ?? Standing() }

    /// How many members have the role.
    public func count(of role: Role) -> Int { counts[role] }

    /// All members, by id: an order that does not depend on how they are stored.
    public var sorted: [Member] { byID.values.sorted { $0.person.id < $1.person.id } }

    /// The members with that role, in no order.
    public var auctioneers: [Member] { auctioneerIDs.compactMap { byID[$0] } }

    /// Somebody who left and about whom the host decided something; nil otherwise.
    public func absentee(_ id: UserID) -> Absentee? { gone[id] }

    /// All who left and about whom the host decided something, by id.
    public var absentees: [Absentee] { gone.values.sorted { $0.person.id < $1.person.id } }

    mutating func set(_ member: Member) {
        if let old = byID.updateValue(member, forKey: member.person.id) { counts[old.role] -= 1 }
        counts[member.role] += 1
        if member.role == .auctioneer {
            auctioneerIDs.insert(member.person.id)
        } else {
            auctioneerIDs.remove(member.person.id)
        }
        gone[member.person.id] = nil
    }

    mutating func remove(_ id: UserID) {
        guard let old = byID.removeValue(forKey: id) else { return }
        counts[old.role] -= 1
        auctioneerIDs.remove(id)
        if !old.standing.isPlain { gone[id] = Absentee(person: old.person, standing: old.standing) }
    }

    /// Changes what the host decided about somebody, member or not.
    mutating func setStanding(of person: Person, _ change: (inout Standing) -> Void) {
        var standing = standing(of: person.id)
        change(&standing)
        if var member = byID[person.id] {
            member.standing = standing
            byID[person.id] = member
        } else {
            gone[person.id] = standing.isPlain ? nil : Absentee(person: person, standing: standing)
        }
    }
}

extension Members: Codable {
    private struct Stored: Codable {
        let present: [Member]
        let gone: [Absentee]
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        for member in stored.present { set(member) }
        for absentee in stored.gone { gone[absentee.person.id] = absentee }
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(present: sorted, gone: absentees).encode(to: encoder)
    }
}
