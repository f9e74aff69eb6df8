import AuctionDomain
import EventLog
import ExactJSON
import Testing

/// What clients hear when the log does not do what it should.
struct LogFailureTests {
    @Test func `nobody hears of a bid before it is durable`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        let seq = try scene.seq()
        let (house, bidding, polling, refusing) = (
            scene.house, try scene.house.connect(), try scene.house.connect(), try scene.house.connect()
        )
        let poll = house.request("GET", scene.path + "/events?after=latest&wait=60", by: scene.viewer)
        try polling.send(poll)
        try eventually("the poll is held") { try scene.room().int("viewers") == 1 }
        log.shut()
        defer { log.open() }
        let bid = house.request("POST", scene.path + "/bids", Array(#"{"amount":"100"}"#.utf8), by: scene.bidder)
        let low = house.request("POST", scene.path + "/bids", Array(#"{"amount":"105"}"#.utf8), by: scene.rival)
        try bidding.send(bid)
        eventually("the commit is on its way") { log.isHolding }
        try refusing.send(low)
        #expect(try scene.room().seq == seq)
        #expect(try scene.events(after: seq).isEmpty)
        log.open()
        #expect(try house.receive(on: bidding, to: bid).status == 201)
        #expect(try house.receive(on: polling, to: poll).int("events.0.seq") == seq + 1)
        let refused = try house.receive(on: refusing, to: low)
        #expect(refused.code == "bid.below_minimum", "decided after the bid, so told after it")
        #expect(refused.seq == seq + 1)
    }

    @Test func `a commit whose outcome is unknown is no refusal, and nothing more is acknowledged`() throws {
        let log = InMemoryEventLog()
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        log.failNextAppend(with: EventLogError(.outcomeUnknown, "the reply got lost"), afterCommitting: true)
        let unknown = try scene.bid("100", by: scene.bidder)
        #expect(unknown.status == 503)
        #expect(unknown.code == "service.outcome_unknown")
        #expect(unknown.text("detail")?.contains("Idempotency-Key") == true)
        #expect(unknown["permission"] == nil)
        #expect(unknown.text("receivedAt") == scene.house.clock.text)
        let next = try scene.bid("110", by: scene.rival)
        #expect(next.status == 503)
        #expect(next.code == "service.unavailable")
        try eventually("the server is not ready") { try scene.house.call("GET", "/readyz").status == 503 }
        #expect(try scene.house.call("GET", "/readyz").texts("waitingFor") == ["log"])
        #expect(try scene.house.call("GET", "/healthz").status == 200)
    }

    @Test func `a command that breaks the log's rules costs nobody else anything`() throws {
        let log = InMemoryEventLog()
        let house = try House(log: log)
        let (bad, good) = (try Scene(house), try Scene(house))
        try bad.openBidding()
        try good.openBidding()
        let id = try #require(try bad.room().text("id"))
        log.poison(room: try #require(.init(id)))
        let failed = try bad.bid("100", by: bad.bidder)
        #expect(failed.status == 500)
        #expect(failed.code == "service.internal_error")
        #expect(try good.bid("100", by: good.bidder).status == 201)
        #expect(try bad.room().isNull("currentPrice"))
    }

    @Test func `a full disk refuses, and what was there stays`() throws {
        let log = InMemoryEventLog()
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        let seq = try scene.seq()
        log.failNextAppend(with: EventLogError(.full, "no space"))
        #expect(try scene.bid("100", by: scene.bidder).code == "service.unavailable")
        #expect(try scene.seq() == seq)
        #expect(try scene.bid("100", by: scene.bidder).status == 201, "there is space again")
    }
}
