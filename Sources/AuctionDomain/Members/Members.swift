/// The members of a room: a value whose copies share structure, so that keeping an old copy is cheap.
package struct Members: Hashable, Sendable {
    private var byID = UserTable<Member>()
    private var counts = RoleCounts()
    /// Candidates to succeed the host: the search for a successor visits these, not every member.
    private var auctioneerIDs = UserTable<Role>()
    /// Absent users, only those with a decision of the host: only the host's commands make this grow.
    private var gone = UserTable<FormerMember>()
    /// Absent users without a decision of the host, the latest departure last.
    private var departed: [Person] = []

    /// Most users without a decision of the host who are known after they left. A snapshot stores 70 bytes for each.
    package static let departureLimit = 1000

    package init() {}

    /// Members from a list; of several entries for one user the last is kept.
    package init(_ members: some Sequence<Member>) {
        for member in members { set(member) }
    }

    /// Number of present members, the host included.
    package var count: Int { byID.count }

    /// The present member with this id; nil if the user is not a member.
    package subscript(id: UserID) -> Member? { byID[id] }

    /// The host's decisions about a user, member or not; plain if there are none.
    package func standing(of id: UserID) -> Standing { byID[id]?.standing ?? gone[id]?.standing ?? Standing() }

    /// How many members have the role.
    package func count(of role: Role) -> Int { counts[role] }

    /// All members, ordered by id, so that equal values give equal lists.
    package var sorted: [Member] { byID.sorted.map(\.value) }

    /// The members with the role `auctioneer`, ordered by id.
    package var auctioneers: [Member] { auctioneerIDs.sorted.compactMap { byID[$0.user] } }

    /// The absent user with this id; nil for a present member, and for a user without a decision of the host.
    package func formerMember(_ id: UserID) -> FormerMember? { gone[id] }

    /// The absent user with this id, if they were a member or the host has decided something about them; nil for others, and if as many as
    /// `departureLimit` have left since.
    package func absent(_ id: UserID) -> Person? { gone[id]?.person ?? departed.last { $0.id == id } }

    /// All absent users with a decision of the host, ordered by id.
    package var absentees: [FormerMember] { gone.sorted.map(\.value) }

    /// All users who are banned, members or not, ordered by id.
    package var banned: [Person] {
        let present = byID.values.filter(\.isBanned).map(\.person)
        let absent = gone.values.filter(\.standing.isBanned).map(\.person)
        return (present + absent).sorted { $0.id < $1.id }
    }

    mutating func set(_ member: Member) {
        if let old = byID[member.person.id] { counts[old.role] -= 1 }
        byID[member.person.id] = member
        counts[member.role] += 1
        auctioneerIDs[member.person.id] = member.role == .auctioneer ? .auctioneer : nil
        gone[member.person.id] = nil
        _ = removeDeparture(of: member.person.id)
    }

    /// Replaces the nickname of a present member.
    mutating func rename(_ person: Person) {
        guard let old = byID[person.id], old.person.nickname != person.nickname else { return }
        byID[person.id] = Member(
            person: person, role: old.role, grantedBy: old.grantedBy, roleSince: old.roleSince, joinedAt: old.joinedAt,
            standing: old.standing)
    }

    /// Replaces the nickname of a user who has left the service, and forgets what the host decided about them: they do not come back.
    mutating func erase(_ person: Person) {
        rename(person)
        byID.change(person.id) { $0.standing = Standing() }
        gone[person.id] = nil
        _ = removeDeparture(of: person.id)
    }

    mutating func remove(_ id: UserID) {
        guard let old = byID[id] else { return }
        byID[id] = nil
        counts[old.role] -= 1
        auctioneerIDs[id] = nil
        keep(old.person, old.standing)
    }

    /// Keeps an absent user whom the host may still decide about.
    private mutating func keep(_ person: Person, _ standing: Standing) {
        gone[person.id] = standing.isPlain ? nil : FormerMember(person: person, standing: standing)
        _ = removeDeparture(of: person.id)
        guard standing.isPlain else { return }
        if departed.count >= Self.departureLimit { departed.removeFirst() }
        departed.append(person)
    }

    private mutating func removeDeparture(of id: UserID) -> Bool {
        // Most rooms have none, and the search costs nothing in them.
        guard let place = departed.lastIndex(where: { $0.id == id }) else { return false }
        departed.remove(at: place)
        return true
    }

    /// Makes the departure of a guest that of the user whom they were linked to, unless that user is known by then.
    mutating func moveDeparture(from guest: UserID, to user: Person) {
        guard removeDeparture(of: guest), byID[user.id] == nil, gone[user.id] == nil else { return }
        keep(user, Standing())
    }

    /// Changes the host's decisions about a user, member or not.
    mutating func setStanding(of person: Person, _ change: (inout Standing) -> Void) {
        var standing = standing(of: person.id)
        change(&standing)
        if var member = byID[person.id] {
            member.standing = standing
            byID[person.id] = member
        } else if !standing.isPlain || gone[person.id] != nil {
            keep(person, standing)
        }
    }
}

extension Members: Codable {
    private struct Stored: Codable {
        let present: [Member]
        let gone: [FormerMember]
        /// Nil if there are none.
        let departed: [Person]?
    }

    /// Decodes present members and absentees; throws if a list of them is missing or malformed.
    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        for member in stored.present { set(member) }
        for formerMember in stored.gone { gone[formerMember.person.id] = formerMember }
        departed = stored.departed ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        try Stored(present: sorted, gone: absentees, departed: departed.isEmpty ? nil : departed).encode(to: encoder)
    }
}
