import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

@testable import AuctionServer

struct FeedTests {
    private func types(_ response: HTTPResponse) -> [String] { response.list("events").compactMap { $0.text("event.type") } }

    @Test func `the feed has every room's events once and in order, private rooms' too, with the rooms' own bytes`() throws {
        let fixture = try OperatorFixture()
        let (ann, bob) = (try fixture.server.guest("Ann"), try fixture.server.guest("Bob"))
        let rooms = [try fixture.room(by: ann), try fixture.room("Back room", visibility: "private", by: bob)]
        for (number, text) in ["one", "two", "three"].enumerated() {
            try fixture.say(text, in: rooms[number % 2], by: [ann, bob][number % 2])
        }
        var read: [JSONValue] = []
        var path = "/v1/feed?limit=2"
        while true {
            let page = try fixture.call("GET", path)
            #expect(page.status == 200, "\(page.bodyText)")
            read += page.list("events")
            path = "/v1/feed?limit=2&after=\(try #require(page.text("next")))"
            guard page["more"] == true else { break }
        }
        #expect(read.count == 5 && Set(read.compactMap { $0.text("cursor") }).count == 5)
        for (room, guest) in zip(rooms, [ann, bob]) {
            let own = try fixture.server.call("GET", "/v1/rooms/\(room)/events", nil, by: guest).list("events")
            #expect(read.filter { $0.text("room") == room }.compactMap { $0["event"] } == own)
        }
        #expect(try fixture.call("GET", path).list("events").isEmpty)
    }

    @Test func `a reader gets the types and rooms that it names, and goes on after the others`() throws {
        let fixture = try OperatorFixture()
        let ann = try fixture.server.guest("Ann")
        let rooms = [try fixture.room(by: ann), try fixture.room(by: ann)]
        for room in rooms { try fixture.say("hello", in: room, by: ann) }
        let messages = try fixture.call("GET", "/v1/feed?types=message.sent,item.sold")
        #expect(types(messages) == ["message.sent", "message.sent"])
        let one = try fixture.call("GET", "/v1/feed?rooms=\(rooms[1])")
        #expect(types(one) == ["room.opened", "message.sent"])
        #expect(one.list("events").allSatisfy { $0.text("room") == rooms[1] })
        let none = try fixture.call("GET", "/v1/feed?types=item.sold")
        let next = try #require(none.text("next"))
        #expect(types(none).isEmpty && next == messages.text("next"))
        for query in ["types=", "rooms=,", "types=" + (0...100).map { "t\($0)" }.joined(separator: ",")] {
            #expect(try fixture.call("GET", "/v1/feed?\(query)").status == 400, "\(query)")
        }
    }

    @Test func `a held reader gets the next event, and an empty page when its time is over`() throws {
        let fixture = try OperatorFixture(systemClock: true)
        let ann = try fixture.server.guest("Ann")
        let room = try fixture.room(by: ann)
        let cursor = try #require(try fixture.call("GET", "/v1/feed").text("next"))
        let request = fixture.server.request(
            "GET", "/v1/feed?after=\(cursor)&wait=30&types=message.sent", nil, by: nil,
            OperatorFixture.bearer(OperatorFixture.adminToken))
        let connection = try fixture.server.connect()
        try connection.send(request)
        try fixture.say("hello", in: room, by: ann)
        let page = try fixture.server.receive(on: connection, to: request)
        #expect(types(page) == ["message.sent"])
        let empty = try fixture.call("GET", "/v1/feed?after=latest&wait=1")
        #expect(empty.status == 200 && types(empty).isEmpty && empty["more"] == false)
    }

    @Test func `readers whose token is revoked while they wait get nothing more`() throws {
        let fixture = try OperatorFixture(systemClock: true)
        let ann = try fixture.server.guest("Ann")
        let room = try fixture.room(by: ann)
        let token = try fixture.token("feed:read")
        let stream = try EventReader(
            port: fixture.server.auctionServer.port,
            "GET /v1/feed HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
                + "Authorization: Bearer \(token.text)\r\n\r\n")
        #expect(stream.status == 200)
        try fixture.say("one", in: room, by: ann)
        var last = try #require(try stream.next())
        while last.data.text("event.data.text") != "one" { last = try #require(try stream.next()) }
        let held = fixture.server.request(
            "GET", "/v1/feed?after=\(try #require(last.data.text("cursor")))&wait=30", nil, by: nil,
            OperatorFixture.bearer(token.text))
        let connection = try fixture.server.connect()
        try connection.send(held)
        #expect(try fixture.call("DELETE", "/v1/admin/tokens/\(token.id)").status == 204)
        try fixture.say("two", in: room, by: ann)
        let refused = try fixture.server.receive(on: connection, to: held)
        #expect(refused.status == 404 && !refused.bodyText.contains("two"))
        #expect(try stream.next() == nil)
    }

    @Test func `a cursor of another log, or after events that are not there, is refused`() throws {
        let fixture = try OperatorFixture()
        let ann = try fixture.server.guest("Ann")
        _ = try fixture.room(by: ann)
        let cursor = try #require(try fixture.call("GET", "/v1/feed").text("next"))
        #expect(try fixture.call("GET", "/v1/feed?after=\(cursor)").status == 200)
        for index in [0, 47] {
            var digits = Array(cursor)
            digits[index] = digits[index] == "0" ? "1" : "0"
            let other = String(digits)
            let response = try fixture.call("GET", "/v1/feed?after=\(other)")
            #expect(response.status == 410 && response.code == "feed.cursor_gone", "\(response.bodyText)")
        }
        for malformed in ["x", cursor + "0", cursor.uppercased() + "Z"] {
            #expect(try fixture.call("GET", "/v1/feed?after=\(malformed)").status == 400)
        }
    }

    @Test func `a stream begins after a cursor and goes on with new events`() throws {
        let fixture = try OperatorFixture(systemClock: true)
        let ann = try fixture.server.guest("Ann")
        let room = try fixture.room(by: ann)
        let cursor = try #require(try fixture.call("GET", "/v1/feed").text("next"))
        try fixture.say("one", in: room, by: ann)
        let request =
            "GET /v1/feed?after=\(cursor) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
            + "Authorization: Bearer \(OperatorFixture.adminToken)\r\n\r\n"
        let reader = try EventReader(port: fixture.server.auctionServer.port, request)
        #expect(reader.status == 200)
        let first = try #require(try reader.next())
        #expect(first.type == "message.sent" && first.data.text("event.data.text") == "one")
        try fixture.say("two", in: room, by: ann)
        let second = try #require(try reader.next())
        #expect(second.data.text("event.data.text") == "two" && second.data.text("room") == room)
        // The connection is written to in other ways once it was quiet.
        var last = second
        for number in 1...7 {
            let percent: JSONValue = ["mode": "manual", "premium": ["percent": .string("\(number)")]]
            #expect(try fixture.server.call("PUT", "/v1/rooms/\(room)/sale", percent, by: ann).status == 200)
            last = try #require(try reader.next())
            #expect(last.type == "sale.configured")
        }
        let end = try #require(last.data.text("cursor"))
        #expect(try fixture.call("GET", "/v1/feed?after=\(end)").list("events").isEmpty)
    }

    @Test func `a page is bounded in bytes and in the events that are read for it, and the reader goes on after it`() throws {
        let log = InMemoryEventLog()
        let id = RoomID(bits: 1 << 64 | 0xC0FFEE)
        func event(_ seq: Int, bytes: Int) -> StoredEvent {
            StoredEvent(
                seq: seq, at: Timestamp(milliseconds: 0), type: bytes > 10 ? "large" : "small",
                publicBytes: Array(repeating: 0x78, count: bytes), privateBytes: nil,
                hash: EventHash(words: (UInt64(seq), 0, 0, 0)))
        }
        let events = (1...6).map { event($0, bytes: 60_000) } + (7...5006).map { event($0, bytes: 5) }
        let profile = RoomProfile(
            name: "Room", host: Person(id: UserID(bits: 1), nickname: "Ada"), currency: "EUR", visibility: "public",
            openedAt: Timestamp(milliseconds: 0), itemName: nil)
        let status = RoomStatus(state: "preparing", round: 1, endsAt: nil, currentPrice: nil, isArchived: false)
        _ = try log.append([
            RoomAppend(room: id, expected: .none, events: events, profile: profile, status: status, responses: [])
        ])
        let first = try log.batch(after: .beginning, limit: 1000, FeedFilter())
        #expect(first.events.count == 4 && first.more && first.next == first.events.last?.position)
        let second = try log.batch(after: first.next, limit: 1000, FeedFilter(types: ["large"]))
        #expect(second.events.map(\.event.seq) == [5, 6] && second.more && second.next.number < 5006)
        let none = try log.batch(after: second.next, limit: 1000, FeedFilter(types: ["large"]))
        #expect(none.events.isEmpty && !none.more && none.next.number == 5006)
    }

    @Test func `a stream more than may be open is refused with a status, and so is a reader beside them`() throws {
        let fixture = try OperatorFixture()
        func request(_ query: String, _ accept: String) -> String {
            "GET /v1/feed\(query) HTTP/1.1\r\nHost: test\r\nAccept: \(accept)\r\n"
                + "Authorization: Bearer \(OperatorFixture.adminToken)\r\n\r\n"
        }
        func open() throws -> EventReader {
            try EventReader(port: fixture.server.auctionServer.port, request("?after=latest", "text/event-stream"))
        }
        var readers: [EventReader] = []
        for _ in 0..<FeedWatch.readerLimit { readers.append(try open()) }
        #expect(readers.allSatisfy { $0.status == 200 })
        let refused = try open()
        #expect(refused.status == 429)
        let waiting = try fixture.call("GET", "/v1/feed?after=latest&wait=1")
        #expect(waiting.status == 429 && waiting.code == "feed.too_many_readers")
        #expect(try fixture.call("GET", "/v1/feed").status == 200, "one that does not wait")
        // The others go on, and one that ends makes room.
        let ann = try fixture.server.guest("Ann")
        let room = try fixture.room(by: ann)
        for reader in readers { #expect(try reader.next()?.data.text("room") == room) }
        readers.removeLast()
        try eventually("a place is free") { try open().status == 200 }
    }

    @Test func `more readers than may wait are refused`() throws {
        let watch = FeedWatch(FeedTail(of: InMemoryEventLog(), clock: TestClock()), clock: TestClock())
        for number in 0...FeedWatch.readerLimit {
            let isTaken = watch.wait(after: .beginning, limit: 1, FeedFilter(), milliseconds: 1000) { _ in }
            #expect(isTaken == (number < FeedWatch.readerLimit))
        }
    }
}
