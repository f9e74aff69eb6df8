import AuctionContract
import AuctionTestKit
import ExactJSON
import HTTPContract

/// Builds valid and invalid WebSocket frames as a client would, and parses the server's frames.
enum ClientFrames {
    private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var frame: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// A text message, sometimes fragmented.
    static func text(_ payload: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        guard generator.once(in: 8), payload.count > 2 else { return frame(1, payload) }
        let cut = generator.roll(1...(payload.count - 1))
        return frame(1, Array(payload[..<cut]), isFinal: false) + (generator.once(in: 2) ? frame(9, [1]) : [])
            + frame(0, Array(payload[cut...]))
    }

    /// A frame that is invalid or unusual in the protocol.
    static func odd(_ generator: inout SeededGenerator) -> [UInt8] {
        switch generator.roll(0...9) {
        case 0: frame(2, [1, 2, 3])
        case 1: frame(9, [UInt8](repeating: 7, count: generator.pick([0, 125, 126])))
        case 2: frame(8, generator.pick([[], [3], [3, 232], [0, 0], [3, 237], [15, 160, 0xFF]]))
        case 3: frame(UInt8(generator.roll(0...15)), [1])
        case 4: [0x81, 0x05, 0x68, 0x65, 0x6C, 0x6C, 0x6F]
        case 5: [0x81, 0xFF] + [UInt8](repeating: generator.pick([0x00, 0x7F, 0xFF]), count: 8) + mask
        case 6: [UInt8(generator.roll(0...255)) | 0x70, 0x80] + mask
        case 7: frame(1, [UInt8](repeating: 0x61, count: generator.pick([65535, 65536, 65537])))
        case 8: frame(1, [0xFF, 0xFE])
        default: (0..<generator.roll(1...40)).map { _ in UInt8(generator.roll(0...255)) }
        }
    }

    /// The types of frames; those that a running auction is about more often than others.
    static let operations =
        Operation.frames.map(\.name)
        + Operation.frames.filter { !["members", "permissions", "rooms"].contains($0.tag) }.map(\.name)

    /// Removes the complete frames from the front of `bytes`. Nil if a frame is one that a server must not send.
    static func take(from bytes: inout [UInt8]) -> [(opcode: UInt8, payload: [UInt8])]? {
        var frames: [(opcode: UInt8, payload: [UInt8])] = []
        var start = 0
        while bytes.count - start >= 2 {
            guard bytes[start] & 0xF0 == 0x80, bytes[start + 1] & 0x80 == 0 else { return nil }
            let short = Int(bytes[start + 1])
            let width = short < 126 ? 0 : short == 126 ? 2 : 8
            guard bytes.count - start >= 2 + width else { break }
            let length = width == 0 ? short : bytes[(start + 2)..<(start + 2 + width)].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 2 + width + length
            guard bytes.count >= end else { break }
            frames.append((bytes[start] & 0x0F, Array(bytes[(start + 2 + width)..<end])))
            start = end
        }
        bytes.removeFirst(start)
        return frames
    }
}
