/// What a service token is for. The token of the operator's file has every scope.
package enum ServiceScope: String, CaseIterable, Sendable {
    /// Service tokens and the audit.
    case admin
    /// Tokens for the users of a backend.
    case signInUsers = "users:sign-in"
    /// Revoking and banning users in all rooms.
    case manageUsers = "users:manage"
    /// Every room, private ones too.
    case readRooms = "rooms:read"
    /// The commands of hosts and auctioneers in any room.
    case writeRooms = "rooms:write"
    /// The events of all rooms.
    case readFeed = "feed:read"
    /// Webhooks and their deliveries.
    case manageWebhooks = "webhooks:manage"
}
