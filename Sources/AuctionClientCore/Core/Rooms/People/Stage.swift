/// The seats of a room, and who is on the way to one.
public struct Stage: Hashable, Sendable {
    /// In order of their numbers.
    public let seats: [Seat]
    /// Requests that wait for the host, oldest first.
    public let queue: [Handshake]
    /// The handshake that the host takes part in now.
    public let handshake: Handshake?

    /// A place on the stage.
    public struct Seat: Hashable, Sendable, Identifiable {
        /// Numbered from 1.
        public let seat: Int
        /// Who is there; nil if it is empty.
        public let occupant: Person?
        /// The role that it gives its occupant.
        public let role: Role?
        /// Since when the occupant has it; nil if it is empty.
        public let since: ServerTime?
        /// Whether it cannot be taken.
        public let isClosed: Bool
        /// Whether its occupant is muted.
        public let isMuted: Bool

        /// The number of the seat.
        public var id: Int { seat }

        init(_ fields: JSONFields) throws(MalformedJSON) {
            let occupant = try fields.optionalFields("occupant")
            seat = try fields.count("seat")
            self.occupant = try occupant?.person("user")
            role = try occupant?.name("role")
            since = try occupant?.time("since")
            isClosed = try fields.bool("closed")
            isMuted = try fields.bool("muted")
        }
    }

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        seats = try fields.objects("seats") { (seat) throws(MalformedJSON) in try Seat(seat) }
        queue = try fields.objects("queue") { (handshake) throws(MalformedJSON) in try Handshake(handshake) }
        handshake = if let handshake = try fields.optionalFields("handshake") { try Handshake(handshake) } else { nil }
    }
}

/// A request or an invitation for a seat, and how far it has come.
public struct Handshake: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// The role that the seat gives.
    public let role: Role
    /// `requested`, `accepted`, `invited`, `agreed`, `onStage`, or `idle` when it is over.
    public let state: String
    /// What began it: `request`, `invitation`.
    public let origin: String
    /// Who is to be on stage.
    public let guest: Person
    /// When the waiting state times out; nil if neither side is waited for.
    public let expiresAt: ServerTime?

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        role = try fields.name("role")
        state = try fields.string("state")
        origin = try fields.string("origin")
        guest = try fields.person("guest")
        expiresAt = try fields.optionalTime("expiresAt")
    }
}

/// A step of the handshake for a seat.
public enum HandshakeStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// The host accepts a request, the guest an invitation.
    case accept
    /// The other side confirms.
    case confirm
    /// Either side refuses.
    case decline
    /// The side that began takes it back.
    case cancel
}
