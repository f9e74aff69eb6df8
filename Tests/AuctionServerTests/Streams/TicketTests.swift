import AuctionServer
import AuctionService
import ExactJSON
import MicroHTTP
import Testing

struct TicketTests {
    private func ticket(_ scene: Scene, by guest: Guest) throws -> String {
        let answer = try scene.call("POST", "/tickets", by: guest)
        try #require(answer.status == 201)
        return try #require(answer.text("ticket"))
    }

    /// What using a ticket is answered with.
    private func use(_ ticket: String, _ scene: Scene, _ transport: String) throws -> Int {
        switch transport {
        case "events": try EventReader(scene, "?after=0&ticket=\(ticket)").status
        case "socket": try SocketReader(scene, "?after=0&ticket=\(ticket)").status
        default: try scene.call("GET", "/events?after=0&ticket=\(ticket)").status
        }
    }

    @Test(arguments: ["events", "socket", "poll"])
    func `a ticket opens one stream of a private room, and no second`(_ transport: String) throws {
        let scene = try Scene(visibility: "private")
        #expect(try scene.call("GET", "/events").status == 404)
        let ticket = try ticket(scene, by: scene.viewer)
        #expect(try use(ticket, scene, transport) == (transport == "socket" ? 101 : 200))
        for again in ["events", "socket", "poll"] { #expect(try use(ticket, scene, again) == 401, "\(again)") }
    }

    @Test func `a ticket says until when it is good`() throws {
        let scene = try Scene()
        let answer = try scene.call("POST", "/tickets", [:], by: scene.viewer)
        #expect(answer.text("expiresAt") == scene.house.clock.text(in: 30))
        #expect(answer.text("ticket")?.count == 32)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(try scene.call("POST", "/tickets").code == "token.missing")
        #expect(try scene.call("POST", "/tickets", ["room": 1], by: scene.viewer).code == "request.unknown_field")
    }

    @Test func `whatever is wrong with a ticket, the answer is the same`() throws {
        let scene = try Scene()
        let other = try scene.house.call("POST", "/v1/rooms", ["name": "Other"], by: scene.host)
        let elsewhere = try scene.house.call(
            "POST", "\(try #require(other.header("Location")))/tickets", by: scene.viewer)
        let used = try ticket(scene, by: scene.viewer)
        try #require(try scene.call("GET", "/events?ticket=\(used)").status == 200)
        let expired = try ticket(scene, by: scene.viewer)
        scene.house.clock.advance(seconds: 30)
        let wrong = [
            used, expired, try #require(elsewhere.text("ticket")), "", "x", String(repeating: "0", count: 32),
            scene.viewer.token,
        ]
        var bodies: Set<String> = []
        for ticket in wrong {
            let answer = try scene.call("GET", "/events?ticket=\(ticket)", nil, by: nil, [("X-Request-Id", "r")])
            #expect(answer.status == 401, "\(ticket)")
            #expect(answer.header("WWW-Authenticate") != nil)
            bodies.insert(answer.bodyText)
        }
        #expect(bodies.count == 1)
        #expect(bodies.first?.contains("ticket.invalid") == true)
        #expect(try SocketReader(scene, "?ticket=\(expired)").status == 401)
        #expect(try EventReader(scene, "?ticket=\(expired)").status == 401)
        let chinese = try scene.call("GET", "/events?ticket=x", nil, by: nil, [("Accept-Language", "zh")])
        #expect(chinese.text("detail")?.hasPrefix("票据") == true)
    }

    @Test func `a ticket beside a token is refused, and not used`() throws {
        let scene = try Scene()
        let ticket = try ticket(scene, by: scene.viewer)
        let both = try scene.call("GET", "/events?ticket=\(ticket)", by: scene.viewer)
        #expect(both.status == 400)
        #expect(both.text("field") == "ticket")
        #expect(try scene.call("GET", "/events?ticket=\(ticket)&ticket=x").status == 400)
    }

    @Test func `a ticket opens streams and nothing else`() throws {
        let scene = try Scene(visibility: "private")
        let ticket = try ticket(scene, by: scene.host)
        #expect(try scene.call("GET", "?ticket=\(ticket)").status == 404)
        #expect(try scene.call("POST", "/bids?ticket=\(ticket)", ["amount": "1"]).code == "token.missing")
        #expect(try scene.call("POST", "/tickets?ticket=\(ticket)").code == "token.missing")
        #expect(try scene.call("GET", "/events?ticket=\(ticket)").status == 200)
    }

    @Test func `who may not see a room gets no ticket for it, and who is banned meanwhile cannot use theirs`() throws {
        let scene = try Scene(visibility: "private")
        #expect(try scene.call("POST", "/tickets", by: scene.stranger).code == "room.not_found")
        let ticket = try ticket(scene, by: scene.viewer)
        try #require(try scene.call("PATCH", "/members/\(scene.viewer.id)", ["banned": true], by: scene.host).status == 200)
        #expect(try scene.call("GET", "/events?ticket=\(ticket)").code == "room.not_found")
    }

    @Test func `a socket opened by ticket takes the commands of whoever took the ticket`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest&ticket=\(ticket(scene, by: scene.bidder))")
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("status") == 201)
        #expect(item?.data.text("bid.bidder.id") == scene.bidder.id)
    }

    @Test func `a stream opened by ticket ends when the token that the ticket was made from expires`() throws {
        let scene = try Scene(try House { $0.streams.noticeSeconds = 0.1 })
        let socket = try SocketReader(scene, "?after=latest&ticket=\(ticket(scene, by: scene.viewer))")
        let reader = try EventReader(scene, "?after=latest&ticket=\(ticket(scene, by: scene.viewer))")
        #expect(try socket.next()?.type == "notice")
        #expect(try reader.next()?.type == "notice")
        scene.house.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4401)
        #expect(try reader.event() == nil)
    }

    @Test func `a ticket is good on whichever loop its stream comes to`() throws {
        let scene = try Scene(
            try House {
                $0.http.threads = 2; $0.streams.perUser = 0
            })
        for _ in 0..<40 {
            #expect(try EventReader(scene, "?ticket=\(ticket(scene, by: scene.viewer))").status == 200)
        }
    }

    @Test func `a stream by ticket counts for its user`() throws {
        let scene = try Scene(try House { $0.streams.perUser = 1 })
        let first = try EventReader(scene, "?ticket=\(ticket(scene, by: scene.viewer))")
        #expect(first.status == 200)
        #expect(try EventReader(scene, "?ticket=\(ticket(scene, by: scene.viewer))").status == 429)
        #expect(try EventReader(scene).status == 200)
    }

    @Test func `a user has so many tickets at once, and loses the oldest to the next`() throws {
        let scene = try Scene(try House { $0.streams.ticketsPerUser = 2 })
        let tickets = try (0..<3).map { _ in try ticket(scene, by: scene.viewer) }
        #expect(try tickets.map { try use($0, scene, "poll") } == [401, 200, 200])
    }

    @Test func `a ticket never stands in the log`() throws {
        let record = LogRecord()
        let scene = try Scene(try House(logger: record.logger()))
        try scene.openBidding()
        var tickets = try (0..<6).map { _ in try ticket(scene, by: scene.viewer) }
        for (ticket, transport) in zip(tickets, ["events", "socket", "poll", "events"]) {
            _ = try use(ticket, scene, transport)
            _ = try use(ticket, scene, transport)
        }
        // Requests that go wrong on their way, too.
        tickets.append("canary")
        _ = try scene.call("GET", "/events?ticket=\(tickets[4])&after=x")
        _ = try scene.call("GET", "/socket?ticket=\(tickets[5])")
        _ = try scene.call("GET", "/nothing?ticket=canary")
        let broken = try StreamReader(
            port: scene.house.server.port, "GET \(scene.path)/events?ticket=canary HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        #expect(broken.status == 400)
        let long = String(repeating: "canary", count: 1500)
        _ = try StreamReader(
            port: scene.house.server.port, "GET \(scene.path)/events?ticket=\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
        scene.house.stop()
        #expect(record.text.contains("transition"))
        for ticket in tickets { #expect(!record.text.contains(ticket)) }
    }
}
