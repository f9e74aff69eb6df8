/// The bounds of a stage.
public enum StageLimits {
    /// Number of seats; they are numbered from 1.
    public static let seats = 8
    /// The most requests that wait for the host in one room.
    public static let queuedRequests = 50
    /// How long each step of a handshake may take, in seconds.
    public static let timeoutSeconds = 30
    /// How many ended handshakes a room keeps, so that clients may retry their last step.
    public static let rememberedHandshakes = 32
}
