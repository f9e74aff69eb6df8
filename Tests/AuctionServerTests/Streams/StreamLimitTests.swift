import IPAddresses
import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import MicroHTTP
import Testing

struct StreamLimitTests {
    @Test func `a user has a limited number of streams over both transports, and a closed one frees its slot`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.perUser = 2 })
        let first = try EventReader(fixture, by: fixture.viewer)
        let second = try SocketReader(fixture, by: fixture.viewer)
        #expect(first.status == 200 && second.status == 101)
        let third = try EventReader(fixture, by: fixture.viewer)
        #expect(third.status == 429)
        #expect(third.headers["retry-after"] == "5")
        let refused = try SocketReader(fixture, by: fixture.viewer)
        #expect(refused.status == 101)
        #expect(try refused.next() == nil)
        #expect(refused.closeCode == 4429)
        // Another user and an anonymous client have their own limits.
        #expect(try EventReader(fixture, by: fixture.bidder).status == 200)
        #expect(try EventReader(fixture).status == 200)
        second.close()
        try eventually(within: 2, "a slot is free again") { try EventReader(fixture, by: fixture.viewer).status == 200 }
    }

    @Test func `a slow reader is disconnected with 4408, and others get every event`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.outgoingBytes = 16384 })
        try fixture.openBidding()
        let slow = try SocketReader(fixture, "?after=latest", receiveBytes: 4096)
        let slowEvents = try EventReader(fixture, "?after=latest", receiveBytes: 4096)
        let quick = try SocketReader(fixture, "?after=latest")
        #expect(try fixture.room().int("viewers") == 3)
        let start = try fixture.seq()
        var seen = start
        var amount = 100
        var viewers = 3
        while viewers > 1, seen < start + 8000 {
            for guest in [fixture.bidder, fixture.rival] {
                try #require(try fixture.bid(.string(String(amount)), by: guest).status == 201)
                amount += 10
            }
            let seq = try fixture.seq()
            while seen < seq {
                seen += 1
                try #require(try quick.event()?.seq == seen)
            }
            viewers = try #require(try fixture.room().int("viewers"))
        }
        #expect(viewers == 1)
        var last = start
        while let event = try slow.event() {
            try #require(event.seq == last + 1)
            last += 1
        }
        #expect(slow.closeCode == 4408)
        #expect(last < seen)
        // It resumes from its cursor without a gap.
        let again = try SocketReader(fixture, "?after=\(last)")
        #expect(try again.event()?.seq == last + 1)
        withExtendedLifetime(slowEvents) {}
    }

    @Test func `a tenth of the connections is reserved for commands`() throws {
        let fixture = try RoomFixture(try TestServer { $0.http.limits.connections = 20 })
        try fixture.openBidding()
        // The connection of the tests themselves is one of the eighteen.
        let streams = try (0..<17).map { try $0 % 2 == 0 ? EventReader(fixture) : SocketReader(fixture) }
        for stream in streams { #expect(stream.status == 200 || stream.status == 101) }
        let extra = try fixture.server.connect()
        for request in [
            HTTPRequest(method: "GET", path: fixture.path + "/events", headers: [("Accept", "text/event-stream")]),
            HTTPRequest(
                method: "GET", path: fixture.path + "/socket",
                headers: [
                    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                ]),
        ] {
            try extra.send(request)
            let refused = try fixture.server.receive(on: extra, to: request)
            #expect(refused.status == 503)
            #expect(refused.code == "server.busy")
            #expect(refused.header("Retry-After") == "5")
        }
        // Commands and polls without a wait still work, on existing and on new connections.
        #expect(try fixture.bid("100", by: fixture.bidder).status == 201)
        let bid = fixture.server.request("POST", fixture.path + "/bids", Array(#"{"amount":"110"}"#.utf8), by: fixture.rival)
        let fresh = try fixture.server.connect()
        try fresh.send(bid)
        #expect(try fixture.server.receive(on: fresh, to: bid).status == 201)
        #expect(try fixture.call("GET", "/events?after=latest").status == 200)
        fresh.close()
        extra.close()
        streams[1].close()
        try eventually("a slot is free again") { try EventReader(fixture).status == 200 }
    }

    @Test func `by default a hall behind one address may watch without tokens, and one user has fewer streams`() throws {
        let fixture = try RoomFixture()
        let watchers = try (0..<256).map { _ in try EventReader(fixture, "?after=latest") }
        #expect(watchers.allSatisfy { $0.status == 200 })
        #expect(try EventReader(fixture, "?after=latest").status == 429)
        let refused = try fixture.call("GET", "/events?after=latest&wait=30")
        #expect(refused.text("detail")?.contains("256") == true && refused.text("detail")?.contains("a guest") == true)
        let own = try (0..<64).map { _ in try EventReader(fixture, "?after=latest", by: fixture.viewer) }
        #expect(own.allSatisfy { $0.status == 200 })
        #expect(try EventReader(fixture, "?after=latest", by: fixture.viewer).status == 429)
    }

    @Test func `a number of streams that is set holds for an address without tokens too, also where it is the default`() throws
    {
        let fixture = try RoomFixture(try TestServer { $0.streams.perUser = StreamOptions().perUser })
        let watchers = try (0..<64).map { _ in try EventReader(fixture, "?after=latest") }
        #expect(watchers.allSatisfy { $0.status == 200 })
        #expect(try EventReader(fixture, "?after=latest").status == 429)
    }

    @Test func `waiting long-polls count as streams, and a completed one frees its slot`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.perUser = 2 })
        let stream = try EventReader(fixture, by: fixture.viewer)
        #expect(stream.status == 200)
        let poll = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=30", nil, by: fixture.viewer)
        let held = try fixture.server.connect()
        try held.send(poll)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 2 }
        let refused = try fixture.call("GET", "/events?after=latest&wait=30", by: fixture.viewer)
        #expect(refused.status == 429)
        #expect(refused.code == "stream.too_many")
        #expect(refused.text("detail")?.contains("limit-streams-per-user") == true)
        #expect(try fixture.room().int("viewers") == 2)
        // A poll that returns immediately is not counted: without a wait, or with events to return.
        #expect(try fixture.call("GET", "/events?after=latest", by: fixture.viewer).status == 200)
        #expect(try fixture.call("GET", "/events?wait=30", by: fixture.viewer).status == 200)
        try fixture.upload()
        #expect(try fixture.server.receive(on: held, to: poll).status == 200)
        try held.send(poll)
        try eventually("the poll is waiting again") { try fixture.room().int("viewers") == 2 }
        held.close()
        try eventually("the poll is removed") { try fixture.room().int("viewers") == 1 }
        #expect(try EventReader(fixture, by: fixture.viewer).status == 200)
    }

    @Test func `waiting long-polls leave a tenth of all connections, and of an address's, to commands`() throws {
        for (code, configure) in [
            ("server.busy", { $0.http.limits.connections = 20 }),
            ("connection.too_many", { $0.http.limits.connectionsPerAddress = 20 }),
        ] as [(String, (inout ServerOptions) -> Void)] {
            let fixture = try RoomFixture(try TestServer(configure))
            try fixture.openBidding()
            let poll = fixture.server.request("GET", fixture.path + "/events?after=latest&wait=30", nil)
            let polls = try (0..<17).map { _ in try fixture.server.connect() }
            for connection in polls { try connection.send(poll) }
            try eventually("all polls are waiting") { try fixture.room().int("viewers") == 17 }
            let late = try fixture.server.connect()
            try late.send(poll)
            let refused = try fixture.server.receive(on: late, to: poll)
            #expect(refused.status == 503)
            #expect(refused.code == code)
            #expect(refused.header("Retry-After") == "5")
            let bid = fixture.server.request(
                "POST", fixture.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: fixture.rival)
            let fresh = try fixture.server.connect()
            try fresh.send(bid)
            #expect(try fixture.server.receive(on: fresh, to: bid).status == 201)
            for connection in polls { #expect(try fixture.server.receive(on: connection, to: poll).status == 200) }
        }
    }

    @Test func `behind a trusted proxy streams are limited per client address, with and without a token`() throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.trustedProxies = [AddressBlock("127.0.0.1")].compactMap { $0 }
                $0.http.limits.connectionsPerAddress = 1
                $0.streams.perUser = 0
            })
        func poll(_ address: String, by guest: Guest? = nil) -> HTTPRequest {
            fixture.server.request(
                "GET", fixture.path + "/events?after=latest&wait=30", nil, by: guest, [("X-Forwarded-For", address)])
        }
        let held = try fixture.server.connect()
        try held.send(poll("192.0.2.1", by: fixture.viewer))
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 1 }
        let refused = try fixture.call(
            "GET", "/events?after=latest&wait=30", by: fixture.bidder, [("X-Forwarded-For", "192.0.2.1")])
        #expect(refused.status == 429)
        #expect(refused.text("detail")?.contains("limit-connections-per-address") == true)
        let other = try fixture.server.connect()
        try other.send(poll("192.0.2.2", by: fixture.bidder))
        try eventually("another address polls") { try fixture.room().int("viewers") == 2 }
        withExtendedLifetime(held) {}
    }

    @Test func `with too many bytes queued for slow readers, reads get 503 and commands are accepted`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.responseBytes = 20_000 })
        try fixture.openBidding()
        for number in 0..<100 {
            try #require(
                try fixture.bid(.string(String(100 + 10 * number)), by: [fixture.bidder, fixture.rival][number % 2]).status
                    == 201)
        }
        let page = HTTPRequest(method: "GET", path: fixture.path + "/events?limit=256")
        // Each connection requests hundreds of kilobytes and reads none of them.
        let readers = try (0..<4).map { _ in try fixture.server.connect(receiveBytes: 4096) }
        for reader in readers { for _ in 0..<20 { try reader.send(page) } }
        try eventually("reads are refused") { try fixture.room().code == "response.too_many_bytes" }
        let picture = "/v1/media/" + String(repeating: "0", count: 64)
        try eventually("those of pictures too") { try fixture.server.call("GET", picture).code == "response.too_many_bytes" }
        for (method, tail) in [("GET", "/events"), ("GET", "/members"), ("GET", "/results")] {
            let refused = try fixture.call(method, tail, by: fixture.viewer)
            guard refused.status == 503 else { continue }
            #expect(refused.code == "response.too_many_bytes")
            #expect(refused.header("Retry-After") == "1")
            #expect(refused.text("detail")?.contains("limit-response-bytes") == true)
        }
        #expect(try fixture.bid("1100", by: fixture.bidder).status == 201)
        #expect(try fixture.call("POST", "/messages", ["text": "hello"], by: fixture.viewer).status == 201)
        // Once the slow connections are closed, reads are accepted again.
        try eventually("reads are accepted again") { try fixture.room().status == 200 }
    }

    @Test func `the number of commands in flight per WebSocket is an option`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log) { $0.streams.pendingCommands = 2 })
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        log.commits.shut()
        defer { log.commits.open() }
        for number in 0..<3 { try socket.sendText(#"{"id":"c\#(number)","type":"placeBid","amount":"\#(120 + number)"}"#) }
        let refused = try #require(try socket.next())
        #expect(refused.data.text("ack") == "c2")
        #expect(refused.data.text("problem.code") == "service.overloaded")
    }

    @Test func `only pages of this server and of allowed origins may open a WebSocket`() throws {
        let fixture = try RoomFixture(try TestServer { $0.allowedOrigins = ["https://shop.example"] })
        for origin in ["https://test", "http://TEST", "https://shop.example"] {
            #expect(try SocketReader(fixture, origin: origin).status == 101, "\(origin)")
        }
        for origin in [
            "https://elsewhere.example", "null", "https://shop.example:8443", "http://shop.example", "https://test.example",
            "https://test:8080",
        ] {
            #expect(try SocketReader(fixture, origin: origin).status == 403, "\(origin)")
        }
    }

    @Test func `the default port of the origin's scheme may be written in the host or left out`() throws {
        let fixture = try RoomFixture()
        for (host, origin, status) in [
            ("shop.example:443", "https://shop.example", 101), ("shop.example:80", "http://shop.example", 101),
            ("Shop.example", "https://shop.example:443", 101), ("shop.example:443", "http://shop.example", 403),
            ("shop.example:80", "https://shop.example", 403), ("shop.example", "https://shop.example:8443", 403),
            ("[::1]:443", "https://[::1]", 101), ("shop.example:443", "capacitor://shop.example", 403),
        ] {
            #expect(try SocketReader(fixture, origin: origin, host: host).status == status, "\(host) \(origin)")
        }
    }

    @Test func `a request that is no WebSocket handshake gets the contract's problem`() throws {
        let fixture = try RoomFixture()
        let response = try fixture.call("GET", "/socket", by: fixture.viewer)
        #expect(response.status == 426)
        #expect(response.code == "request.upgrade_required")
        #expect(response.header("Sec-WebSocket-Version") == "13")
        let origin = try fixture.call("GET", "/socket", by: nil, [("Origin", "https://elsewhere.example")])
        #expect(origin.code == "request.origin_not_allowed")
        #expect(try fixture.call("GET", "/events", by: nil, [("Accept", "text/html")]).status == 406)
    }

    @Test func `a client that accepts both media types gets the preferred one`() throws {
        let fixture = try RoomFixture()
        let page = try fixture.call("GET", "/events", by: nil, [("Accept", "text/event-stream;q=0.5, application/json")])
        #expect(page.contentType == "application/json")
        for both in ["application/json, text/event-stream", "text/event-stream, application/json"] {
            #expect(
                try fixture.call("GET", "/events", by: nil, [("Accept", both)]).contentType == "application/json", "\(both)")
        }
        #expect(try fixture.call("GET", "/events", by: nil, [("Accept", "*/*")]).contentType == "application/json")
    }

    @Test func `a private room's stream ends for a banned member, and non-members get none`() throws {
        let fixture = try RoomFixture(visibility: "private")
        #expect(try EventReader(fixture, by: fixture.stranger).status == 404)
        #expect(try SocketReader(fixture).status == 404)
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        let reader = try EventReader(fixture, "?after=latest", by: fixture.viewer)
        try #require(try fixture.call("DELETE", "/members/me", by: fixture.viewer).status == 204)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4403)
        #expect(try reader.event() == nil)
    }

    @Test func `a stream ends with 4401 when its token expires`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.noticeSeconds = 0.1 })
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        #expect(try socket.next()?.type == "notice")
        fixture.server.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4401)
    }

    @Test func `a binary frame closes the socket`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        try socket.send([0x82, 0x80, 0, 0, 0, 0])
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 1008)
    }
}
