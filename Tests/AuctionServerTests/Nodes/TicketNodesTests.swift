import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// Tickets with several nodes on one shared log.
struct TicketNodesTests {
    @Test(arguments: ["events", "socket", "poll"])
    func `a ticket issued by one node opens one stream at another, and no second one at any node`(
        _ transport: String
    ) throws {
        let nodes = try TwoNodes(visibility: "private")
        let ticket = try nodes.nodeA.ticket(by: nodes.nodeA.viewer)
        #expect(try nodes.nodeB.redeem(ticket, by: transport) == (transport == "socket" ? 101 : 200))
        for fixture in [nodes.nodeA, nodes.nodeB] {
            for again in ["events", "socket", "poll"] { #expect(try fixture.redeem(ticket, by: again) == 401, "\(again)") }
        }
    }

    @Test func `a socket opened with another node's ticket accepts commands of the ticket's user`() throws {
        let nodes = try TwoNodes()
        try nodes.nodeA.openBidding()
        let ticket = try nodes.nodeA.ticket(by: nodes.nodeA.bidder)
        let socket = try SocketReader(nodes.nodeB, "?after=latest&ticket=\(ticket)")
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("status") == 201)
        #expect(item?.data.text("bid.bidder.id") == nodes.nodeA.bidder.id)
    }

    @Test func `every invalid ticket gets the same response, at every node`() throws {
        let nodes = try TwoNodes()
        let (nodeA, nodeB) = (nodes.nodeA, nodes.nodeB)
        let other = try nodeA.server.call("POST", "/v1/rooms", ["name": "Other"], by: nodeA.host)
        let otherTicket = try nodeA.server.call(
            "POST", "\(try #require(other.header("Location")))/tickets", by: nodeA.viewer)
        let used = try nodeA.ticket(by: nodeA.viewer)
        #expect(try nodeB.call("GET", "/events?ticket=\(used)").status == 200)
        let misplaced = try #require(otherTicket.text("ticket"))
        var bodies: Set<String> = []
        for wrong in [used, misplaced, misplaced, "", "x", String(repeating: "0", count: 32)] {
            let response = try nodeB.call("GET", "/events?ticket=\(wrong)", nil, by: nil, [("X-Request-Id", "r")])
            #expect(response.status == 401)
            bodies.insert(response.bodyText)
        }
        #expect(bodies.count == 1)
        #expect(bodies.first?.contains("ticket.invalid") == true)
    }

    @Test func `a ticket has an expiry time, and a user has a limited number over all nodes`() throws {
        let nodes = try TwoNodes { $0.streams.ticketsPerUser = 2 }
        let response = try nodes.nodeA.call("POST", "/tickets", [:], by: nodes.nodeA.viewer)
        #expect(response.text("expiresAt") == nodes.clock.text(in: 30))
        #expect(response.text("ticket")?.count == 32)
        #expect(response.header("X-Request-Id") != nil)
        let second = try nodes.nodeB.ticket(by: nodes.nodeA.viewer)
        let third = try nodes.nodeA.ticket(by: nodes.nodeA.viewer)
        let tickets = [try #require(response.text("ticket")), second, third]
        #expect(try tickets.map { try nodes.nodeB.redeem($0, by: "poll") } == [401, 200, 200])
    }

    @Test func `an unreachable or slow log fails ticket requests and delays no others`() throws {
        let nodes = try TwoNodes()
        let ticket = try nodes.nodeA.ticket(by: nodes.nodeA.viewer)
        nodes.logs[1].isUnreachable.set(true)
        let issued = try nodes.nodeB.call("POST", "/tickets", by: nodes.nodeB.viewer)
        #expect(issued.status == 503 && issued.header("Retry-After") == "1" && issued.code == "service.unavailable")
        let redeemed = try nodes.nodeB.call("GET", "/events?ticket=\(ticket)")
        #expect(redeemed.status == 503 && redeemed.header("Retry-After") == "1")
        nodes.logs[1].isUnreachable.set(false)
        #expect(try nodes.nodeB.redeem(ticket, by: "poll") == 200, "the failed attempt did not redeem it")

        nodes.logs[1].tickets.shut()
        let waiting = try nodes.nodeB.server.connect()
        let request = nodes.nodeB.server.request("POST", nodes.nodeB.path + "/tickets", by: nodes.nodeB.viewer)
        try waiting.send(request)
        eventually("the call is blocked") { nodes.logs[1].tickets.blockedCalls == 1 }
        #expect(try nodes.nodeB.room().status == 200, "the only event loop is not blocked")
        nodes.logs[1].tickets.open()
        #expect(try nodes.nodeB.server.receive(on: waiting, to: request).status == 201)
    }

    @Test func `ticket requests waiting for the log are limited in number and time`() throws {
        let nodes = try TwoNodes { $0.streams.pendingTickets = 3 }
        nodes.logs[1].tickets.shut()
        let server = nodes.nodeB.server
        let fixture = nodes.nodeB
        func request(by guest: Guest) -> HTTPRequest { server.request("POST", fixture.path + "/tickets", by: guest) }
        let requests = [fixture.viewer, fixture.bidder, fixture.owner].map(request)
        let waiting = try requests.map { _ in try server.connect() }
        for (connection, request) in zip(waiting, requests) { try connection.send(request) }
        eventually("both threads are blocked") { nodes.logs[1].tickets.blockedCalls == 2 }
        // After these responses the event loop has received the third request.
        for _ in 0..<3 { _ = try nodes.nodeB.room() }
        let refused = try server.send(request(by: fixture.host))
        #expect(refused.status == 503 && refused.code == "service.overloaded" && refused.header("Retry-After") != nil)
        nodes.clock.advance(milliseconds: 2001)
        nodes.logs[1].tickets.open()
        let statuses = try zip(waiting, requests).map { try server.receive(on: $0, to: $1).status }
        #expect(statuses.sorted() == [201, 201, 503], "the third timed out before its call")
        #expect(try nodes.nodeB.call("POST", "/tickets", by: nodes.nodeB.viewer).status == 201)
    }

    @Test(arguments: [true, false])
    func `a client that asks for or sends many tickets does not keep others from theirs`(_ asks: Bool) throws {
        let nodes = try TwoNodes { $0.streams.pendingTickets = 16 }
        let (fixture, server) = (nodes.nodeB, nodes.nodeB.server)
        nodes.logs[1].tickets.shut()
        let random = "/events?ticket=\(String(repeating: "0", count: 32))"
        let flood =
            asks
            ? server.request("POST", fixture.path + "/tickets", by: fixture.viewer)
            : server.request("GET", fixture.path + random)
        let connections = try (0..<16).map { _ in try server.connect() }
        for connection in connections.prefix(2) { try connection.send(flood) }
        eventually("both threads are blocked") { nodes.logs[1].tickets.blockedCalls == 2 }
        for connection in connections.dropFirst(2) {
            try connection.send(flood)
            #expect(try server.receive(on: connection, to: flood).code == "service.overloaded")
        }
        let wanted = server.request("POST", fixture.path + "/tickets", by: fixture.bidder)
        let waiting = try server.connect()
        try waiting.send(wanted)
        _ = try fixture.room()
        nodes.logs[1].tickets.open()
        #expect(try server.receive(on: waiting, to: wanted).status == 201)
    }

    @Test func `a ticket cannot be recovered from what the log stores`() throws {
        let nodes = try TwoNodes()
        let ticket = try nodes.nodeA.ticket(by: nodes.nodeA.viewer)
        let key = try #require(UInt128(ticket, radix: 16))
        #expect(try nodes.log.takeTicket(key) == nil, "the log's key is not the ticket itself")
        #expect(try nodes.nodeB.redeem(ticket, by: "poll") == 200)
    }

    @Test func `a ticket stays valid after its issuing node stopped`() throws {
        let nodes = try TwoNodes()
        let ticket = try nodes.nodeA.ticket(by: nodes.nodeA.viewer)
        nodes.nodeA.server.stop()
        #expect(try nodes.nodeB.redeem(ticket, by: "events") == 200)
    }
}
