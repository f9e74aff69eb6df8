import AuctionServer
import ExactJSON
import WebSocketFrames

/// The first byte of the input is the size of the pieces, less one; the rest is the bytes that a WebSocket client sends.
enum FramesTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        let cut = Int(input.first ?? 0) + 1
        let bytes = Array(input.dropFirst())
        let whole = actions(bytes, piece: max(bytes.count, 1))
        let pieces = actions(bytes, piece: cut)
        try require(whole == pieces, "in pieces of \(cut) it means \(pieces), at once \(whole)")
        for case .deliver(let message) in whole { try command(message.bytes) }
        try command(bytes)
        try message(bytes)
    }

    private static func actions(_ bytes: [UInt8], piece: Int) -> [WebSocketSession.Action] {
        var options = WebSocketSession.Options()
        options.messageLimit = 300
        var session = WebSocketSession(options: options, now: 0)
        var actions: [WebSocketSession.Action] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + piece, bytes.count)
            actions += session.receive(bytes.span.extracting(start..<end), now: 0)
            while session.hasUnread { actions += session.proceed() }
            start = end
        }
        return actions
    }

    /// A command's body must be valid JSON, and its path must not leave the room's.
    private static func command(_ bytes: [UInt8]) throws(PropertyViolation) {
        guard let request = FrameProbe.request(in: bytes) else { return }
        try require(request.body.isEmpty || (try? JSONReader.read(request.body)) != nil, "the command's body is no JSON")
        try require(!request.tail.contains("..") && !request.tail.contains("?"), "the command goes to \(request.tail)")
    }

    /// A masked binary message must be decoded unchanged.
    private static func message(_ bytes: [UInt8]) throws(PropertyViolation) {
        let payload = Array(bytes.prefix(300))
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        var frame = ServerFrame.message(Message(kind: .binary, bytes: payload))
        let head = frame.count - payload.count
        frame[1] |= 0x80
        frame.replaceSubrange(head..., with: mask + payload.enumerated().map { $1 ^ mask[$0 % 4] })
        let expected: [WebSocketSession.Action] = [.deliver(Message(kind: .binary, bytes: payload))]
        let arrived = actions(frame, piece: frame.count)
        try require(arrived == expected, "a message of \(payload.count) bytes does not arrive as it was sent")
    }
}
