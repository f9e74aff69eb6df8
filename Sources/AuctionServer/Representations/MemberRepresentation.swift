internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The JSON of a member.
enum MemberRepresentation {
    /// - Parameter caller: reads the representation; only the host and the member see the credit limit.
    static func write(_ member: Member, of room: Room, to caller: UserID?, _ json: inout JSONWriter) {
        json.object { json in
            json.member("user", member.person)
            json.member("role", member.role.rawValue)
            json.member("joinedAt", member.joinedAt)
            json.member("muted", member.isMuted)
            json.member("banned", member.isBanned)
            guard let caller, caller == member.person.id || room.members[caller]?.role == .host else { return }
            json.member("creditLimit", member.creditLimit, in: room.currency)
        }
    }
}
