internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The JSON of a member, or of a user who has left a room whose host muted, banned or limited them.
enum MemberRepresentation {
    /// Writes null as role and instant of joining if the user is not a member.
    /// - Parameters:
    ///   - caller: reads the representation; only the host and the user see the credit limit.
    ///   - application: that of the user, who has joined just now; nil: it is not shown.
    static func write(
        _ person: Person, in room: Room, to caller: UserID?, application: BidderApplication? = nil, _ json: inout JSONWriter
    ) {
        let member = room.members[person.id]
        let standing = room.members.standing(of: person.id)
        json.object { json in
            json.member("user", member?.person ?? person)
            json.member("role", member?.role.rawValue)
            json.member("joinedAt", member?.joinedAt)
            json.member("muted", standing.isMuted)
            json.member("banned", standing.isBanned)
            guard let caller, caller == person.id || room.members[caller]?.role == .host else { return }
            json.member("creditLimit", standing.creditLimit, in: room.currency)
            guard let application else { return }
            json.name("application")
            ApplicationRepresentation.writeOwn(application, to: &json)
        }
    }
}
