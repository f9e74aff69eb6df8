import AuctionServer
import ExactJSON
import TestSupport

/// A connection that reads a room's stream; reads have a timeout, so that a test fails instead of hanging.
class StreamReader {
    typealias Failure = BlockingSocket.Failure

    let status: Int
    let headers: [String: String]
    private let socket: BlockingSocket

    /// - Parameter receiveBytes: size of the kernel's receive buffer; small to simulate a slow reader.
    init(port: UInt16, _ request: String, receiveBytes: Int32? = nil) throws {
        let socket = try BlockingSocket(port: port, receiveSeconds: 10, receiveBytes: receiveBytes)
        guard socket.send(request) else { throw Failure(description: "the server hung up") }
        let head = try socket.readHead()
        self.socket = socket
        status = head.status
        headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }

    func close() { socket.close() }

    func send(_ bytes: [UInt8]) throws {
        guard socket.send(bytes) else { throw Failure(description: "the server hung up") }
    }

    /// The code of the problem, if the server refused the stream.
    func problemCode() throws -> String? {
        let body = try bytes(Int(headers["content-length"] ?? "") ?? 0)
        return try JSONReader.read(body, maximumDepth: 64).text("code")
    }

    func line() throws -> String { try socket.readLine() }

    func bytes(_ count: Int) throws -> [UInt8] { try socket.read(count) }
}

/// An event or a notice of a stream.
struct StreamItem: Equatable {
    /// Nil for notices.
    var seq: Int?
    var type: String
    var data: JSONValue
}

/// A reader of server-sent events.
final class EventReader: StreamReader {
    private var text = ""
    private(set) var comments: [String] = []
    private(set) var retry: Int?
    /// The last `id` field, which a browser would send as Last-Event-ID.
    private(set) var lastID: Int?
    /// The last id as it was sent, which is no number in the feed.
    private(set) var lastText: String?

    convenience init(
        _ fixture: RoomFixture, _ query: String = "", by guest: Guest? = nil, lastID: Int? = nil, receiveBytes: Int32? = nil
    ) throws {
        var request = "GET \(fixture.path)/events\(query) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
        if let guest { request += "Authorization: Bearer \(guest.token)\r\n" }
        if let lastID { request += "Last-Event-ID: \(lastID)\r\n" }
        try self.init(port: fixture.server.auctionServer.port, request + "\r\n", receiveBytes: receiveBytes)
    }

    /// The next event or notice; nil at the end of the stream.
    func next() throws -> StreamItem? {
        while true {
            guard let block = try block() else { return nil }
            if let item = read(block) { return item }
        }
    }

    /// The next event, skipping notices; nil at the end of the stream.
    func event() throws -> StreamItem? {
        while let item = try next() {
            if item.seq != nil { return item }
        }
        return nil
    }

    private func read(_ block: String) -> StreamItem? {
        var item = StreamItem(seq: nil, type: "message", data: .null)
        for line in block.split(separator: "\n") {
            if line.hasPrefix(":") { comments.append(String(line.dropFirst())) }
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            switch parts[0] {
            case "id":
                item.seq = Int(value)
                (lastID, lastText) = (item.seq, value)
            case "event": item.type = value
            case "retry": retry = Int(value)
            case "data": item.data = (try? JSONReader.read(Array(value.utf8), maximumDepth: 64)) ?? .null
            default: break
            }
        }
        return item.data == .null ? nil : item
    }

    private func block() throws -> String? {
        while true {
            if let end = text.firstRange(of: "\n\n") {
                defer { text = String(text[end.upperBound...]) }
                return String(text[..<end.lowerBound])
            }
            guard let size = Int(try line(), radix: 16) else { throw Failure(description: "no chunk") }
            let chunk = try bytes(size)
            _ = try line()
            if size == 0 { return nil }
            text += String(decoding: chunk, as: UTF8.self)
        }
    }
}

/// A client of the room's WebSocket.
final class SocketReader: StreamReader {
    private(set) var closeCode: Int?

    convenience init(
        _ fixture: RoomFixture, _ query: String = "", by guest: Guest? = nil, origin: String? = nil, host: String = "test",
        receiveBytes: Int32? = nil
    ) throws {
        try self.init(
            path: fixture.path, port: fixture.server.auctionServer.port, query, by: guest, origin: origin, host: host,
            receiveBytes: receiveBytes)
    }

    convenience init(
        path: String, port: UInt16, _ query: String, by guest: Guest?, origin: String? = nil, host: String = "test",
        receiveBytes: Int32? = nil
    ) throws {
        var request =
            "GET \(path)/socket\(query) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: auction-room.v1\r\n"
        if let guest { request += "Authorization: Bearer \(guest.token)\r\n" }
        if let origin { request += "Origin: \(origin)\r\n" }
        try self.init(port: port, request + "\r\n", receiveBytes: receiveBytes)
    }

    /// The next event or notice; nil once the server closes, after echoing its close frame.
    func next() throws -> StreamItem? {
        while true {
            let head = try bytes(2)
            var length = Int(head[1])
            if length == 126 { length = try bytes(2).reduce(0) { $0 << 8 | Int($1) } }
            if length == 127 { length = try bytes(8).reduce(0) { $0 << 8 | Int($1) } }
            let payload = try bytes(length)
            switch head[0] {
            case 0x81:
                let json = try JSONReader.read(payload, maximumDepth: 64)
                return StreamItem(seq: json.int("seq"), type: json.text("type") ?? "notice", data: json)
            case 0x88:
                closeCode = payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                try? send([0x88, 0x82, 0, 0, 0, 0] + payload.prefix(2))
                return nil
            case 0x89: try send([0x8A, 0x80 | UInt8(length), 0, 0, 0, 0] + payload)
            default: throw Failure(description: "an unexpected frame")
            }
        }
    }

    func event() throws -> StreamItem? {
        while let item = try next() {
            if item.seq != nil { return item }
        }
        return nil
    }

    /// Sends a frame and returns its acknowledgement, skipping events before it.
    func ack(_ frame: String) throws -> JSONValue {
        try sendText(frame)
        while let item = try next() {
            if item.data["ack"] != nil { return item.data }
        }
        throw Failure(description: "closed: \(closeCode ?? 0)")
    }

    /// - Parameter text: at most 65,535 bytes.
    func sendText(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = UInt16(bytes.count)
        let length: [UInt8] = count < 126 ? [0x80 | UInt8(count)] : [0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
        try send([0x81] + length + [0, 0, 0, 0] + bytes)
    }
}
