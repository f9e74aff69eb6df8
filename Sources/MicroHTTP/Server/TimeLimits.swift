/// The time limits of requests in milliseconds, computed once: every request needs five of them.
struct TimeLimits {
    /// To receive a head, and again a body.
    let request: UInt64
    /// To receive a body that is larger than `HTTPLimits.bodyBytes`.
    let largeBody: UInt64
    /// Time for the client to read a whole response.
    let response: UInt64
    /// Between requests. The loop does not observe the first byte of the next request, only its complete line: so both times are added.
    let idle: UInt64

    init(_ limits: HTTPLimits) {
        request = TimeLimits.milliseconds(limits.requestSeconds)
        largeBody = max(request, TimeLimits.milliseconds(limits.largeBodySeconds))
        response = TimeLimits.milliseconds(limits.responseSeconds)
        idle = TimeLimits.milliseconds(limits.idleSeconds + limits.requestSeconds)
    }

    private static func milliseconds(_ seconds: Double) -> UInt64 {
        UInt64(max(1, min(seconds * 1000, 1e12)))  // proven: bounded
    }
}
