/// What is needed to join the sound of a room.
public struct VoiceToken: Hashable, Sendable {
    /// The RTC service: `livekit`.
    public let provider: String
    /// Where it is joined.
    public let url: String
    /// For joining; do not log it.
    public let token: String
    /// When it expires, by the server's clock. Who has joined by then stays.
    public let expiresAt: ServerTime
    /// Whether it lets the caller open a microphone. When that changes, the RTC service is notified.
    public let canPublish: Bool

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        (provider, url, token) = (try fields.string("provider"), try fields.string("url"), try fields.string("token"))
        (expiresAt, canPublish) = (try fields.time("expiresAt"), try fields.bool("canPublish"))
    }
}
