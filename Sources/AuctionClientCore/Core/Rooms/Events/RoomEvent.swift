/// Something that happened in a room.
public struct RoomEvent: Hashable, Sendable, Identifiable {
    /// The place in the history of the room: 1, 2, 3 … without gaps.
    public let seq: Int64
    /// What happened. A type that this version of the library does not know is kept as it was sent.
    public let type: EventType
    /// When, by the server's clock. Order is by `seq`, never by time.
    public let at: ServerTime
    /// Number of the round.
    public let round: Int
    /// What happened as a value: `unknown` for types that this version of the library does not know.
    public let body: Body
    /// The members of the event as they were sent.
    public let data: JSONValue

    /// The `seq`: unique in one room only.
    public var id: Int64 { seq }

    /// An event as the service sends it. Never fails because of its type or of members it has or lacks inside `data`.
    /// - Throws: `MalformedJSON` for an envelope without seq, type or time.
    init(_ json: JSONValue, currency: Currency) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        seq = try fields.integer("seq")
        type = try fields.name("type")
        at = try fields.time("at")
        round = try fields.count("round")
        data = fields.optional("data") ?? .object([:])
        body = Body(type, data, currency)
    }
}

/// The type of an event.
public struct EventType: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The types that become a body of their own; others are `unknown` there.
    public static let known: Set<Self> = Set(RoomEvent.Body.decoders.keys)
}
