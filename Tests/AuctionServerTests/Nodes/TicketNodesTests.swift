import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// Tickets where several nodes share a log.
struct TicketNodesTests {
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
    func `a ticket that one node gave opens one stream of a private room at another, and no second anywhere`(
        _ transport: String
    ) throws {
        let nodes = try Neighbours(visibility: "private")
        let ticket = try ticket(nodes.here, by: nodes.here.viewer)
        #expect(try use(ticket, nodes.there, transport) == (transport == "socket" ? 101 : 200))
        for scene in [nodes.here, nodes.there] {
            for again in ["events", "socket", "poll"] { #expect(try use(ticket, scene, again) == 401, "\(again)") }
        }
    }

    @Test func `a socket that another node's ticket opened takes the commands of whoever took the ticket`() throws {
        let nodes = try Neighbours()
        try nodes.here.openBidding()
        let ticket = try ticket(nodes.here, by: nodes.here.bidder)
        let socket = try SocketReader(nodes.there, "?after=latest&ticket=\(ticket)")
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("status") == 201)
        #expect(item?.data.text("bid.bidder.id") == nodes.here.bidder.id)
    }

    @Test func `whatever is wrong with a ticket, the answer is the same, at every node`() throws {
        let nodes = try Neighbours()
        let (here, there) = (nodes.here, nodes.there)
        let other = try here.house.call("POST", "/v1/rooms", ["name": "Other"], by: here.host)
        let elsewhere = try here.house.call(
            "POST", "\(try #require(other.header("Location")))/tickets", by: here.viewer)
        let used = try ticket(here, by: here.viewer)
        #expect(try there.call("GET", "/events?ticket=\(used)").status == 200)
        let misplaced = try #require(elsewhere.text("ticket"))
        var bodies: Set<String> = []
        for wrong in [used, misplaced, misplaced, "", "x", String(repeating: "0", count: 32)] {
            let answer = try there.call("GET", "/events?ticket=\(wrong)", nil, by: nil, [("X-Request-Id", "r")])
            #expect(answer.status == 401)
            bodies.insert(answer.bodyText)
        }
        #expect(bodies.count == 1)
        #expect(bodies.first?.contains("ticket.invalid") == true)
    }

    @Test func `a ticket says until when it is good, and a user has so many over all nodes`() throws {
        let nodes = try Neighbours { $0.streams.ticketsPerUser = 2 }
        let answer = try nodes.here.call("POST", "/tickets", [:], by: nodes.here.viewer)
        #expect(answer.text("expiresAt") == nodes.clock.text(in: 30))
        #expect(answer.text("ticket")?.count == 32)
        #expect(answer.header("X-Request-Id") != nil)
        let second = try ticket(nodes.there, by: nodes.here.viewer)
        let third = try ticket(nodes.here, by: nodes.here.viewer)
        let tickets = [try #require(answer.text("ticket")), second, third]
        #expect(try tickets.map { try use($0, nodes.there, "poll") } == [401, 200, 200])
    }

    @Test func `a log out of reach gives and takes no tickets, says so, and holds nobody else up`() throws {
        let nodes = try Neighbours()
        let ticket = try ticket(nodes.here, by: nodes.here.viewer)
        nodes.logs[1].goAway(true)
        let given = try nodes.there.call("POST", "/tickets", by: nodes.there.viewer)
        #expect(given.status == 503 && given.header("Retry-After") == "1" && given.code == "service.unavailable")
        let shown = try nodes.there.call("GET", "/events?ticket=\(ticket)")
        #expect(shown.status == 503 && shown.header("Retry-After") == "1")
        nodes.logs[1].goAway(false)
        #expect(try use(ticket, nodes.there, "poll") == 200, "nobody had it")

        nodes.logs[1].shut()
        let waiting = try nodes.there.house.connect()
        let request = nodes.there.house.request("POST", nodes.there.path + "/tickets", by: nodes.there.viewer)
        try waiting.send(request)
        eventually("the question waits") { nodes.logs[1].holding == 1 }
        #expect(try nodes.there.room().status == 200, "on the one event loop that there is")
        nodes.logs[1].open()
        #expect(try nodes.there.house.receive(on: waiting, to: request).status == 201)
    }

    @Test func `only so many questions wait for the log, and none too long`() throws {
        let nodes = try Neighbours { $0.streams.pendingTickets = 3 }
        nodes.logs[1].shut()
        let house = nodes.there.house
        let request = house.request("POST", nodes.there.path + "/tickets", by: nodes.there.viewer)
        let waiting = try (0..<3).map { _ in try house.connect() }
        for connection in waiting { try connection.send(request) }
        eventually("both threads wait") { nodes.logs[1].holding == 2 }
        // The loop has gone round since the third one came.
        for _ in 0..<3 { _ = try nodes.there.room() }
        let refused = try house.send(request)
        #expect(refused.status == 503 && refused.code == "service.overloaded" && refused.header("Retry-After") != nil)
        nodes.clock.advance(milliseconds: 2001)
        nodes.logs[1].open()
        let statuses = try waiting.map { try house.receive(on: $0, to: request).status }
        #expect(statuses.sorted() == [201, 201, 503], "the third was too late to be asked")
        #expect(try nodes.there.call("POST", "/tickets", by: nodes.there.viewer).status == 201)
    }

    @Test func `what a log keeps of a ticket opens nothing for whoever reads it there`() throws {
        let nodes = try Neighbours()
        let ticket = try ticket(nodes.here, by: nodes.here.viewer)
        let key = try #require(UInt128(ticket, radix: 16))
        #expect(try nodes.log.takeTicket(key) == nil, "it is not kept under its own name")
        #expect(try use(ticket, nodes.there, "poll") == 200)
    }

    @Test func `a ticket outlives the node that gave it`() throws {
        let nodes = try Neighbours()
        let ticket = try ticket(nodes.here, by: nodes.here.viewer)
        nodes.here.house.stop()
        #expect(try use(ticket, nodes.there, "events") == 200)
    }
}
