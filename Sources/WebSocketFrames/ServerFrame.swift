/// Encodes a server's frames: unfragmented, unmasked, lengths in their shortest form.
package enum ServerFrame {
    /// A text message; the caller ensures that the bytes are UTF-8.
    package static func text(_ bytes: [UInt8]) -> [UInt8] { frame(.text, bytes) }
    /// A message, as a text or a binary frame.
    package static func message(_ message: Message) -> [UInt8] {
        frame(message.kind == .text ? .text : .binary, message.bytes)
    }

    /// Appends a text frame, to send several of them with one write.
    package static func append(text bytes: [UInt8], to output: inout [UInt8]) { append(.text, bytes[...], to: &output) }

    /// A ping without a payload, to check whether the peer is alive.
    package static func ping() -> [UInt8] { frame(.ping, []) }
    /// The reply to a ping.
    /// - Parameter payload: truncated to 125 bytes.
    package static func pong(_ payload: [UInt8]) -> [UInt8] { frame(.pong, Array(payload.prefix(125))) }

    /// A close frame. A reason of more than 123 bytes is truncated between characters; a code that may not be sent gives an empty
    /// frame.
    package static func close(_ status: CloseStatus) -> [UInt8] {
        guard let code = status.code, code.mayBeSent else { return frame(.close, []) }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for character in status.reason.unicodeScalars {
            let bytes = UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
            guard payload.count + bytes.count <= 125 else { break }
            payload.append(contentsOf: bytes)
        }
        return frame(.close, payload)
    }

    private static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(payload.count + 10)
        append(opcode, payload[...], to: &output)
        return output
    }

    private static func append(_ opcode: Opcode, _ payload: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output.append(0x80 | opcode.rawValue)
        switch payload.count {
        case ...125: output.append(UInt8(payload.count))
        case ...65535:
            output.append(126)
            output.append(UInt8(payload.count >> 8))
            output.append(UInt8(payload.count & 0xFF))
        default:
            output.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        output.append(contentsOf: payload)
    }
}
