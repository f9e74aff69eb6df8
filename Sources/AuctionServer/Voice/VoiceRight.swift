internal import AuctionDomain

/// What a user may do with the sound of a room.
enum VoiceRight: Hashable, Sendable {
    /// Not even listen.
    case none
    case listen
    /// Open a microphone too.
    case speak
}

extension Room {
    /// What a user may do with the room's sound. The host and the occupants of seats speak, unless the seat is muted. The mute of a member
    /// is that of the chat.
    func voiceRight(of user: UserID) -> VoiceRight {
        guard !isArchived, isVisible(to: user), !members.standing(of: user).isBanned else { return .none }
        return isSpeaker(user) ? .speak : .listen
    }

    private func isSpeaker(_ user: UserID) -> Bool {
        guard let member = member(user) else { return false }
        if member.role == .host { return true }
        return stage.seat(of: user)?.isMuted == false
    }
}
