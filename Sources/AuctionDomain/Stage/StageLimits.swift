/// The bounds of a stage.
public enum StageLimits {
    /// Seats, numbered from 1.
    public static let seats = 8
    /// Requests that wait for the host.
    public static let queuedRequests = 50
    /// How long each side waits for the other, in seconds.
    public static let timeoutSeconds = 30
    /// Ended handshakes that are remembered, so that re-sending their last step is harmless.
    public static let rememberedHandshakes = 32
}
