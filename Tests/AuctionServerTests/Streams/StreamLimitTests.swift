import AuctionServer
import AuctionService
import EventLog
import ExactJSON
import MicroHTTP
import Testing

struct StreamLimitTests {
    @Test func `a user has so many streams and no more, over both transports, and each that ends makes room`() throws {
        let scene = try Scene(try House { $0.streams.perUser = 2 })
        let first = try EventReader(scene, by: scene.viewer)
        let second = try SocketReader(scene, by: scene.viewer)
        #expect(first.status == 200 && second.status == 101)
        let third = try EventReader(scene, by: scene.viewer)
        #expect(third.status == 429)
        #expect(third.headers["retry-after"] == "5")
        let refused = try SocketReader(scene, by: scene.viewer)
        #expect(refused.status == 101)
        #expect(try refused.next() == nil)
        #expect(refused.closeCode == 4429)
        // Somebody else, and somebody without a token, have their own.
        #expect(try EventReader(scene, by: scene.bidder).status == 200)
        #expect(try EventReader(scene).status == 200)
        second.close()
        try eventually(within: 2, "there is room again") { try EventReader(scene, by: scene.viewer).status == 200 }
    }

    @Test func `who does not read is cut off with 4408, and the others get everything`() throws {
        let scene = try Scene(try House { $0.streams.outgoingBytes = 16384 })
        try scene.openBidding()
        let slow = try SocketReader(scene, "?after=latest", receiveBytes: 4096)
        let slowEvents = try EventReader(scene, "?after=latest", receiveBytes: 4096)
        let quick = try SocketReader(scene, "?after=latest")
        #expect(try scene.room().int("viewers") == 3)
        let start = try scene.seq()
        var seen = start
        var amount = 100
        var viewers = 3
        while viewers > 1, seen < start + 8000 {
            for guest in [scene.bidder, scene.rival] {
                try #require(try scene.bid(.string(String(amount)), by: guest).status == 201)
                amount += 10
            }
            let seq = try scene.seq()
            while seen < seq {
                seen += 1
                try #require(try quick.event()?.seq == seen)
            }
            viewers = try #require(try scene.room().int("viewers"))
        }
        #expect(viewers == 1)
        var last = start
        while let event = try slow.event() {
            try #require(event.seq == last + 1)
            last += 1
        }
        #expect(slow.closeCode == 4408)
        #expect(last < seen)
        // It comes back with its cursor, and misses nothing.
        let again = try SocketReader(scene, "?after=\(last)")
        #expect(try again.event()?.seq == last + 1)
        withExtendedLifetime(slowEvents) {}
    }

    @Test func `streams leave a tenth of the connections to commands`() throws {
        let scene = try Scene(try House { $0.http.limits.connections = 20 })
        try scene.openBidding()
        // The tests' own connection is one of the eighteen.
        let streams = try (0..<17).map { try $0 % 2 == 0 ? EventReader(scene) : SocketReader(scene) }
        for stream in streams { #expect(stream.status == 200 || stream.status == 101) }
        let extra = try scene.house.connect()
        for request in [
            HTTPRequest(method: "GET", path: scene.path + "/events", headers: [("Accept", "text/event-stream")]),
            HTTPRequest(
                method: "GET", path: scene.path + "/socket",
                headers: [
                    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                ]),
        ] {
            try extra.send(request)
            let refused = try scene.house.receive(on: extra, to: request)
            #expect(refused.status == 503)
            #expect(refused.code == "server.busy")
            #expect(refused.header("Retry-After") == "5")
        }
        // Commands come through, on connections that are there and on new ones, and so do polls.
        #expect(try scene.bid("100", by: scene.bidder).status == 201)
        let bid = scene.house.request("POST", scene.path + "/bids", Array(#"{"amount":"110"}"#.utf8), by: scene.rival)
        let fresh = try scene.house.connect()
        try fresh.send(bid)
        #expect(try scene.house.receive(on: fresh, to: bid).status == 201)
        #expect(try scene.call("GET", "/events?after=latest").status == 200)
        fresh.close()
        extra.close()
        streams[1].close()
        try eventually("there is room again") { try EventReader(scene).status == 200 }
    }

    @Test func `held long-polls count as streams, and each that ends makes room`() throws {
        let scene = try Scene(try House { $0.streams.perUser = 2 })
        let stream = try EventReader(scene, by: scene.viewer)
        #expect(stream.status == 200)
        let poll = scene.house.request("GET", scene.path + "/events?after=latest&wait=30", nil, by: scene.viewer)
        let held = try scene.house.connect()
        try held.send(poll)
        try eventually("the poll is held") { try scene.room().int("viewers") == 2 }
        let refused = try scene.call("GET", "/events?after=latest&wait=30", by: scene.viewer)
        #expect(refused.status == 429)
        #expect(refused.code == "stream.too_many")
        #expect(refused.text("detail")?.contains("limit-streams-per-user") == true)
        #expect(try scene.room().int("viewers") == 2)
        // A poll that is not held is not counted: without a wait, or with events to send.
        #expect(try scene.call("GET", "/events?after=latest", by: scene.viewer).status == 200)
        #expect(try scene.call("GET", "/events?wait=30", by: scene.viewer).status == 200)
        try scene.upload()
        #expect(try scene.house.receive(on: held, to: poll).status == 200)
        try held.send(poll)
        try eventually("it is held again") { try scene.room().int("viewers") == 2 }
        held.close()
        try eventually("it is gone") { try scene.room().int("viewers") == 1 }
        #expect(try EventReader(scene, by: scene.viewer).status == 200)
    }

    @Test func `held long-polls leave a tenth of the connections to commands, of all and of an address`() throws {
        for (code, configure) in [
            ("server.busy", { $0.http.limits.connections = 20 }),
            ("connection.too_many", { $0.http.limits.connectionsPerAddress = 20 }),
        ] as [(String, (inout ServerOptions) -> Void)] {
            let scene = try Scene(try House(configure))
            try scene.openBidding()
            let poll = scene.house.request("GET", scene.path + "/events?after=latest&wait=30", nil)
            let polls = try (0..<17).map { _ in try scene.house.connect() }
            for connection in polls { try connection.send(poll) }
            try eventually("all are held") { try scene.room().int("viewers") == 17 }
            let late = try scene.house.connect()
            try late.send(poll)
            let refused = try scene.house.receive(on: late, to: poll)
            #expect(refused.status == 503)
            #expect(refused.code == code)
            #expect(refused.header("Retry-After") == "5")
            let bid = scene.house.request("POST", scene.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: scene.rival)
            let fresh = try scene.house.connect()
            try fresh.send(bid)
            #expect(try scene.house.receive(on: fresh, to: bid).status == 201)
            for connection in polls { #expect(try scene.house.receive(on: connection, to: poll).status == 200) }
        }
    }

    @Test func `behind a trusted proxy each client's address has its streams, with a token or without`() throws {
        let scene = try Scene(
            try House {
                $0.trustedProxies = [AddressBlock("127.0.0.1")].compactMap { $0 }
                $0.http.limits.connectionsPerAddress = 1
                $0.streams.perUser = 0
            })
        func poll(_ address: String, by guest: Guest? = nil) -> HTTPRequest {
            scene.house.request(
                "GET", scene.path + "/events?after=latest&wait=30", nil, by: guest, [("X-Forwarded-For", address)])
        }
        let held = try scene.house.connect()
        try held.send(poll("192.0.2.1", by: scene.viewer))
        try eventually("the poll is held") { try scene.room().int("viewers") == 1 }
        let refused = try scene.call(
            "GET", "/events?after=latest&wait=30", by: scene.bidder, [("X-Forwarded-For", "192.0.2.1")])
        #expect(refused.status == 429)
        #expect(refused.text("detail")?.contains("limit-connections-per-address") == true)
        let other = try scene.house.connect()
        try other.send(poll("192.0.2.2", by: scene.bidder))
        try eventually("another address polls") { try scene.room().int("viewers") == 2 }
        withExtendedLifetime(held) {}
    }

    @Test func `with too much waiting for slow readers reads get 503 and commands go on`() throws {
        let scene = try Scene(try House { $0.limits.responseBytes = 20_000 })
        try scene.openBidding()
        for number in 0..<100 {
            try #require(
                try scene.bid(.string(String(100 + 10 * number)), by: [scene.bidder, scene.rival][number % 2]).status == 201)
        }
        let page = HTTPRequest(method: "GET", path: scene.path + "/events?limit=256")
        // Each reads nothing of hundreds of kilobytes that it asks for, one after the other.
        let readers = try (0..<4).map { _ in try scene.house.connect(receiveBytes: 4096) }
        for reader in readers { for _ in 0..<20 { try reader.send(page) } }
        try eventually("reads are refused") { try scene.room().code == "response.too_many_bytes" }
        for (method, tail) in [("GET", "/events"), ("GET", "/members"), ("GET", "/results")] {
            let refused = try scene.call(method, tail, by: scene.viewer)
            guard refused.status == 503 else { continue }
            #expect(refused.code == "response.too_many_bytes")
            #expect(refused.header("Retry-After") == "1")
            #expect(refused.text("detail")?.contains("limit-response-bytes") == true)
        }
        #expect(try scene.bid("1100", by: scene.bidder).status == 201)
        #expect(try scene.call("POST", "/messages", ["text": "hello"], by: scene.viewer).status == 201)
        // The slow ones are cut off, and then it is read again.
        try eventually("it is read again") { try scene.room().status == 200 }
    }

    @Test func `a WebSocket has as many commands on their way as the operator says`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log) { $0.streams.pendingCommands = 2 })
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        log.shut()
        defer { log.open() }
        for number in 0..<3 { try socket.sendText(#"{"id":"c\#(number)","type":"placeBid","amount":"\#(120 + number)"}"#) }
        let refused = try #require(try socket.next())
        #expect(refused.data.text("ack") == "c2")
        #expect(refused.data.text("problem.code") == "service.overloaded")
    }

    @Test func `pages of this server and of allowed origins may open a WebSocket, others may not`() throws {
        let scene = try Scene(try House { $0.streams.allowedOrigins = ["https://shop.example"] })
        for origin in ["https://test", "http://TEST", "https://shop.example"] {
            #expect(try SocketReader(scene, origin: origin).status == 101, "\(origin)")
        }
        for origin in [
            "https://elsewhere.example", "null", "https://shop.example:8443", "http://shop.example", "https://test.example",
            "https://test:8080",
        ] {
            #expect(try SocketReader(scene, origin: origin).status == 403, "\(origin)")
        }
    }

    @Test func `what is no handshake is told so, in the contract's words`() throws {
        let scene = try Scene()
        let answer = try scene.call("GET", "/socket", by: scene.viewer)
        #expect(answer.status == 426)
        #expect(answer.code == "request.upgrade_required")
        #expect(answer.header("Sec-WebSocket-Version") == "13")
        let origin = try scene.call("GET", "/socket", by: nil, [("Origin", "https://elsewhere.example")])
        #expect(origin.code == "request.origin_not_allowed")
        #expect(try scene.call("GET", "/events", by: nil, [("Accept", "text/html")]).status == 406)
    }

    @Test func `who names both types gets what it prefers`() throws {
        let scene = try Scene()
        let page = try scene.call("GET", "/events", by: nil, [("Accept", "text/event-stream;q=0.5, application/json")])
        #expect(page.contentType == "application/json")
        #expect(try scene.call("GET", "/events", by: nil, [("Accept", "*/*")]).contentType == "application/json")
    }

    @Test func `a private room's stream ends for whoever may not see it any more, and strangers get none`() throws {
        let scene = try Scene(visibility: "private")
        #expect(try EventReader(scene, by: scene.stranger).status == 404)
        #expect(try SocketReader(scene).status == 404)
        let socket = try SocketReader(scene, "?after=latest", by: scene.viewer)
        let reader = try EventReader(scene, "?after=latest", by: scene.viewer)
        try #require(try scene.call("DELETE", "/members/me", by: scene.viewer).status == 204)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4403)
        #expect(try reader.event() == nil)
    }

    @Test func `a stream whose token expires ends with 4401`() throws {
        let scene = try Scene(try House { $0.streams.noticeSeconds = 0.1 })
        let socket = try SocketReader(scene, "?after=latest", by: scene.viewer)
        #expect(try socket.next()?.type == "notice")
        scene.house.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4401)
    }

    @Test func `a frame that is not text ends the socket`() throws {
        let scene = try Scene()
        let socket = try SocketReader(scene, "?after=latest", by: scene.viewer)
        try socket.send([0x82, 0x80, 0, 0, 0, 0])
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 1008)
    }
}
