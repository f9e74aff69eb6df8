extension RoomEvent {
    /// Something about the stage. Which members are there depends on the type of the event.
    public struct StageEvent: Hashable, Sendable {
        /// The request or invitation.
        public let stageId: String?
        /// Who is, or is to be, on stage.
        public let guest: Person?
        /// The role that the seat gives, or that is restored.
        public let role: Role?
        /// The number of the seat; of a move, the one that was left.
        public let seat: Int?
        /// The number of the seat that was taken by a move.
        public let to: Int?
        /// Who did it; nil for a request, a departure, a time-out, and what the service ended.
        public let by: Person?

        /// What follows `stage.` in the types of these events.
        static let steps = [
            "requested", "invited", "accepted", "seated", "declined", "cancelled", "timedOut", "ended", "seatClosed",
            "seatMuted", "seatCleared", "moved", "left",
        ]

        init(_ fields: JSONFields) throws(MalformedJSON) {
            stageId = try fields.optionalString("stageId")
            guest = try fields.optionalPerson(fields.optional("guest") == nil ? "member" : "guest")
            role = try fields.optionalString(fields.optional("role") == nil ? "restoredRole" : "role").map(Role.init(rawValue:))
            seat = try fields.optionalInteger("seat").flatMap(Int.init(exactly:))
            to = try fields.optionalInteger("to").flatMap(Int.init(exactly:))
            by = try fields.optionalPerson("by")
        }
    }
}
