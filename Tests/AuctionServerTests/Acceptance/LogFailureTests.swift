import AuctionDomain
import AuctionServer
import AuctionTestKit
import Dispatch
import EventLog
import ExactJSON
import Testing

/// What clients receive when appends are delayed, fail or have an unknown outcome.
struct LogFailureTests {
    /// The response to a bid in a room whose commands the log rejects, that room, and another one in which bidding is open.
    private func poisonedBid(
        _ server: TestServer, _ log: InMemoryEventLog
    ) throws -> (response: HTTPResponse, bad: RoomFixture, good: RoomFixture) {
        let (bad, good) = (try RoomFixture(server), try RoomFixture(server))
        try bad.openBidding()
        try good.openBidding()
        let id = try #require(try bad.room().text("id"))
        log.poison(room: try #require(.init(id)))
        return (try bad.bid("100", by: bad.bidder), bad, good)
    }

    @Test func `no client receives a bid before it is durable`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let seq = try fixture.seq()
        let (server, bidding, polling, refusing) = (
            fixture.server, try fixture.server.connect(), try fixture.server.connect(), try fixture.server.connect()
        )
        let poll = server.request("GET", fixture.path + "/events?after=latest&wait=60", by: fixture.viewer)
        try polling.send(poll)
        try eventually("the poll is waiting") { try fixture.room().int("viewers") == 1 }
        log.commits.shut()
        defer { log.commits.open() }
        let bid = server.request("POST", fixture.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: fixture.bidder)
        let low = server.request("POST", fixture.path + "/bids", Array(#"{"amount":"105"}"#.utf8), by: fixture.rival)
        try bidding.send(bid)
        eventually("the commit is in flight") { log.commits.blockedCalls > 0 }
        try refusing.send(low)
        #expect(try fixture.room().seq == seq)
        #expect(try fixture.events(after: seq).isEmpty)
        log.commits.open()
        #expect(try server.receive(on: bidding, to: bid).status == 201)
        #expect(try server.receive(on: polling, to: poll).int("events.0.seq") == seq + 1)
        let refused = try server.receive(on: refusing, to: low)
        #expect(refused.code == "bid.below_minimum", "decided after the bid, so sent after it")
        #expect(refused.seq == seq + 1)
    }

    @Test func `a commit with an unknown outcome gets 503, and no later command is acknowledged`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "the reply got lost"), afterCommitting: true)
        let unknown = try fixture.bid("100", by: fixture.bidder)
        #expect(unknown.status == 503)
        #expect(unknown.code == "service.outcome_unknown")
        #expect(unknown.text("detail")?.contains("Idempotency-Key") == true)
        #expect(unknown["permission"] == nil)
        #expect(unknown.text("receivedAt") == fixture.server.clock.text)
        let next = try fixture.bid("110", by: fixture.rival)
        #expect(next.status == 503)
        #expect(next.code == "service.unavailable")
        try eventually("the server is not ready") { try fixture.server.call("GET", "/readyz").status == 503 }
        #expect(try fixture.server.call("GET", "/readyz").texts("waitingFor") == ["log"])
        let guest = try fixture.server.call("POST", "/v1/guests", ["nickname": "Late"])
        #expect(guest.status == 503 && guest.code == "service.unavailable" && guest.header("Retry-After") == "1")
        #expect(try fixture.server.call("GET", "/healthz").status == 200)
    }

    @Test func `a stop that cannot wait does not say that a submitted bid was refused`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let (server, connection) = (fixture.server, try fixture.server.connect())
        log.commits.shut()
        let bid = server.request("POST", fixture.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: fixture.bidder)
        try connection.send(bid)
        eventually("the commit is in flight") { log.commits.blockedCalls > 0 }
        let (stopping, stopped) = (server.auctionServer, DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            stopping.stop(within: 0)
            stopped.signal()
        }
        let response = try server.receive(on: connection, to: bid)
        log.commits.open()
        stopped.wait()
        #expect(response.status == 503)
        #expect(response.code == "service.outcome_unknown")
    }

    @Test func `a command that the log rejects does not affect other rooms`() throws {
        let log = InMemoryEventLog()
        let server = try TestServer(log: log)
        let (failed, bad, good) = try poisonedBid(server, log)
        #expect(failed.status == 500)
        #expect(failed.code == "service.internal_error")
        #expect(try good.bid("100", by: good.bidder).status == 201)
        #expect(try bad.room().isNull("currentPrice"))
    }

    @Test func `a bid that the log does not take has counted, and its response has the limit`() throws {
        let log = InMemoryEventLog()
        let server = try TestServer(log: log) { $0.limits.bidsPerSecond = 20 }
        let (failed, _, good) = try poisonedBid(server, log)
        #expect(failed.status == 500)
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "the reply got lost"), afterCommitting: true)
        let unknown = try good.bid("100", by: good.bidder)
        #expect(unknown.status == 503)
        // That the contract has these headers is checked with every response.
        for response in [failed, unknown] { #expect(response.header("RateLimit")?.hasPrefix("\"bids\";r=19") == true) }
    }

    @Test func `a full disk refuses commands and keeps stored events`() throws {
        let log = InMemoryEventLog()
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let seq = try fixture.seq()
        log.failNextAppend(with: EventLogError(.full, "no space"))
        #expect(try fixture.bid("100", by: fixture.bidder).code == "service.unavailable")
        // The deadline may have been extended since, which is an event.
        #expect(try fixture.seq() >= seq)
        #expect(try fixture.room().isNull("currentPrice"))
        #expect(try fixture.bid("100", by: fixture.bidder).status == 201, "there is space again")
    }
}
