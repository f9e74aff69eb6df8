internal import AuctionService
internal import WebSocketFrames

extension CloseCode {
    /// The token expired or was revoked; the client should reconnect with a new one.
    static let tokenExpired = CloseCode(rawValue: 4401)
    /// The user may no longer see the room.
    static let forbidden = CloseCode(rawValue: 4403)
    /// The room was archived.
    static let gone = CloseCode(rawValue: 4404)
    /// The client read too slowly; it should reconnect with the last seq it received.
    static let tooSlow = CloseCode(rawValue: 4408)
    /// The caller has too many streams, or has sent too many malformed frames.
    static let tooMany = CloseCode(rawValue: 4429)
}

extension CloseStatus {
    init(_ reason: Subscriptions.CloseReason) {
        switch reason {
        case .forbidden: self = .forbidden
        case .roomGone: self = .roomGone
        case .tooSlow: self = .tooSlow
        case .unavailable: self = .unavailable
        case .token(.expired): self = .tokenExpired
        case .token(.banned): self = .banned
        case .token: self = .tokenRevoked
        }
    }

    static let goingAway = CloseStatus(.goingAway, "The server is stopping.")
    static let unavailable = CloseStatus(.internalError, "The event log cannot be reached right now.")
    static let tokenExpired = CloseStatus(.tokenExpired, "The token expired.")
    static let tokenRevoked = CloseStatus(.tokenExpired, "The token is not valid any more.")
    static let forbidden = CloseStatus(.forbidden, "You may not see this room any more.")
    static let banned = CloseStatus(.forbidden, "You are banned from all rooms.")
    static let roomGone = CloseStatus(.gone, "The room is archived.")
    static let tooSlow = CloseStatus(.tooSlow, "You read too slowly; come back with the last seq you have.")
    static let tooMany = CloseStatus(.tooMany, "You have as many streams as you may.")
    static let tooManyMalformed = CloseStatus(.tooMany, "You send too many malformed frames.")
}
