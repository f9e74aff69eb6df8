import Testing

@testable import WebSocketFrames

struct UTF8Tests {
    private func accepts(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return validator.accept(bytes.span) && validator.isComplete
    }

    @Test func `every sequence of two bytes is accepted exactly if the standard library accepts it`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second]
                #expect(accepts(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
            }
        }
    }

    @Test func `boundary sequences of three and four bytes are accepted exactly if the standard library accepts them`() {
        let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xF5]
        for first in UInt8(0xE0)...0xF8 {
            for second in edges {
                for third in edges {
                    let three = [first, second, third]
                    #expect(accepts(three) == (String(validating: three, as: UTF8.self) != nil), "\(three)")
                    for fourth in edges {
                        let four = three + [fourth]
                        #expect(accepts(four) == (String(validating: four, as: UTF8.self) != nil), "\(four)")
                    }
                }
            }
        }
    }

    @Test func `a surrogate is refused at its second byte, before the frame ends`() {
        var frame = ClientFrame.text("abc")
        frame.payload += [0xED, 0xA0, 0x80, 0x41, 0x41]
        #expect(violation(read([Array(frame.bytes.dropLast(3))])) == .invalidPayload)
    }

    @Test func `a character may be split between fragments, but must be complete at the end`() {
        let tea = Array("茶".utf8)
        let first = ClientFrame(opcode: 1, isFinal: false, payload: Array(tea[..<1]))
        #expect(read(first, ClientFrame(opcode: 0, payload: Array(tea[1...]))) == [text("茶")])
        #expect(violation(read(first, ClientFrame(opcode: 0, payload: [tea[1]]))) == .invalidPayload)
        // Binary messages are not validated.
        #expect(violation(read(ClientFrame(opcode: 2, payload: [0xFF]))) == nil)
    }
}
