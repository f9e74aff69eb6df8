/// A whole message of a client, put together from its fragments.
public struct Message: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Checked to be UTF-8.
        case text
        case binary
    }

    public let kind: Kind
    public let bytes: [UInt8]

    public init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// What a client's bytes say.
public enum ClientEvent: Hashable, Sendable {
    case message(Message)
    case ping([UInt8])
    case pong([UInt8])
    /// Nothing follows.
    case close(CloseStatus)
    /// Nothing follows.
    case violation(ProtocolViolation)
}
