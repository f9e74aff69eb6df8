import AuctionServer
import AuctionService
import EventLog
import ExactJSON
import MicroHTTP
import Testing

struct LongPollTests {
    /// Sends a poll on a connection of its own and waits until the server holds it.
    private func hold(_ count: Int, _ scene: Scene, after: String = "latest", limit: Int = 100) throws -> [(
        HTTPConnection, HTTPRequest
    )] {
        let before = try #require(try scene.room().int("viewers"))
        let request = scene.house.request("GET", scene.path + "/events?after=\(after)&wait=60&limit=\(limit)", by: scene.viewer)
        let held = try (0..<count).map { _ in
            let connection = try scene.house.connect()
            try connection.send(request)
            return (connection, request)
        }
        try eventually("\(count) polls are held") { try scene.room().int("viewers") == before + count }
        return held
    }

    private func receive(_ held: [(HTTPConnection, HTTPRequest)], _ scene: Scene) throws -> [HTTPAnswer] {
        try held.map { try scene.house.receive(on: $0.0, to: $0.1) }
    }

    @Test func `what is there is answered at once, from the beginning, without gaps`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        let whole = try scene.call("GET", "/events?wait=60")
        #expect(whole.list("events").compactMap { $0.int("seq") } == Array(1...seq))
        #expect(whole.text("events.0.type") == "room.opened")
        #expect(whole.int("next") == seq)
        #expect(whole["more"] == false)

        var seen: [Int] = []
        var after = 0
        while true {
            let page = try scene.call("GET", "/events?after=\(after)&limit=2")
            seen += page.list("events").compactMap { $0.int("seq") }
            after = try #require(page.int("next"))
            guard page["more"] == true else { break }
            #expect(page.list("events").count == 2)
        }
        #expect(seen == Array(1...seq))
    }

    @Test func `nothing new and nothing waited for is answered at once with nothing`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        for tail in ["/events?after=\(seq)", "/events?after=latest", "/events?after=\(seq)&wait=0"] {
            let answer = try scene.call("GET", tail)
            #expect(answer.status == 200)
            #expect(answer.list("events").isEmpty)
            #expect(answer.int("next") == seq)
        }
    }

    @Test func `a held poll is released by the bid, with the bid`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let held = try hold(1, scene)
        let bid = try scene.bid("100", by: scene.bidder)
        let answer = try #require(try receive(held, scene).first)
        #expect(answer.list("events").count == 1)
        #expect(answer["events.0.data.bidId"] == bid["bid.id"])
        #expect(answer["next"] == bid["receipt.seq"])
        #expect(try scene.room().int("viewers") == 0)
    }

    @Test func `fifty held at once all get the same event`() throws {
        let scene = try Scene(try House { $0.http.threads = 2 })
        try scene.openBidding()
        let held = try hold(50, scene)
        #expect(try scene.house.call("GET", "/v1/rooms").int("rooms.0.viewers") == 50)
        let bid = try scene.bid("100", by: scene.bidder)
        let answers = try receive(held, scene)
        for answer in answers {
            #expect(answer.list("events").compactMap { $0.text("data.bidId") } == [bid.text("bid.id")])
            #expect(answer.header("X-Request-Id") == nil)
        }
        #expect(Set(answers.map { $0.json["events"] }).count == 1)
    }

    @Test func `a held poll gets no more than it asked for, and the rest with the next call`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let held = try hold(1, scene, limit: 1)
        try scene.call("POST", "/auction/end", by: scene.host)
        let first = try #require(try receive(held, scene).first)
        #expect(first.list("events").compactMap { $0.text("type") } == ["state.changed"])
        #expect(first["more"] == true)
        let rest = try scene.call("GET", "/events?after=\(try #require(first.int("next")))&wait=60")
        #expect(rest.list("events").compactMap { $0.text("type") } == ["message.system", "item.passed", "message.system"])
    }

    @Test func `a held poll that nothing happens to ends empty when its time is up`() throws {
        let scene = try Scene(try House(systemClock: true))
        let seq = try scene.seq()
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try scene.call("GET", "/events?after=latest&wait=1")
        #expect(answer.list("events").isEmpty)
        #expect(answer.int("next") == seq)
        #expect(answer["more"] == false)
        #expect(start.duration(to: clock.now) >= .milliseconds(990))
        #expect(try scene.room().int("viewers") == 0)
    }

    @Test func `events of another room release nobody`() throws {
        let scene = try Scene()
        let held = try hold(1, scene)
        let other = try scene.house.call("POST", "/v1/rooms", ["name": "Other"], by: scene.bidder)
        #expect(other.status == 201)
        #expect(try scene.room().int("viewers") == 1)
        try scene.upload()
        #expect(try receive(held, scene).first?.text("events.0.type") == "item.uploaded")
    }

    @Test func `whoever hangs up while held is forgotten`() throws {
        let scene = try Scene()
        let held = try hold(3, scene)
        held[1].0.close()
        try eventually("the room has one viewer less") { try scene.room().int("viewers") == 2 }
        try scene.upload()
        for index in [0, 2] {
            #expect(try scene.house.receive(on: held[index].0, to: held[index].1).list("events").count == 1)
        }
    }

    @Test func `a stop answers whoever is held`() throws {
        let scene = try Scene()
        let held = try hold(2, scene)
        scene.house.stop()
        for answer in try receive(held, scene) { #expect(answer.list("events").isEmpty) }
    }

    @Test func `a poll that cannot be understood is refused`() throws {
        let scene = try Scene()
        let seq = try scene.seq()
        for (query, field) in [
            ("after=\(seq + 1)", "after"), ("after=-1", "after"), ("after=soon", "after"), ("wait=61", "wait"),
            ("wait=-1", "wait"), ("limit=0", "limit"), ("limit=257", "limit"), ("since=1", "since"),
        ] {
            let answer = try scene.call("GET", "/events?\(query)")
            #expect(answer.status == 400, "\(query)")
            #expect(answer.text("field") == field, "\(query)")
        }
    }

    @Test func `old events come from the log when memory has forgotten them`() throws {
        let scene = try Scene(try House { $0.service.recentEventsPerRoom = 4 })
        try scene.openBidding()
        let seq = try scene.seq()
        let page = try scene.call("GET", "/events?after=1&limit=3")
        #expect(page.list("events").compactMap { $0.int("seq") } == [2, 3, 4])
        #expect(page["more"] == true)
        #expect(try scene.events().compactMap { $0.int("seq") } == Array(1...seq))
    }

    @Test(arguments: [256, 1])
    func `a page has so many bytes of events, one event at least, and the next goes on behind it`(inMemory: Int) throws {
        let scene = try Scene(
            try House {
                $0.service.recentEventsPerRoom = inMemory
                $0.limits.pageBytes = 2000
            })
        for text in ["a", "b", String(repeating: "long ", count: 90), "c"] {
            try #require(try scene.call("POST", "/messages", ["text": .string(text)], by: scene.viewer).status == 201)
            scene.house.clock.advance(seconds: 1)
        }
        let seq = try scene.seq()
        var next = 0
        var seen: [Int] = []
        var pages = 0
        while next < seq {
            let page = try scene.call("GET", "/events?after=\(next)&limit=256")
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
        let house = try House { $0.limits.pageBytes = 1024 }
        let large = try Scene(house)
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
    /// Found by the crash test: a page read from the log was a moment ahead of the room, and the next poll was refused.
    @Test func `a page read from the log ends where the room stands, so the next poll can go on from there`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log) { $0.service.recentEventsPerRoom = 1 })
        let seq = try scene.seq()
        log.shut(afterCommit: true)
        defer { log.open() }
        let connection = try scene.house.connect()
        let message = scene.house.request(
            "POST", scene.path + "/messages", Array(#"{"text":"hello"}"#.utf8), by: scene.viewer)
        try connection.send(message)
        eventually("the message is in the log") { log.isHolding }

        let page = try scene.call("GET", "/events")
        #expect(page.int("next") == seq)
        #expect(try scene.call("GET", "/events?after=\(seq)").status == 200)
        log.open()
        #expect(try scene.house.receive(on: connection, to: message).status == 201)
    }
}
