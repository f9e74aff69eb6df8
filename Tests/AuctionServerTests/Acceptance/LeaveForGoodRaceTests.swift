import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import MicroHTTP
import Testing

@testable import AuctionServer

/// `DELETE /v1/me` at the same moment as a command of the same user.
struct LeaveForGoodRaceTests {
    /// A room that the user is in no part of, where a command of theirs is refused without an append.
    private func status(of guest: Guest, in other: RoomFixture) throws -> Int {
        try other.call("DELETE", "/members/me", by: guest).status
    }

    /// Sends a command and `DELETE /v1/me` of the bidder's on connections of their own, the second while the first is being committed.
    private func race(
        _ tail: String, _ body: String, in fixture: RoomFixture, _ log: GatedEventLog, meanwhile: () throws -> Void = {}
    ) throws -> (command: HTTPResponse, leave: HTTPResponse) {
        let server = fixture.server
        let (commands, leaves) = (try server.connect(), try server.connect())
        let command = server.request("POST", fixture.path + tail, Array(body.utf8), by: fixture.bidder)
        let leave = server.request("DELETE", "/v1/me", by: fixture.bidder)
        log.commits.shut()
        defer { log.commits.open() }
        try commands.send(command)
        eventually("the command is being committed") { log.commits.blockedCalls == 1 }
        try leaves.send(leave)
        try meanwhile()
        log.commits.open()
        return (try server.receive(on: commands, to: command), try server.receive(on: leaves, to: leave))
    }

    @Test func `a bid that is on its way to the log keeps its bidder in the service, and nothing of theirs ends`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        let (server, other) = (fixture.server, try RoomFixture(fixture.server))
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let (bid, refused) = try race("/bids", #"{"amount":"100"}"#, in: fixture, log) {
            try eventually("commands are refused until it is decided") { try status(of: fixture.bidder, in: other) == 503 }
            #expect(try status(of: fixture.rival, in: other) == 404, "another user's")
        }
        #expect(bid.status == 201)
        #expect(refused.status == 409 && refused.code == "account.leads_round", "\(refused.bodyText)")
        #expect(try status(of: fixture.bidder, in: other) == 404)
        #expect(try server.call("GET", "/v1/me", by: fixture.bidder).status == 200)
        #expect(try socket.event()?.type == "bid.placed", "the stream goes on")
    }

    @Test func `a user who is not needed leaves once their commands are decided`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        let server = fixture.server
        let (message, left) = try race("/messages", #"{"text":"Bye"}"#, in: fixture, log)
        #expect(message.status == 201 && left.status == 204)
        #expect(try server.call("GET", "/v1/me", by: fixture.bidder).status == 401)
        #expect(!(try fixture.call("GET", "/events?after=0&limit=256", by: fixture.host).bodyText.contains("Bea")))
    }

    @Test func `with several nodes a bid is placed and keeps its bidder, or it is refused`() throws {
        let nodes = try TwoNodes(systemClock: true)
        let (nodeA, nodeB) = (nodes.nodeA, nodes.nodeB)
        try nodeA.openBidding()
        try eventually("the other node knows of the round") { try nodeB.state() == "auctioning" }
        let other = try RoomFixture(nodeB.server)
        for bidder in [nodeA.bidder, nodeA.rival] {
            let user = try #require(UserID(bidder.id))
            let leaves = try nodeA.server.connect()
            let leave = nodeA.server.request("DELETE", "/v1/me", by: bidder)
            try leaves.send(leave)
            // The first bids as soon as the log has it that they ask, the second once the other node knows.
            if bidder.id == nodeA.bidder.id {
                try eventually("it is asked for") { try nodes.log.record(ErasureRecord.kind, user.description) != nil }
            } else {
                try eventually("the other node knows") { try status(of: bidder, in: other) == 503 }
            }
            let bid = try nodeB.bid(bidder.id == nodeA.bidder.id ? "100" : "200", by: bidder)
            let left = try nodeA.server.receive(on: leaves, to: leave)
            #expect([201, 503].contains(bid.status), "\(bid.bodyText)")
            #expect(left.status == (bid.status == 201 ? 409 : 204), "\(left.bodyText)")
            guard left.status == 409 else { continue }
            try eventually("the other node takes commands again") { try status(of: bidder, in: other) == 404 }
            #expect(try nodes.log.record(ErasureRecord.kind, user.description) == nil)
        }
        #expect(try nodeA.server.call("GET", "/v1/me", by: nodeA.rival).status == 401)
    }

    @Test func `of a node that ended before it had decided nothing is left`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        let (server, other) = (fixture.server, try RoomFixture(fixture.server))
        let user = try #require(UserID(fixture.viewer.id))
        #expect(try log.write([ErasureRecord.asked(user, at: server.clock.now().wall).change(if: .none)]))
        try eventually("commands are refused") { try status(of: fixture.viewer, in: other) == 503 }
        #expect(try server.call("DELETE", "/v1/me", by: fixture.viewer).status == 503)
        #expect(try status(of: fixture.viewer, in: other) == 503, "the other node decides still")
        server.clock.advance(seconds: 61)
        try eventually("commands are taken again") { try status(of: fixture.viewer, in: other) == 404 }
        #expect(try log.record(ErasureRecord.kind, user.description) == nil)
        #expect(try server.call("GET", "/v1/me", by: fixture.viewer).status == 200)
        #expect(try server.call("DELETE", "/v1/me", by: fixture.viewer).status == 204)
    }

    @Test func `commands are stopped of one user, until all that were pending are over`() {
        var stopped = StoppedCommands()
        let (ann, bob) = (UserID(bits: 1), UserID(bits: 2))
        var calls: [String] = []
        stopped.insert(ann, after: []) { calls.append("ann") }
        #expect(calls == ["ann"] && stopped.contain(ann) && !stopped.contain(bob))
        stopped.insert(bob, after: [ExchangeID(rawValue: 1), ExchangeID(rawValue: 2)]) { calls.append("bob") }
        stopped.responded(to: ExchangeID(rawValue: 2))
        stopped.responded(to: ExchangeID(rawValue: 3))
        #expect(calls == ["ann"])
        stopped.responded(to: ExchangeID(rawValue: 1))
        #expect(calls == ["ann", "bob"])
        stopped.insert(ann, after: []) {}
        stopped.remove(ann)
        #expect(stopped.contain(ann), "it was stopped twice")
        stopped.remove(ann)
        #expect(!stopped.contain(ann) && stopped.contain(bob))
    }
}
