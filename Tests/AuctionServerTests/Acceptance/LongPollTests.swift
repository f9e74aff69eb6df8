import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import MicroHTTP
import Testing

struct LongPollTests {
    /// Sends polls, each on a new connection, and waits until the server has all of them waiting.
    private func hold(_ count: Int, _ fixture: RoomFixture, after: String = "latest", limit: Int = 100) throws -> [(
        HTTPConnection, HTTPRequest
    )] {
        let before = try #require(try fixture.room().int("viewers"))
        let request = fixture.server.request(
            "GET", fixture.path + "/events?after=\(after)&wait=60&limit=\(limit)", by: fixture.viewer)
        let held = try (0..<count).map { _ in
            let connection = try fixture.server.connect()
            try connection.send(request)
            return (connection, request)
        }
        try eventually("\(count) polls are held") { try fixture.room().int("viewers") == before + count }
        return held
    }

    private func receive(_ held: [(HTTPConnection, HTTPRequest)], _ fixture: RoomFixture) throws -> [HTTPResponse] {
        try held.map { try fixture.server.receive(on: $0.0, to: $0.1) }
    }

    @Test func `stored events are returned immediately, from the beginning, without gaps`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        let whole = try fixture.call("GET", "/events?wait=60")
        #expect(whole.list("events").compactMap { $0.int("seq") } == Array(1...seq))
        #expect(whole.text("events.0.type") == "room.opened")
        #expect(whole.int("next") == seq)
        #expect(whole["more"] == false)

        var seen: [Int] = []
        var after = 0
        while true {
            let page = try fixture.call("GET", "/events?after=\(after)&limit=2")
            seen += page.list("events").compactMap { $0.int("seq") }
            after = try #require(page.int("next"))
            guard page["more"] == true else { break }
            #expect(page.list("events").count == 2)
        }
        #expect(seen == Array(1...seq))
    }

    @Test func `without new events and without a wait, an empty page is returned immediately`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        for tail in ["/events?after=\(seq)", "/events?after=latest", "/events?after=\(seq)&wait=0"] {
            let response = try fixture.call("GET", tail)
            #expect(response.status == 200)
            #expect(response.list("events").isEmpty)
            #expect(response.int("next") == seq)
        }
    }

    @Test func `a waiting poll is completed by a bid, with its event`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let held = try hold(1, fixture)
        let bid = try fixture.bid("100", by: fixture.bidder)
        let response = try #require(try receive(held, fixture).first)
        #expect(response.list("events").count == 1)
        #expect(response["events.0.data.bidId"] == bid["bid.id"])
        #expect(response["next"] == bid["receipt.seq"])
        #expect(try fixture.room().int("viewers") == 0)
    }

    @Test func `fifty waiting polls all get the same event`() throws {
        let fixture = try RoomFixture(try TestServer { $0.http.threads = 2 })
        try fixture.openBidding()
        let held = try hold(50, fixture)
        #expect(try fixture.server.call("GET", "/v1/rooms").int("rooms.0.viewers") == 50)
        let bid = try fixture.bid("100", by: fixture.bidder)
        let responses = try receive(held, fixture)
        for response in responses {
            #expect(response.list("events").compactMap { $0.text("data.bidId") } == [bid.text("bid.id")])
            #expect(response.header("X-Request-Id") == nil)
        }
        #expect(Set(responses.map { $0.json["events"] }).count == 1)
    }

    @Test func `a waiting poll gets at most its limit of events, and the next poll the rest`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let held = try hold(1, fixture, limit: 1)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let first = try #require(try receive(held, fixture).first)
        #expect(first.list("events").compactMap { $0.text("type") } == ["state.changed"])
        #expect(first["more"] == true)
        let rest = try fixture.call("GET", "/events?after=\(try #require(first.int("next")))&wait=60")
        #expect(rest.list("events").compactMap { $0.text("type") } == ["message.system", "item.passed", "message.system"])
    }

    @Test func `a waiting poll without events completes empty after its wait`() throws {
        let fixture = try RoomFixture(try TestServer(systemClock: true))
        let seq = try fixture.seq()
        let clock = ContinuousClock()
        let start = clock.now
        let response = try fixture.call("GET", "/events?after=latest&wait=1")
        #expect(response.list("events").isEmpty)
        #expect(response.int("next") == seq)
        #expect(response["more"] == false)
        #expect(start.duration(to: clock.now) >= .milliseconds(990))
        #expect(try fixture.room().int("viewers") == 0)
    }

    @Test func `events of another room complete no poll`() throws {
        let fixture = try RoomFixture()
        let held = try hold(1, fixture)
        let other = try fixture.server.call("POST", "/v1/rooms", ["name": "Other"], by: fixture.bidder)
        #expect(other.status == 201)
        #expect(try fixture.room().int("viewers") == 1)
        try fixture.upload()
        #expect(try receive(held, fixture).first?.text("events.0.type") == "item.uploaded")
    }

    @Test func `a client that disconnects while waiting is no longer counted`() throws {
        let fixture = try RoomFixture()
        let held = try hold(3, fixture)
        held[1].0.close()
        try eventually("the room has one viewer less") { try fixture.room().int("viewers") == 2 }
        try fixture.upload()
        for index in [0, 2] {
            #expect(try fixture.server.receive(on: held[index].0, to: held[index].1).list("events").count == 1)
        }
    }

    @Test func `a stop completes waiting polls`() throws {
        let fixture = try RoomFixture()
        let held = try hold(2, fixture)
        fixture.server.stop()
        for response in try receive(held, fixture) { #expect(response.list("events").isEmpty) }
    }

    @Test func `a poll with invalid parameters is refused`() throws {
        let fixture = try RoomFixture()
        let seq = try fixture.seq()
        for (query, field) in [
            ("after=\(seq + 1)", "after"), ("after=-1", "after"), ("after=soon", "after"), ("wait=61", "wait"),
            ("wait=-1", "wait"), ("limit=0", "limit"), ("limit=257", "limit"), ("since=1", "since"),
        ] {
            let response = try fixture.call("GET", "/events?\(query)")
            #expect(response.status == 400, "\(query)")
            #expect(response.text("field") == field, "\(query)")
        }
    }

    @Test func `events evicted from memory are read from the log`() throws {
        let fixture = try RoomFixture(try TestServer { $0.service.recentEventsPerRoom = 4 })
        try fixture.openBidding()
        let seq = try fixture.seq()
        let page = try fixture.call("GET", "/events?after=1&limit=3")
        #expect(page.list("events").compactMap { $0.int("seq") } == [2, 3, 4])
        #expect(page["more"] == true)
        #expect(try fixture.events().compactMap { $0.int("seq") } == Array(1...seq))
    }

    @Test(arguments: [256, 1])
    func `a page has a limited size, at least one event, and the next page continues after it`(inMemory: Int) throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.service.recentEventsPerRoom = inMemory
                $0.limits.pageBytes = 2000
            })
        for text in ["a", "b", String(repeating: "long ", count: 90), "c"] {
            try #require(try fixture.call("POST", "/messages", ["text": .string(text)], by: fixture.viewer).status == 201)
            fixture.server.clock.advance(seconds: 1)
        }
        let seq = try fixture.seq()
        var next = 0
        var seen: [Int] = []
        var pages = 0
        while next < seq {
            let page = try fixture.call("GET", "/events?after=\(next)&limit=256")
            let events = page.list("events")
            #expect(events.count == 1 || events.reduce(0) { $0 + $1.written.utf8.count } <= 2000)
            seen += events.compactMap { $0.int("seq") }
            next = try #require(page.int("next"))
            #expect(next == seen.last)
            #expect(page["more"] == .bool(next < seq))
            pages += 1
        }
        #expect(seen == Array(1...seq))
        #expect(pages > 1)
        let server = try TestServer { $0.limits.pageBytes = 1024 }
        let large = try RoomFixture(server)
        let long = String(repeating: "word ", count: 1000)
        try large.upload([
            "name": "Vase", "description": .string(long), "rules": ["startingPrice": "1.00", "increment": ["fixed": "1.00"]],
        ])
        let upload = try large.seq()
        let page = try large.call("GET", "/events?after=\(upload - 2)")
        #expect(page.list("events").count >= 1)
        #expect(page.int("next").map { $0 > upload - 2 } == true)
    }
}

extension LongPollTests {
    /// Regression: a page read from the log was ahead of the published seq, and the next poll was refused. Found by the crash test.
    @Test func `a page read from the log ends at the published seq, so the next poll can continue`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log) { $0.service.recentEventsPerRoom = 1 })
        let seq = try fixture.seq()
        log.shutAfterCommit()
        defer { log.commits.open() }
        let connection = try fixture.server.connect()
        let message = fixture.server.request(
            "POST", fixture.path + "/messages", Array(#"{"text":"hello"}"#.utf8), by: fixture.viewer)
        try connection.send(message)
        eventually("the message is in the log") { log.commits.blockedCalls > 0 }

        let page = try fixture.call("GET", "/events")
        #expect(page.int("next") == seq)
        #expect(try fixture.call("GET", "/events?after=\(seq)").status == 200)
        log.commits.open()
        #expect(try fixture.server.receive(on: connection, to: message).status == 201)
    }
}
