/// Parses the frames that a WebSocket client sends (RFC 6455) from bytes split at any position.
///
/// Memory is bounded: one message of at most `messageLimit` bytes, and one control frame.
package struct FrameReader: Sendable {
    private let messageLimit: Int
    private var headers = FrameHeaderReader()
    private var frame: FrameHeader?
    /// Payload bytes still to be read of the current frame.
    package private(set) var remaining = 0
    private var key: UInt32 = 0
    /// The type of the message that is being read; nil between messages.
    private var kind: Message.Kind?
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var text = UTF8Validator()
    /// Whether a close frame or a violation was read: all further bytes are ignored.
    package private(set) var isFinished = false

    /// - Parameter messageLimit: in bytes; a longer message is a violation, detected from the frame's header.
    package init(messageLimit: Int) { self.messageLimit = messageLimit }

    /// Reads bytes and appends the events that they complete, until there are `limit` events.
    /// - Returns: The number of bytes that were read: all of them, unless `limit` was reached before.
    @discardableResult
    package mutating func read(_ bytes: Span<UInt8>, into events: inout [ClientEvent], limit: Int = .max) -> Int {
        var index = 0
        do throws(ProtocolViolation) {
            while index < bytes.count, !isFinished, events.count < limit {
                if frame == nil {
                    if let header = try headers.take(bytes[index]) { try begin(header) }
                    index += 1
                } else {
                    let count = min(bytes.count - index, remaining)
                    try collect(bytes.extracting(index..<index + count))
                    index += count
                }
                if let frame, remaining == 0 { try end(frame, &events) }
            }
        } catch {
            isFinished = true
            events.append(.violation(error))
        }
        return isFinished ? bytes.count : index
    }

    private mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) {
        switch header.opcode {
        case .text, .binary:
            guard kind == nil else { throw ProtocolViolation("A message begins inside another.") }
            kind = header.opcode == .text ? .text : .binary
        case .continuation:
            guard kind != nil else { throw ProtocolViolation("There is no message to continue.") }
        case .close, .ping, .pong: break
        }
        if !header.opcode.isControl, header.length > UInt64(messageLimit - message.count) {
            throw .tooBig(limit: messageLimit)
        }
        frame = header
        remaining = Int(header.length)
        key = header.key
    }

    private mutating func collect(_ bytes: Span<UInt8>) throws(ProtocolViolation) {
        remaining -= bytes.count
        defer { key = rotated(key, by: bytes.count) }
        guard frame?.opcode.isControl != true else {
            control.append(unmasking: bytes, key: key)
            return
        }
        let start = message.count
        message.append(unmasking: bytes, key: key)
        guard kind == .text else { return }
        // A copy, because the span borrows the whole value.
        var text = self.text
        guard text.accept(message.span.extracting(start...)) else { throw .notUTF8 }
        self.text = text
    }

    private mutating func end(_ frame: FrameHeader, _ events: inout [ClientEvent]) throws(ProtocolViolation) {
        self.frame = nil
        guard frame.opcode.isControl else {
            if frame.isFinal { try endMessage(&events) }
            return
        }
        let payload = control
        control = []
        switch frame.opcode {
        case .ping: events.append(.ping(payload))
        case .pong: events.append(.pong(payload))
        default:
            events.append(.close(try CloseStatus(payload: payload)))
            isFinished = true
        }
    }

    private mutating func endMessage(_ events: inout [ClientEvent]) throws(ProtocolViolation) {
        guard let kind else { return }
        guard text.isComplete else { throw .notUTF8 }
        events.append(.message(Message(kind: kind, bytes: message)))
        self.kind = nil
        message = []
    }
}
