internal import AuctionDomain

/// A call to the RTC service.
struct VoiceCall: Hashable, Sendable {
    enum Order: Hashable, Sendable {
        /// What a participant may do from now on.
        case permit(UserID, speaks: Bool)
        case remove(UserID)
        case deleteRoom
        /// Says who is there.
        case list

        /// Of two orders about the same, only the later counts.
        func isAboutSame(as other: Order) -> Bool {
            switch (self, other) {
            case (.permit(let user, _), .permit(let other, _)), (.permit(let user, _), .remove(let other)),
                (.remove(let user), .permit(let other, _)), (.remove(let user), .remove(let other)):
                user == other
            case (.deleteRoom, .deleteRoom), (.list, .list): true
            default: false
            }
        }
    }

    /// Another one for each call.
    let number: Int
    let room: RoomID
    let order: Order
    /// When the event happened that it follows from; nil for one that follows from a comparison.
    let since: Timestamp?
}

/// What came of a call.
enum VoiceAnswer: Sendable {
    /// It is so now, also because there is no such participant.
    case done
    /// Who is there, by their identity, and whether they may speak; with what they may do as of then.
    case participants([String: Bool], VoiceRights)
    /// The service will not; it is as before.
    case refused
    /// There is no answer, or the service is not well: it may have taken effect, and may yet.
    case failed
    /// It was not sent, which says nothing of the service.
    case unsent
}
