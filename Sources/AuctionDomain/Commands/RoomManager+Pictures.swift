// Users whose pictures are kept for a room. The pictures themselves are stored outside of it.
extension RoomManager {
    /// Why the user may not upload pictures for a room; nil if they may. Pictures are for lots, so the rules of `queueLot` decide, except that
    /// a room which has no place for another lot is no reason: the picture may be for one of those that it has.
    package func refusalOfPictures(by user: UserID, in room: Room, at instant: Timestamp) -> Refusal? {
        let context = RuleContext(
            room: room, rulebook: rulebook, caller: user, at: instant, RuleRequest(addedLots: 0))
        return rulebook.denial(of: .queueLot, in: context).map { Refusal($0) }
    }

    /// Why a command with pictures would be refused in the room as it is; nil if it would not. A file of lots takes long to decide, so that it
    /// is refused here only if its sender may not upload pictures either.
    package func refusalToKeepPictures(
        of command: Command, by caller: Person, in room: Room, at instant: Timestamp
    ) -> Refusal? {
        if case .importLots = command { return refusalOfPictures(by: caller.id, in: room, at: instant) }
        // The decision is discarded, so its identifiers do not matter.
        var context = DecisionContext(
            room: room, rulebook: rulebook, instant: instant, identifiers: IdentifierSource(instant: instant, seed: 0))
        do throws(Refusal) {
            _ = try decide(command, by: caller, in: &context)
            return nil
        } catch {
            return error
        }
    }
}
