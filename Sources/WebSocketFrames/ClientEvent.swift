/// A complete message, reassembled from its fragments.
package struct Message: Hashable, Sendable {
    /// The type of a message's bytes.
    package enum Kind: Hashable, Sendable {
        /// Valid UTF-8.
        case text
        /// Any bytes.
        case binary
    }

    /// Text or binary.
    package let kind: Kind
    /// The payload, unmasked.
    package let bytes: [UInt8]

    /// A message of any length; the caller ensures that text is valid UTF-8.
    package init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// An event parsed from a client's bytes.
package enum ClientEvent: Hashable, Sendable {
    /// A complete message.
    case message(Message)
    /// A ping, which requires a pong with the same payload of at most 125 bytes.
    case ping([UInt8])
    /// A pong with its payload: shows that the peer is alive.
    case pong([UInt8])
    /// A close frame; no event follows.
    case close(CloseStatus)
    /// The client violated the protocol; no event follows.
    case violation(ProtocolViolation)
}
