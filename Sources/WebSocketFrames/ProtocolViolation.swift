/// A violation of the protocol by a client, which ends its WebSocket.
package struct ProtocolViolation: Error, Hashable, Sendable {
    /// The close code to send: 1002, 1007 or 1009.
    package let code: CloseCode
    /// Human-readable, short enough for a close frame.
    package let reason: String

    init(_ code: CloseCode = .protocolError, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ reason: String) { self.init(.protocolError, reason) }

    static let notUTF8 = ProtocolViolation(.invalidPayload, "Text must be UTF-8.")

    static func tooBig(limit: Int) -> ProtocolViolation {
        ProtocolViolation(.messageTooBig, "A message may have at most \(limit) bytes.")
    }
}
