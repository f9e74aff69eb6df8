/// The bounds of a stage.
package enum StageLimits {
    /// Number of seats; they are numbered from 1.
    package static let seats = 8
    /// The most requests that wait for the host in one room.
    package static let queuedRequests = 50
    /// How long each step of a handshake may take, in seconds.
    package static let timeoutSeconds = 30
    /// How many ended handshakes a room keeps, so that clients may retry their last step.
    package static let rememberedHandshakes = 32
}
