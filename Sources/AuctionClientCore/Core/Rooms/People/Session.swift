/// A user who is signed in: who, and the token until when.
public struct Session: Hashable, Sendable, Codable {
    /// The user's opaque identifier.
    public let userId: String
    /// What they call themselves.
    public let nickname: String
    /// The token; keep it as safe as a password.
    public let token: String
    /// When it expires, by the server's clock.
    public let expiresAt: ServerTime

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        let user = try fields.person("user")
        userId = user.id
        nickname = user.nickname
        token = try fields.string("token")
        expiresAt = try fields.time("expiresAt")
    }
}
