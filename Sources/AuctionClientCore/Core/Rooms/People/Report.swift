/// A report of a message, which the host reads.
public struct Report: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// The message that was reported.
    public let message: ReportedMessage
    /// The member who reported it.
    public let reporter: Person
    /// What is wrong with the message; nil if nothing was said.
    public let reason: String?
    /// When it was reported.
    public let at: ServerTime

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        message = try ReportedMessage(fields.fields("message"))
        reporter = try fields.person("reporter")
        reason = try fields.optionalString("reason")
        at = try fields.time("at")
    }
}

/// The message of a report, as it was sent.
public struct ReportedMessage: Hashable, Sendable {
    /// Opaque identifier.
    public let id: String
    /// The member who sent it.
    public let author: Person
    /// What it says.
    public let text: String
    /// When it was sent.
    public let at: ServerTime
    /// Whether the host has removed it.
    public let isRemoved: Bool

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        author = try fields.person("author")
        text = try fields.string("text")
        at = try fields.time("at")
        isRemoved = try fields.bool("removed")
    }
}
