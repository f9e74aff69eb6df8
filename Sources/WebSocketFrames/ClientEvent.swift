/// A whole message of a client, put together from its fragments.
public struct Message: Hashable, Sendable {
    /// How its bytes are to be read.
    public enum Kind: Hashable, Sendable {
        /// Checked to be UTF-8.
        case text
        /// Any bytes.
        case binary
    }

    /// Text or binary.
    public let kind: Kind
    /// The payload, unmasked.
    public let bytes: [UInt8]

    /// A message of any length.
    public init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// What a client's bytes say.
public enum ClientEvent: Hashable, Sendable {
    /// A whole message.
    case message(Message)
    /// To be answered with a pong of the same payload.
    case ping([UInt8])
    /// Shows that the peer lives.
    case pong([UInt8])
    /// Nothing follows.
    case close(CloseStatus)
    /// Nothing follows.
    case violation(ProtocolViolation)
}
