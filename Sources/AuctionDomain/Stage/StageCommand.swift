/// What somebody wants of the stage.
public enum StageCommand: Hashable, Sendable {
    /// A guest asks for a seat.
    case request(StageRole)
    /// The host asks a member to take a seat.
    case invite(UserID, StageRole)
    /// The host accepts a request, or the guest an invitation.
    case accept(StageID)
    /// "Go": the guest after a request was accepted, the host after an invitation was. The guest is on stage then.
    case confirm(StageID)
    /// No.
    case decline(StageID)
    /// No longer.
    case cancel(StageID)
    /// It cannot be done: a microphone that is not there, an answer that makes no sense.
    case fail(StageID)
    /// Somebody on stage gets off it.
    case leave
    /// Evicts, and takes nobody any more.
    case closeSeat(Int)
    case muteSeat(Int, muted: Bool = true)
    /// Evicts, opens a closed seat, and lifts its mute.
    case clearSeat(Int)
}

/// What a decision about the stage may depend on, besides the stage.
public struct StageContext: Sendable {
    /// The room's host.
    public let host: Person
    /// Everybody in the room, with their present roles.
    public let members: Members
    /// The acceptance instant.
    public let instant: Timestamp
    /// The id of a handshake that the command may begin.
    public let id: StageID

    public init(host: Person, members: Members, instant: Timestamp, id: StageID) {
        self.host = host
        self.members = members
        self.instant = instant
        self.id = id
    }
}
