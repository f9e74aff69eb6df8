/// Bounds of a client; a request can lower those of its own.
package struct OutboundLimits: Sendable {
    /// Requests in flight; further ones are refused.
    package var requests = 64
    /// Of these, requests to one host: an endpoint that does not respond leaves room for others.
    package var requestsPerHost = 8
    /// Connections that are kept open for later requests.
    package var idleConnections = 16
    /// From the call to the last byte of the response.
    package var totalTime = Duration.seconds(15)
    /// Of this, until the connection is established, with name resolution and TLS.
    package var connectTime = Duration.seconds(5)
    /// Bytes of a request's body.
    package var requestBytes = 1 << 20
    /// Bytes of a response's status line and headers, interim responses included.
    package var headBytes = 64 << 10
    /// Bytes of a response's body that are kept; then the transfer ends.
    package var responseBytes = 1 << 20

    package init() {}
}
