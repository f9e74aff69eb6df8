import AuctionServer
import AuctionService
import ExactJSON
import MicroHTTP
import Testing

struct TicketTests {
    @Test(arguments: ["events", "socket", "poll"])
    func `a ticket opens one stream of a private room, but not a second one`(_ transport: String) throws {
        let fixture = try RoomFixture(visibility: "private")
        #expect(try fixture.call("GET", "/events").status == 404)
        let ticket = try fixture.ticket(by: fixture.viewer)
        #expect(try fixture.redeem(ticket, by: transport) == (transport == "socket" ? 101 : 200))
        for again in ["events", "socket", "poll"] { #expect(try fixture.redeem(ticket, by: again) == 401, "\(again)") }
    }

    @Test func `a ticket has an expiry time`() throws {
        let fixture = try RoomFixture()
        let response = try fixture.call("POST", "/tickets", [:], by: fixture.viewer)
        #expect(response.text("expiresAt") == fixture.server.clock.text(in: 30))
        #expect(response.text("ticket")?.count == 32)
        #expect(response.header("Cache-Control") == "no-store")
        #expect(try fixture.call("POST", "/tickets").code == "token.missing")
        #expect(try fixture.call("POST", "/tickets", ["room": 1], by: fixture.viewer).code == "request.unknown_field")
    }

    @Test func `every invalid ticket gets the same response`() throws {
        let fixture = try RoomFixture()
        let other = try fixture.server.call("POST", "/v1/rooms", ["name": "Other"], by: fixture.host)
        let otherTicket = try fixture.server.call(
            "POST", "\(try #require(other.header("Location")))/tickets", by: fixture.viewer)
        let used = try fixture.ticket(by: fixture.viewer)
        try #require(try fixture.call("GET", "/events?ticket=\(used)").status == 200)
        let expired = try fixture.ticket(by: fixture.viewer)
        fixture.server.clock.advance(seconds: 30)
        let wrong = [
            used, expired, try #require(otherTicket.text("ticket")), "", "x", String(repeating: "0", count: 32),
            fixture.viewer.token,
        ]
        var bodies: Set<String> = []
        for ticket in wrong {
            let response = try fixture.call("GET", "/events?ticket=\(ticket)", nil, by: nil, [("X-Request-Id", "r")])
            #expect(response.status == 401, "\(ticket)")
            #expect(response.header("WWW-Authenticate") != nil)
            bodies.insert(response.bodyText)
        }
        #expect(bodies.count == 1)
        #expect(bodies.first?.contains("ticket.invalid") == true)
        #expect(try SocketReader(fixture, "?ticket=\(expired)").status == 401)
        #expect(try EventReader(fixture, "?ticket=\(expired)").status == 401)
        let chinese = try fixture.call("GET", "/events?ticket=x", nil, by: nil, [("Accept-Language", "zh")])
        #expect(chinese.text("detail")?.hasPrefix("票据") == true)
    }

    @Test func `a ticket together with a token is refused and not redeemed`() throws {
        let fixture = try RoomFixture()
        let ticket = try fixture.ticket(by: fixture.viewer)
        let both = try fixture.call("GET", "/events?ticket=\(ticket)", by: fixture.viewer)
        #expect(both.status == 400)
        #expect(both.text("field") == "ticket")
        #expect(try fixture.call("GET", "/events?ticket=\(ticket)&ticket=x").status == 400)
    }

    @Test func `a ticket is accepted for streams and polls only`() throws {
        let fixture = try RoomFixture(visibility: "private")
        let ticket = try fixture.ticket(by: fixture.host)
        #expect(try fixture.call("GET", "?ticket=\(ticket)").status == 404)
        #expect(try fixture.call("POST", "/bids?ticket=\(ticket)", ["amount": "1"]).code == "token.missing")
        #expect(try fixture.call("POST", "/tickets?ticket=\(ticket)").code == "token.missing")
        #expect(try fixture.call("GET", "/events?ticket=\(ticket)").status == 200)
    }

    @Test func `users without access get no ticket, and a user banned meanwhile cannot redeem one`() throws {
        let fixture = try RoomFixture(visibility: "private")
        #expect(try fixture.call("POST", "/tickets", by: fixture.stranger).code == "room.not_found")
        let ticket = try fixture.ticket(by: fixture.viewer)
        try #require(
            try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["banned": true], by: fixture.host).status == 200)
        #expect(try fixture.call("GET", "/events?ticket=\(ticket)").code == "room.not_found")
    }

    @Test func `a socket opened with a ticket accepts commands of the ticket's user`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest&ticket=\(fixture.ticket(by: fixture.bidder))")
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("status") == 201)
        #expect(item?.data.text("bid.bidder.id") == fixture.bidder.id)
    }

    @Test func `a stream opened with a ticket ends when the token behind the ticket expires`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.noticeSeconds = 0.1 })
        let socket = try SocketReader(fixture, "?after=latest&ticket=\(fixture.ticket(by: fixture.viewer))")
        let reader = try EventReader(fixture, "?after=latest&ticket=\(fixture.ticket(by: fixture.viewer))")
        #expect(try socket.next()?.type == "notice")
        #expect(try reader.next()?.type == "notice")
        fixture.server.clock.advance(seconds: 8 * 24 * 3600)
        #expect(try socket.event() == nil)
        #expect(socket.closeCode == 4401)
        #expect(try reader.event() == nil)
    }

    @Test func `a ticket can be redeemed on every event loop`() throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.http.threads = 2; $0.streams.perUser = 0
            })
        for _ in 0..<40 {
            #expect(try EventReader(fixture, "?ticket=\(fixture.ticket(by: fixture.viewer))").status == 200)
        }
    }

    @Test func `a stream opened with a ticket counts against its user's limit`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.perUser = 1 })
        let first = try EventReader(fixture, "?ticket=\(fixture.ticket(by: fixture.viewer))")
        #expect(first.status == 200)
        #expect(try EventReader(fixture, "?ticket=\(fixture.ticket(by: fixture.viewer))").status == 429)
        #expect(try EventReader(fixture).status == 200)
    }

    @Test func `beyond the limit per user the oldest ticket is evicted`() throws {
        let fixture = try RoomFixture(try TestServer { $0.streams.ticketsPerUser = 2 })
        let tickets = try (0..<3).map { _ in try fixture.ticket(by: fixture.viewer) }
        #expect(try tickets.map { try fixture.redeem($0, by: "poll") } == [401, 200, 200])
    }

    @Test func `a ticket is never logged`() throws {
        let record = LogRecord()
        let fixture = try RoomFixture(try TestServer(logger: record.logger()))
        try fixture.openBidding()
        var tickets = try (0..<6).map { _ in try fixture.ticket(by: fixture.viewer) }
        for (ticket, transport) in zip(tickets, ["events", "socket", "poll", "events"]) {
            _ = try fixture.redeem(ticket, by: transport)
            _ = try fixture.redeem(ticket, by: transport)
        }
        // Also in rejected requests.
        tickets.append("canary")
        _ = try fixture.call("GET", "/events?ticket=\(tickets[4])&after=x")
        _ = try fixture.call("GET", "/socket?ticket=\(tickets[5])")
        _ = try fixture.call("GET", "/nothing?ticket=canary")
        let broken = try StreamReader(
            port: fixture.server.auctionServer.port,
            "GET \(fixture.path)/events?ticket=canary HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        #expect(broken.status == 400)
        let long = String(repeating: "canary", count: 1500)
        _ = try StreamReader(
            port: fixture.server.auctionServer.port, "GET \(fixture.path)/events?ticket=\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.server.stop()
        #expect(record.text.contains("transition"))
        for ticket in tickets { #expect(!record.text.contains(ticket)) }
    }
}
