@testable import WebSocketFrames

/// Encodes a client's frames, valid or malformed.
struct ClientFrame {
    var opcode: UInt8 = 1
    var isFinal = true
    var reserved: UInt8 = 0
    var payload: [UInt8] = []
    var key: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    /// Bytes of the extended length (0, 2 or 8); nil for the shortest form.
    var lengthBytes: Int?
    /// The encoded length, if it differs from the payload's.
    var claimedLength: UInt64?

    var bytes: [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let length = claimedLength ?? UInt64(payload.count)
        let size = lengthBytes ?? (length <= 125 ? 0 : length <= 65535 ? 2 : 8)
        bytes.append((key == nil ? 0 : 0x80) | (size == 0 ? UInt8(length) : size == 2 ? 126 : 127))
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: length >> (8 * UInt64(size - 1 - index)))) }
        if let key { bytes += key }
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ (key?[index % 4] ?? 0)) }
        return bytes
    }

    static func text(_ text: String, isFinal: Bool = true) -> ClientFrame {
        ClientFrame(opcode: 1, isFinal: isFinal, payload: Array(text.utf8))
    }

    static func close(_ code: UInt16, _ reason: String = "") -> ClientFrame {
        ClientFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }
}

/// The events that a reader returns for bytes received in these pieces.
func read(_ pieces: [[UInt8]], limit: Int = 1 << 20) -> [ClientEvent] {
    var reader = FrameReader(messageLimit: limit)
    var events: [ClientEvent] = []
    for piece in pieces { reader.read(piece.span, into: &events) }
    return events
}

func read(_ frames: ClientFrame..., limit: Int = 1 << 20) -> [ClientEvent] {
    read([frames.flatMap(\.bytes)], limit: limit)
}

func text(_ string: String) -> ClientEvent { .message(Message(kind: .text, bytes: Array(string.utf8))) }

/// The close code of the last event if it is a violation, else nil.
func violation(_ events: [ClientEvent]) -> CloseCode? {
    if case .violation(let violation)? = events.last { violation.code } else { nil }
}
