internal import AuctionDomain

/// What everyone may do with the sound of a room, as of one of its events.
struct VoiceRights: Hashable, Sendable {
    /// Whether the room is archived: it has no sound any more.
    let isOver: Bool
    let speakers: Set<UserID>
    private let banned: Set<UserID>
    /// Those who may see a private room; nil: it is public.
    private let audience: Set<UserID>?

    init(isOver: Bool = false, speakers: Set<UserID>, banned: Set<UserID> = [], audience: Set<UserID>? = nil) {
        (self.isOver, self.speakers, self.banned, self.audience) = (isOver, speakers, banned, audience)
    }

    /// - Parameters:
    ///   - present: Those of the RTC service's participants whose bans count.
    ///   - restricted: Those whom an operator has banned from all rooms.
    init(_ room: Room, present: some Sequence<UserID> = [], restricted: RestrictedUsers = RestrictedUsers()) {
        let candidates = [room.host.id] + room.stage.seats.compactMap { $0.occupant?.person.id }
        self.init(
            isOver: room.isArchived,
            speakers: Set(candidates.filter { room.voiceRight(of: $0) == .speak && !restricted.isBanned($0) }),
            banned: Set(room.members.banned.map(\.id)).union(present.filter(restricted.isBanned)),
            audience: room.details.visibility == .public ? nil : Set(room.members.sorted.map(\.person.id)))
    }

    func right(of user: UserID) -> VoiceRight {
        guard !isOver, !banned.contains(user), audience?.contains(user) ?? true else { return .none }
        return speakers.contains(user) ? .speak : .listen
    }
}
