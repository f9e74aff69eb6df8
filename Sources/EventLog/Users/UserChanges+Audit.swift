package import AuctionDomain

extension UserChanges {
    /// What the stored rows of a room's users have that does not follow from the room, as a line for an operator; nil if nothing.
    ///
    /// Bids of rounds that are over may still be in the index, and participations of an archived room: they are not shown. An index of an
    /// earlier version lacks users about whom the host has only decided something.
    package func difference(from room: Room) -> String? {
        let truth = UserChanges(of: room)
        let shown =
            room.isArchived
            ? []
            : participations.map {
                $0.bidRound == room.round ? $0 : Participation(user: $0.user, role: $0.role, bidRound: nil)
            }
        let wrong = Set(shown.filter { !$0.isEmpty }).symmetricDifference(truth.participations.filter { $0.bidRound != 0 })
        if let user = wrong.map(\.user).min() {
            return "the index by user has not what the events say of \(Set(wrong.map(\.user)).count) user(s), such as \(user); "
                + Self.repair
        }
        let wrongWins = Set(wins).symmetricDifference(truth.wins)
        if let round = wrongWins.map(\.round).min() {
            return "the index by user has not what the events say of the sale of round \(round); \(Self.repair)"
        }
        return nil
    }

    /// What an operator does about an index by user that is damaged or wrong.
    package static let repair = "`auction-room migrate --rebuild-user-index` makes the index anew"
}
