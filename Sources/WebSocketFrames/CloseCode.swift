/// The code of a close frame (RFC 6455, section 7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package let rawValue: UInt16

    /// Any number; `mayBeSent` returns whether a close frame may carry it.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    package static let normal = CloseCode(rawValue: 1000)
    /// The server stops, or the browser leaves the page.
    package static let goingAway = CloseCode(rawValue: 1001)
    /// Malformed frames.
    package static let protocolError = CloseCode(rawValue: 1002)
    /// Text that is not UTF-8.
    package static let invalidPayload = CloseCode(rawValue: 1007)
    /// A violated rule that has no code of its own.
    package static let policyViolation = CloseCode(rawValue: 1008)
    /// A message that exceeds the receiver's limit.
    package static let messageTooBig = CloseCode(rawValue: 1009)
    /// The server failed.
    package static let internalError = CloseCode(rawValue: 1011)

    /// Whether a close frame may carry the code: 1004…1006 and 1015 are reserved, 1016…2999 unassigned.
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    package var description: String { String(rawValue) }
}

/// The code and the reason of a close frame.
package struct CloseStatus: Hashable, Sendable {
    /// Nil for an empty close frame.
    package let code: CloseCode?
    /// At most 123 bytes of UTF-8.
    package let reason: String

    /// A status; a reason of more than 123 bytes is truncated when it is sent.
    package init(_ code: CloseCode?, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Parses a close frame's payload (RFC 6455, section 5.5.1).
    init(payload: [UInt8]) throws(ProtocolViolation) {
        guard !payload.isEmpty else {
            self.init(nil)
            return
        }
        guard payload.count >= 2 else { throw ProtocolViolation("A close frame's code has two bytes.") }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.mayBeSent else { throw ProtocolViolation("\(code) is no code that a close frame may carry.") }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else { throw .notUTF8 }
        self.init(code, reason)
    }
}
