/// Why a WebSocket ends, as RFC 6455, section 7.4, numbers it.
public struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: UInt16

    /// Any number; whether it may be sent is another question.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Everything was said.
    public static let normal = CloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    public static let goingAway = CloseCode(rawValue: 1001)
    /// Frames that are none.
    public static let protocolError = CloseCode(rawValue: 1002)
    /// A kind of message that is not taken.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// Text that is not UTF-8.
    public static let invalidPayload = CloseCode(rawValue: 1007)
    /// Against a rule that has no code of its own.
    public static let policyViolation = CloseCode(rawValue: 1008)
    /// A message above the limit.
    public static let messageTooBig = CloseCode(rawValue: 1009)
    /// The server cannot go on.
    public static let internalError = CloseCode(rawValue: 1011)

    /// Whether a close frame may carry it: 1004…1006 and 1015 never do, 1016…2999 are nobody's yet.
    public var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    public var description: String { String(rawValue) }
}

/// What a close frame says.
public struct CloseStatus: Hashable, Sendable {
    /// Nil for an empty close frame.
    public let code: CloseCode?
    /// At most 123 bytes of UTF-8.
    public let reason: String

    /// A status; the reason is cut to what a close frame may carry when it is sent.
    public init(_ code: CloseCode?, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Reads a close frame's payload (RFC 6455, section 5.5.1).
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
