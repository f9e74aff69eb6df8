/// The code of a close frame (RFC 6455, section 7.4).
public struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: UInt16

    /// Any number; `mayBeSent` returns whether a close frame may carry it.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normal = CloseCode(rawValue: 1000)
    /// The server stops, or the browser leaves the page.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// Malformed frames.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// A type of message that the receiver does not accept.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// Text that is not UTF-8.
    public static let invalidPayload = CloseCode(rawValue: 1007)
    /// A violated rule that has no code of its own.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// A message that exceeds the receiver's limit.
    public static let messageTooBig = CloseCode(rawValue: 1009)
    /// The server failed.
    public static let internalError = CloseCode(rawValue: 1011)

    /// Whether a close frame may carry the code: 1004…1006 and 1015 are reserved, 1016…2999 unassigned.
    public var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    public var description: String { String(rawValue) }
}

/// The code and the reason of a close frame.
public struct CloseStatus: Hashable, Sendable {
    /// Nil for an empty close frame.
    public let code: CloseCode?
    /// At most 123 bytes of UTF-8.
    public let reason: String

    /// A status; a reason of more than 123 bytes is truncated when it is sent.
    public init(_ code: CloseCode?, _ reason: String = "") {
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
