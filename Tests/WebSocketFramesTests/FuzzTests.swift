import TestSupport
import Testing

@testable import WebSocketFrames

struct FuzzTests {
    @Test func `random bytes never trap, and give at most one violation`() {
        var numbers = RandomBits(seed: 20_261_121)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...200, using: &numbers)).map { _ in
                UInt8.random(in: .min ... .max, using: &numbers)
            }
            let events = read(cut(bytes, &numbers), limit: 500)
            let ends = events.filter { if case .violation = $0 { true } else { false } }
            #expect(ends.count <= 1)
        }
    }

    @Test func `frames with changed bytes never trap, and give the same events however they are split`() {
        var numbers = RandomBits(seed: 42)
        for _ in 0..<3000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &numbers) { bytes += frame(&numbers).bytes }
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: .min ... .max, using: &numbers)
            }
            #expect(read([bytes], limit: 500) == read(cut(bytes, &numbers), limit: 500))
        }
    }

    private func frame(_ numbers: inout RandomBits) -> ClientFrame {
        let opcodes: [UInt8] = [0, 1, 1, 2, 8, 9, 10]
        let payload = (0..<Int.random(in: 0...140, using: &numbers)).map { _ in UInt8.random(in: 0...127, using: &numbers) }
        return ClientFrame(
            opcode: opcodes.randomElement(using: &numbers) ?? 1, isFinal: Bool.random(using: &numbers), payload: payload,
            key: (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &numbers) })
    }

    private func cut(_ bytes: [UInt8], _ numbers: inout RandomBits) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...20, using: &numbers))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}
