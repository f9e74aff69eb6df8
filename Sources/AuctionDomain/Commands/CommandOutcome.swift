/// What an accepted command did, as input for the response encoder.
package enum CommandOutcome: Hashable, Sendable {
    case roomOpened
    case roomArchived
    /// The caller joined, or was a member already.
    case joined(isNew: Bool)
    case left
    /// The host changed this user: a member, or a user who has left.
    case memberChanged(Person)
    /// The host declined the application of this user, now or before.
    case applicationDeclined(UserID)
    /// The guest's part in the room is the caller's now, with so many wins; nil: the guest had none.
    case guestLinked(MemberLinked?, wins: Int)
    /// The item was uploaded; the room has it.
    /// - Parameter replaced: the caller's own item that it replaced; nil: none.
    case itemUploaded(replaced: ItemID?)
    case lotQueued(LotID)
    /// The lot was changed, moved or withdrawn.
    case lotChanged(LotID)
    /// The caller's absentee bid on the lot stands.
    /// - Parameter isNew: Whether none of theirs stood before.
    case absenteeBid(LotID, isNew: Bool)
    /// The lots of all rows, in the order of the file.
    case lotsImported([ImportedLot])
    /// The sale was configured, started or stopped.
    case saleChanged
    /// The sale of a round was voided, offered to the next bidder, or made with them.
    case resultChanged(round: Int)
    case rulesAdjusted
    case ruleConfigured(String)
    /// The auction changed: start, end, pause, resume, cancel, retract.
    case transitioned
    /// The bid that the response shows: a new one, or the leading one whose maximum was raised.
    /// - Parameter nextMinimum: the least amount of the caller's next bid.
    case bidPlaced(Bid, nextMinimum: Money?)
    /// The stage handshake that the step concerned.
    case handshake(StageID)
    /// Seats of the stage changed.
    case stageChanged
    case messageSent(Message)
    case messageRemoved
    /// Nothing that a response shows.
    case silent
}
