/// The type of a frame (RFC 6455, section 5.2).
enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// The header of a client's frame.
struct FrameHeader {
    let isFinal: Bool
    let opcode: Opcode
    let length: UInt64
    /// The mask's first byte in the lowest bits.
    let key: UInt32
}

/// Parses the header of a client's frame byte by byte, and throws at the first invalid byte.
struct FrameHeaderReader {
    private var bytes = InlineArray<14, UInt8>(repeating: 0)
    private var count = 0
    private var needed = 2

    /// The header, with its last byte; nil before.
    mutating func take(_ byte: UInt8) throws(ProtocolViolation) -> FrameHeader? {
        bytes[count] = byte
        count += 1
        switch count {
        case 1:
            // No extension is ever negotiated.
            guard byte & 0x70 == 0 else { throw ProtocolViolation("Reserved bits must be 0.") }
            guard Opcode(rawValue: byte & 0x0F) != nil else { throw ProtocolViolation("The opcode is unknown.") }
        case 2: try takeLength(byte)
        default: break
        }
        guard count == needed, let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { return nil }
        let length = try length()
        let key = (1...4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[needed - $1]) }
        defer { (count, needed) = (0, 2) }
        return FrameHeader(isFinal: bytes[0] & 0x80 != 0, opcode: opcode, length: length, key: key)
    }

    private mutating func takeLength(_ byte: UInt8) throws(ProtocolViolation) {
        guard byte & 0x80 != 0 else { throw ProtocolViolation("A client masks its frames.") }
        let short = byte & 0x7F
        if bytes[0] & 0x08 != 0 {
            guard bytes[0] & 0x80 != 0 else { throw ProtocolViolation("A control frame is one frame.") }
            guard short <= 125 else { throw ProtocolViolation("A control frame has at most 125 bytes.") }
        }
        needed = 6 + (short == 126 ? 2 : short == 127 ? 8 : 0)
    }

    private func length() throws(ProtocolViolation) -> UInt64 {
        let size = needed - 6
        guard size > 0 else { return UInt64(bytes[1] & 0x7F) }
        var length: UInt64 = 0
        for index in 2..<(2 + size) { length = length << 8 | UInt64(bytes[index]) }
        guard length >> 63 == 0 else { throw ProtocolViolation("A length has 63 bits.") }
        guard length >= (size == 2 ? 126 : 65536) else { throw ProtocolViolation("A length takes its shortest form.") }
        return length
    }
}
