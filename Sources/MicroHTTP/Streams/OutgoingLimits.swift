internal import CMicroHTTPDShims

/// What the socket of a stream or a WebSocket may keep for a peer that reads slowly or not at all.
package struct OutgoingLimits: Sendable {
    /// Most bytes that the stream buffers.
    package var bytes = 262_144
    /// The socket's send buffer, in bytes, in addition to `bytes`.
    package var kernelBytes: Int32 = 131_072
    /// How long sent bytes may go unacknowledged.
    package var unacknowledgedMilliseconds: UInt32 = 30_000

    /// The defaults.
    package init() {}

    /// Sets the socket's options, once it belongs to a stream.
    func prepare(_ descriptor: Int32) { micro_prepare_stream(descriptor, kernelBytes, unacknowledgedMilliseconds) }
}
