internal import ArgumentParser

/// Transport of the subscribers.
enum LoadTransport: String, ExpressibleByArgument, CaseIterable {
    case webSocket = "websocket"
    case serverSentEvents = "sse"
    case longPoll = "long-poll"
}

/// Where messages are published and received: a room, or a channel of another server for comparison.
struct StreamTarget {
    enum Place {
        case room(id: String, token: String)
        case channel(subscribePath: String, publishPath: String)
    }

    let port: UInt16
    let transport: LoadTransport
    let place: Place
    /// Bytes of a message's text.
    let size: Int

    /// The first request of a subscriber.
    var subscription: [UInt8] {
        switch (place, transport) {
        case (.room(let id, _), .longPoll): Self.get("/v1/rooms/\(id)/events?after=latest&wait=60&limit=100", "")
        case (.room(let id, _), .webSocket): Self.get("/v1/rooms/\(id)/socket?after=latest", Self.upgrade)
        case (.room(let id, _), .serverSentEvents):
            Self.get("/v1/rooms/\(id)/events?after=latest", "Accept: text/event-stream\r\n")
        case (.channel(let path, _), .longPoll): Self.get(path, "")
        case (.channel(let path, _), .webSocket): Self.get(path, Self.upgrade)
        case (.channel(let path, _), .serverSentEvents): Self.get(path, "Accept: text/event-stream\r\n")
        }
    }

    /// The next request of a long-poll after this response.
    func nextPoll(after answer: Span<UInt8>, _ head: ResponseHead) -> [UInt8] {
        switch place {
        case .room(let id, _):
            Self.get("/v1/rooms/\(id)/events?after=\(Self.cursor(answer))&wait=60&limit=100", "")
        case .channel(let path, _):
            Self.get(
                path,
                "If-Modified-Since: \(Self.text(answer, head.lastModified))\r\n"
                    + "If-None-Match: \(Self.text(answer, head.etag))\r\n")
        }
    }

    /// The request that publishes a message.
    func publication(_ number: Int) -> [UInt8] {
        let marker = MarkerScanner.marker(number)
        let text = marker + String(repeating: "x", count: max(0, size - marker.utf8.count))
        switch place {
        case .room(let id, let token): return Self.post("/v1/rooms/\(id)/messages", token, "{\"text\":\"\(text)\"}")
        case .channel(_, let path): return Self.post(path, nil, text)
        }
    }

    static func post(_ path: String, _ token: String?, _ body: String) -> [UInt8] {
        let authorization = token.map { "Authorization: Bearer \($0)\r\nContent-Type: application/json\r\n" } ?? ""
        let head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(authorization)Content-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    private static let upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    private static func get(_ path: String, _ headers: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n".utf8)
    }

    private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }

    /// The value of `next` in a room's response, searched from the end because it follows the events.
    private static func cursor(_ answer: Span<UInt8>) -> Int {
        let name = Array("\"next\":".utf8)
        var at = answer.count - name.count
        while at >= 0 {
            if answer[at] == name[0], name.indices.allSatisfy({ answer[at + $0] == name[$0] }) { break }
            at -= 1
        }
        at += name.count
        var cursor = 0
        while at < answer.count, answer[at] >= 0x30, answer[at] <= 0x39 {
            cursor = cursor * 10 + Int(answer[at] - 0x30)
            at += 1
        }
        return cursor
    }
}
