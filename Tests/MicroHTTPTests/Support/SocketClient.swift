import TestSupport

/// A minimal WebSocket client.
extension Client {
    static let handshake = [
        "Host: a", "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// An opening handshake in which `lines` replace the headers of the same name, or are added.
    static func request(_ lines: String..., path: String = "/socket", without name: String? = nil) -> String {
        let names = lines.map { $0.prefix { $0 != ":" } } + (name.map { [$0[...]] } ?? [])
        let kept = handshake.filter { line in !names.contains { line.hasPrefix($0 + ":") } }
        return (["GET \(path) HTTP/1.1"] + kept + lines).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Opens a WebSocket.
    func openSocket() throws {
        send(Client.request())
        let head = try readHead()
        guard head.status == 101 else { throw Failure(description: "no WebSocket: \(head.status)") }
    }

    /// Sends a frame masked with 0.
    @discardableResult
    func sendFrame(_ opcode: UInt8, _ payload: [UInt8] = []) -> Bool {
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        return send([0x80 | opcode] + length + [0, 0, 0, 0] + payload)
    }

    @discardableResult
    func sendText(_ text: String) -> Bool { sendFrame(1, Array(text.utf8)) }

    /// Reads the next frame.
    func frame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try read(2)
        var length = Int(head[1])
        if length == 126 { length = try read(2).reduce(0) { $0 << 8 | Int($1) } }
        if length == 127 { length = try read(8).reduce(0) { $0 << 8 | Int($1) } }
        return (head[0] & 0x0F, try read(length))
    }

    func text() throws -> String {
        let frame = try frame()
        guard frame.opcode == 1 else { throw Failure(description: "no text: \(frame)") }
        return String(decoding: frame.payload, as: UTF8.self)
    }

    /// Reads the next frame, which must be a close frame, and returns its code.
    func closeCode() throws -> Int {
        let frame = try frame()
        guard frame.opcode == 8, frame.payload.count >= 2 else { throw Failure(description: "no close frame: \(frame)") }
        return Int(frame.payload[0]) << 8 | Int(frame.payload[1])
    }

    /// Reads the next chunk of a chunked body; empty at its end.
    func chunk() throws -> String {
        guard let size = Int(try readLine(), radix: 16) else { throw Failure(description: "no chunk") }
        defer { _ = try? readLine() }
        return String(decoding: try read(size), as: UTF8.self)
    }
}
