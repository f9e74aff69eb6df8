internal import ArgumentParser

/// Transport of the subscribers.
enum LoadTransport: String, ExpressibleByArgument, CaseIterable {
    case webSocket = "websocket"
    case serverSentEvents = "sse"
    case longPoll = "long-poll"
}

/// Where messages or bids are published and received: a room, or a channel of another server for comparison.
struct StreamTarget {
    enum Place {
        /// Messages of a member.
        case room(id: String, token: String)
        /// Bids in a room, by its two bidders in turn.
        case auction(BidRoom)
        case channel(subscribePath: String, publishPath: String)
    }

    let port: UInt16
    let transport: LoadTransport
    let place: Place
    /// Bytes of a message's text.
    let size: Int

    /// The first request of a subscriber.
    var subscription: [UInt8] {
        let room: String
        switch place {
        case .room(let id, _): room = id
        case .auction(let auction): room = auction.id
        case .channel(let path, _):
            return switch transport {
            case .longPoll: Self.get(path, "")
            case .webSocket: Self.get(path, Self.upgrade)
            case .serverSentEvents: Self.get(path, "Accept: text/event-stream\r\n")
            }
        }
        return switch transport {
        case .longPoll: Self.get("/v1/rooms/\(room)/events?after=latest&wait=60&limit=100", "")
        case .webSocket: Self.get("/v1/rooms/\(room)/socket?after=latest", Self.upgrade)
        case .serverSentEvents: Self.get("/v1/rooms/\(room)/events?after=latest", "Accept: text/event-stream\r\n")
        }
    }

    /// What the scanner finds for the first publication, 0 or, as the amount of a bid, 1.
    var firstNumber: Int {
        if case .auction = place { 1 } else { 0 }
    }

    /// Finds the numbers of what was published; that of a bid is its amount.
    var scanner: MarkerScanner {
        if case .auction = place { .bids } else { .messages }
    }

    /// The next request of a long-poll after this response.
    func nextPoll(after answer: Span<UInt8>, _ head: ResponseHead) -> [UInt8] {
        switch place {
        case .room(let id, _): Self.poll(id, after: answer)
        case .auction(let auction): Self.poll(auction.id, after: answer)
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
        case .auction(let room):
            let body = "{\"amount\":\"\(number + firstNumber).00\"}"
            return Self.post("/v1/rooms/\(room.id)/bids", room.tokens[number % 2], body)
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

    private static func poll(_ room: String, after answer: Span<UInt8>) -> [UInt8] {
        get("/v1/rooms/\(room)/events?after=\(cursor(answer))&wait=60&limit=100", "")
    }

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
