import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import EventLogSQLite
import ExactJSON
import Testing

/// Linked rooms at other nodes and after a restart.
struct LinkGuestNodesTests {
    private func body(_ guest: Guest) -> JSONValue { ["guestToken": .string(guest.token)] }

    @Test func `a node links rooms that other nodes opened, and all nodes agree`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let alice = try issuer.guest("alice", "Alice")
        let nodes = try TwoNodes(visibility: "private") { $0.identity = identity }
        // The second node has the room in memory when the first one changes it.
        try nodes.nodeB.call("POST", "/messages", ["text": "Good evening."], by: nodes.nodeB.host)
        try nodes.nodeA.openBidding()
        try nodes.nodeA.bid("100", by: nodes.nodeA.bidder)
        try nodes.nodeA.call("POST", "/auction/end", by: nodes.nodeA.host)
        let linked = try nodes.nodeB.server.call("POST", "/v1/me/link", body(nodes.nodeA.bidder), by: alice)
        #expect(linked.int("linked.0.wins") == 1)
        for node in [nodes.nodeA, nodes.nodeB] {
            #expect(try node.server.call("GET", "/v1/me/wins", by: alice).list("wins").count == 1)
            #expect(try node.call("POST", "/messages", ["text": "Mine."], by: alice).status == 201)
        }
        #expect(try nodes.nodeA.call("GET", "/results", by: alice)["results.0.winner"] == alice.person)
    }

    @Test func `a failure ends the call, rooms linked before stay linked, and a repeat does the rest`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let alice = try issuer.guest("alice", "Alice")
        let nodes = try TwoNodes { $0.identity = identity }
        let (server, guest) = (nodes.nodeA.server, nodes.nodeA.bidder)
        for _ in 0..<2 { try RoomFixture(server).call("POST", "/members", by: guest) }
        func link() throws -> HTTPResponse { try server.call("POST", "/v1/me/link", body(guest), by: alice) }
        func rooms(of guest: Guest) throws -> Int { try server.call("GET", "/v1/me/rooms", by: guest).list("rooms").count }
        nodes.log.failNextAppend(with: EventLogError(.unavailable, "gone"), after: 1)
        #expect(try link().status == 503)
        #expect(try [rooms(of: alice), rooms(of: guest)] == [1, 2])
        #expect(try link().list("linked").count == 2)
        #expect(try [rooms(of: alice), rooms(of: guest)] == [3, 0])
    }

    @Test func `a room whose commit's reply is lost is linked all the same, and the refusal says to repeat the request`() throws
    {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let alice = try issuer.guest("alice", "Alice")
        let nodes = try TwoNodes { $0.identity = identity }
        let (server, guest) = (nodes.nodeA.server, nodes.nodeA.bidder)
        func link() throws -> HTTPResponse { try server.call("POST", "/v1/me/link", body(guest), by: alice) }
        func rooms(of guest: Guest) throws -> Int { try server.call("GET", "/v1/me/rooms", by: guest).list("rooms").count }
        nodes.log.failNextAppend(with: EventLogError(.outcomeUnknown, "no reply"), afterCommitting: true)
        let unknown = try link()
        #expect(unknown.status == 503)
        #expect(unknown.code == "service.outcome_unknown")
        #expect(unknown.text("detail")?.contains("Idempotency-Key") == false)
        #expect(unknown.text("detail")?.contains("send the same request again") == true)
        #expect(try link().list("linked").isEmpty)
        #expect(try rooms(of: alice) == 1)
    }

    @Test func `a room that cannot be written is skipped, and does not block older ones`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let alice = try issuer.guest("alice", "Alice")
        let nodes = try TwoNodes { $0.identity = identity }
        let (server, guest) = (nodes.nodeA.server, nodes.nodeA.bidder)
        let newer = try RoomFixture(server)
        try newer.call("POST", "/members", by: guest)
        nodes.log.poison(room: try #require(RoomID(String(newer.path.dropFirst("/v1/rooms/".count)))))
        for count in [1, 0] {
            let response = try server.call("POST", "/v1/me/link", body(guest), by: alice)
            #expect(response.status == 200)
            #expect(response.list("linked").count == count)
            #expect(response.list("skipped").count == 1)
            #expect(response.text("skipped.0.reason.code") == "service.internal_error")
        }
        #expect(try nodes.nodeA.call("GET", "", by: alice).text("me.role") == "bidder")
    }

    @Test func `a restart changes nothing, and the audit finds nothing`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let alice = try issuer.guest("alice", "Alice")
        let folder = TemporaryFolder()
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)) { $0.identity = identity })
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.server.call("POST", "/v1/me/link", body(fixture.bidder), by: alice)
        fixture.server.stop()
        let room = try #require(RoomID(String(fixture.path.dropFirst("/v1/rooms/".count))))
        #expect(try LogAudit.findings(of: room, in: try SQLiteArchive(path: folder.log)) == [])
        let server = try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock) {
            $0.identity = identity
        }
        let back = RoomFixture(fixture, in: server)
        #expect(try server.call("GET", "/v1/me/wins", by: alice).list("wins").count == 1)
        #expect(try back.call("GET", "/results", by: alice)["results.0.winner"] == alice.person)
        #expect(try back.call("GET", "/bids", by: alice).text("bids.0.bidder.nickname") == "Alice")
    }
}
