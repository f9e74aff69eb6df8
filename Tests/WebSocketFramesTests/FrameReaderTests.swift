import Testing

@testable import WebSocketFrames

struct FrameReaderTests {
    @Test func `the RFC's example of a masked frame decodes to Hello`() {
        let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(read([bytes]) == [text("Hello")])
    }

    @Test func `a sequence of frames gives the same events at every split point`() {
        let frames: [ClientFrame] = [
            .text("é — 価格 🫖"), ClientFrame(opcode: 2, isFinal: false, payload: Array(0...200)),
            ClientFrame(opcode: 9, payload: Array("ping".utf8)), ClientFrame(opcode: 0, isFinal: false),
            ClientFrame(opcode: 0, payload: Array(repeating: 7, count: 300)), ClientFrame(opcode: 10, payload: [1]),
            .text(""), .close(1000, "bye"),
        ]
        let bytes = frames.flatMap(\.bytes)
        let whole: [ClientEvent] = [
            text("é — 価格 🫖"), .ping(Array("ping".utf8)),
            .message(Message(kind: .binary, bytes: Array(0...200) + Array(repeating: 7, count: 300))), .pong([1]), text(""),
            .close(CloseStatus(.normal, "bye")),
        ]
        #expect(read([bytes]) == whole)
        for split in bytes.indices {
            #expect(read([Array(bytes[..<split]), Array(bytes[split...])]) == whole, "split at \(split)")
        }
        #expect(read(bytes.map { [$0] }) == whole)
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 70001])
    func `a payload of any length is decoded unchanged`(_ length: Int) {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let events = read(ClientFrame(opcode: 2, payload: payload))
        #expect(events == [.message(Message(kind: .binary, bytes: payload))])
    }

    @Test func `malformed frames close with 1002`() {
        let wrong: [(String, [UInt8])] = [
            ("unmasked", ClientFrame(payload: [65], key: nil).bytes),
            ("reserved bit", ClientFrame(reserved: 1).bytes), ("reserved bit", ClientFrame(reserved: 4).bytes),
            ("opcode 3", ClientFrame(opcode: 3).bytes), ("opcode 11", ClientFrame(opcode: 11).bytes),
            ("fragmented ping", ClientFrame(opcode: 9, isFinal: false).bytes),
            ("long ping", ClientFrame(opcode: 9, payload: Array(repeating: 0, count: 126)).bytes),
            ("nothing to continue", ClientFrame(opcode: 0).bytes),
            ("text in a message", ClientFrame.text("a", isFinal: false).bytes + ClientFrame.text("b").bytes),
            ("length 125 in two bytes", ClientFrame(payload: [1], lengthBytes: 2).bytes),
            ("length 65535 in eight", ClientFrame(opcode: 2, lengthBytes: 8, claimedLength: 65535).bytes),
            ("64-bit length", ClientFrame(opcode: 2, lengthBytes: 8, claimedLength: 1 << 63).bytes),
            ("one byte of close code", ClientFrame(opcode: 8, payload: [3]).bytes),
        ]
        for (name, bytes) in wrong { #expect(violation(read([bytes])) == .protocolError, "\(name)") }
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
    func `a reserved or unassigned close code is refused`(_ code: UInt16) {
        #expect(violation(read(.close(code))) == .protocolError)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
    func `a valid close code is accepted`(_ code: UInt16) {
        #expect(read(.close(code, "x")) == [.close(CloseStatus(CloseCode(rawValue: code), "x"))])
    }

    @Test func `a close frame may be empty, and its reason must be UTF-8`() {
        #expect(read(ClientFrame(opcode: 8)) == [.close(CloseStatus(nil))])
        #expect(violation(read(ClientFrame(opcode: 8, payload: [0x03, 0xE8, 0xC3]))) == .invalidPayload)
    }

    @Test func `a message above the limit is refused by its frame header, also if it is fragmented`() {
        #expect(read(.text("12345"), limit: 5) == [text("12345")])
        #expect(violation(read(.text("123456"), limit: 5)) == .messageTooBig)
        let head = Array(ClientFrame(opcode: 2, claimedLength: UInt64.max >> 1).bytes)
        #expect(violation(read([head])) == .messageTooBig)
        #expect(
            violation(read(.text("123", isFinal: false), ClientFrame(opcode: 0, payload: [1, 2, 3]), limit: 5))
                == .messageTooBig)
    }

    @Test func `events before a violation are delivered, and none after it`() {
        let events = read(.text("first"), ClientFrame(opcode: 3), .text("after"))
        #expect(events.first == text("first"))
        #expect(events.count == 2)
        #expect(read(.close(1000), .text("after")).count == 1)
    }
}
