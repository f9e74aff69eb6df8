/// Whether an application waits for the host, or was declined.
public struct ApplicationState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for the host.
    public static let open: Self = "open"
    /// The host has declined it, and may still approve it.
    public static let declined: Self = "declined"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [open, declined]
}

/// What the caller has asked the host of a room: to be approved as a bidder.
public struct OwnApplication: Hashable, Sendable {
    /// Whether it waits for the host, or was declined.
    public let state: ApplicationState
    /// When it was made.
    public let at: ServerTime
    /// Why it was declined; nil while it is open, and if the host gave no reason.
    public let reason: String?

    init(_ fields: JSONFields) throws(MalformedJSON) {
        state = try fields.name("state")
        at = try fields.time("at")
        reason = try fields.optionalString("reason")
    }
}

/// The application of a bidder, which the host reads.
public struct Application: Hashable, Sendable, Identifiable {
    /// Who asks to be approved.
    public let applicant: Person
    /// Whether it waits for the host, or was declined.
    public let state: ApplicationState
    /// When it was made.
    public let at: ServerTime
    /// Why it was declined; nil while it is open, and if the host gave no reason.
    public let reason: String?
    /// That of the applicant.
    public var id: String { applicant.id }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        applicant = try fields.person("applicant")
        state = try fields.name("state")
        at = try fields.time("at")
        reason = try fields.optionalString("reason")
    }
}
