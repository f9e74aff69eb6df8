import ExactJSON
import Testing

/// The host retracts the latest bid that was placed by a user, not by a proxy.
struct RetractionTests {
    @discardableResult
    private func retract(_ fixture: RoomFixture, _ bid: String, reason: String = "?reason=slip", by guest: Guest) throws
        -> HTTPResponse
    {
        try fixture.call("DELETE", "/bids/\(bid)\(reason)", by: guest)
    }

    @Test func `price and leader are recomputed from the remaining bids`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let second = try #require(try fixture.bid("150", by: fixture.rival).text("bid.id"))
        let response = try retract(fixture, second, reason: "?reason=a%20slip%20of%20the%20finger", by: fixture.host)
        #expect(response.status == 200)
        #expect(response.text("currentPrice") == "100.00")
        #expect(response.text("currentBid.bidder.id") == fixture.bidder.id)
        #expect(response.text("nextMinimum") == "110.00")
        let event = try #require(try fixture.events().last { $0.text("type") == "bid.retracted" })
        #expect(event.text("data.reason") == "a slip of the finger")
        #expect(event.at("data.removed")?.elements?.compactMap(\.text) == [second])
        #expect(try fixture.call("GET", "/bids").list("bids").count == 1)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.start()
        let old = try fixture.call("GET", "/bids?round=1").list("bids")
        #expect(old.map { $0.text("amount") } == ["100.00"], "it is not listed for a finished round either")
    }

    @Test(arguments: ["sealedFirstPrice", "vickrey", "english"])
    func `a bid that was retracted before the round was cancelled is never listed again`(format: String) throws {
        let fixture = try RoomFixture()
        let rules: JSONValue = [
            "startingPrice": "100", "format": .string(format), "biddingSeconds": 60, "countdown": "fixed",
        ]
        try fixture.upload(["name": "Letter", "rules": rules])
        for _ in 0..<2 { try fixture.start() }
        let slip = try #require(try fixture.bid("567.89", by: fixture.bidder).text("bid.id"))
        #expect(try retract(fixture, slip, by: fixture.host).status == 200)
        #expect(try fixture.call("POST", "/auction/cancel", ["reason": "again"], by: fixture.host).status == 200)
        for _ in 0..<2 { try fixture.start() }
        try fixture.bid("200", by: fixture.rival)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.start()
        let old = try fixture.call("GET", "/bids?round=1")
        #expect(old.list("bids").map { $0.text("bidder.id") } == [fixture.rival.id])
        #expect(!old.bodyText.contains("567.89"))
        #expect(try fixture.call("GET", "/results").int("results.0.bids") == 1)
    }

    @Test func `a maximum that the retracted bid disclosed is voided, and its bidder is notified`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "100", "maximum": "500"], by: fixture.bidder)
        let beating = try #require(try fixture.bid("700", by: fixture.rival).text("bid.id"))
        let response = try retract(fixture, beating, by: fixture.host)
        #expect(response.text("currentPrice") == "100.00")
        let own = try fixture.room(as: fixture.bidder)
        #expect(own["me.leading"] == true)
        #expect(own.text("me.maximum") == "100.00")
        #expect(try fixture.call("GET", "/bids", by: fixture.bidder).text("bids.0.maximum") == "100.00")
        let event = try #require(try fixture.events().last { $0.text("type") == "bid.maximumVoided" })
        #expect(event.text("data.bidder.id") == fixture.bidder.id)
        #expect(event.text("data.bidId") == own.text("currentBid.id"))
        #expect(event.at("data")?.members?.map(\.name) == ["bidId", "bidder"], "no amount")
        try fixture.bid("490", by: fixture.rival)
        #expect(try fixture.room(as: fixture.rival).text("currentPrice") == "490.00")
        #expect(try fixture.room(as: fixture.rival)["me.leading"] == true)
        #expect(
            try fixture.call("POST", "/bids", ["maximum": "600"], by: fixture.bidder).status == 201, "a new maximum may be set")
    }

    @Test func `a maximum that was not disclosed stays valid`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "100", "maximum": "500"], by: fixture.bidder)
        let beaten = try #require(try fixture.bid("200", by: fixture.rival).text("bid.id"))
        try retract(fixture, beaten, by: fixture.host)
        #expect(try fixture.room(as: fixture.bidder).text("me.maximum") == "500.00")
        #expect(try !fixture.events().contains { $0.text("type") == "bid.maximumVoided" })
    }

    @Test func `a ban ends a maximum, and the host takes back the bid that answered another's`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let shill = try #require(
            try fixture.call("POST", "/bids", ["amount": "100", "maximum": "500"], by: fixture.bidder).text("bid.id"))
        #expect(try fixture.bid("300", by: fixture.rival)["bid.leading"] == false)
        #expect(try retract(fixture, shill, by: fixture.host).code == "retract.not_latest")
        try fixture.call("PATCH", "/members/\(fixture.bidder.id)", ["banned": true], by: fixture.host)
        let voided = try #require(try fixture.events().last { $0.text("type") == "bid.maximumVoided" })
        #expect(voided.text("data.bidder.id") == fixture.bidder.id)
        let response = try retract(fixture, shill, reason: "?reason=a%20shill", by: fixture.host)
        #expect(response.status == 200)
        #expect(response.text("currentPrice") == "300.00")
        #expect(response.text("currentBid.bidder.id") == fixture.rival.id)
        #expect(try fixture.room(as: fixture.rival)["me.leading"] == true)
        let listed = try fixture.call("GET", "/bids").list("bids")
        #expect(listed.map { $0.text("amount") } == ["300.00"])
        #expect(listed.map { $0["leading"] } == [true])
        let again = try fixture.call("GET", "/permissions?action=retractBid&bid=\(shill)", by: fixture.host)
        #expect(again["allowed"] == false)
    }

    @Test func `the bids of a finished round are listed as they were when it ended, to everyone`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/members", ["role": "bidder"], by: fixture.viewer)
        func bid(_ amount: JSONValue, upTo maximum: JSONValue, by guest: Guest) throws -> String? {
            try fixture.call("POST", "/bids", ["amount": amount, "maximum": maximum], by: guest).text("bid.id")
        }
        let shill = try #require(try bid("100", upTo: "500", by: fixture.bidder))
        _ = try bid("120", upTo: "300", by: fixture.rival)
        #expect(try bid("320", upTo: "900", by: fixture.viewer) != nil)
        #expect(try fixture.room().text("currentPrice") == "510.00")
        try fixture.call("PATCH", "/members/\(fixture.bidder.id)", ["banned": true], by: fixture.host)
        #expect(try retract(fixture, shill, by: fixture.host).text("currentPrice") == "320.00")
        _ = try fixture.call("POST", "/bids", ["maximum": "1000"], by: fixture.viewer)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let readers = [nil, fixture.host, fixture.rival, fixture.viewer]
        func lists(_ query: String = "") throws -> [[JSONValue]] {
            try readers.map { try fixture.call("GET", "/bids" + query, by: $0).list("bids") }
        }
        let before = try lists()
        #expect(before[0].map { $0.text("amount") } == ["320.00", "120.00"])
        #expect(before[0].map { $0["leading"] } == [true, true])
        #expect(before[3].first?.text("maximum") == "1000.00")
        try fixture.start()
        #expect(try lists("?round=1") == before)
        let other = try fixture.call("GET", "/bids?round=1&limit=1")
        #expect(
            try fixture.call("GET", "/bids?round=1&cursor=\(other.text("nextCursor") ?? "")").list("bids") == [before[0][1]])
    }

    @Test func `a bid that is unknown or not the latest cannot be retracted`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let first = try #require(try fixture.bid("100", by: fixture.bidder).text("bid.id"))
        let second = try #require(try fixture.bid("110", by: fixture.rival).text("bid.id"))
        let early = try retract(fixture, first, by: fixture.host)
        #expect(early.status == 409)
        #expect(early.code == "retract.not_latest")
        #expect(early.text("permission.required") == second)
        #expect(try retract(fixture, "bid_nobody", by: fixture.host).code == "bid.not_found")
        let asked = try fixture.call("GET", "/permissions?action=retractBid&bid=\(first)", by: fixture.host)
        #expect(asked.text("denial.rule") == "retract.not_latest")
        #expect(try fixture.call("GET", "/permissions?action=retractBid&bid=\(second)", by: fixture.host)["allowed"] == true)
    }

    @Test func `only the host retracts, only in a running or paused round, and only with a reason`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try #require(try fixture.bid("100", by: fixture.bidder).text("bid.id"))
        #expect(try retract(fixture, bid, by: fixture.rival).code == "retract.not_host")
        for reason in ["", "?reason=", "?reason=%20", "?reason=a%07b", "?reason=" + String(repeating: "x", count: 501)] {
            let response = try retract(fixture, bid, reason: reason, by: fixture.host)
            #expect(response.status == 400, "\(reason)")
            #expect(response.text("field") == "reason", "\(reason)")
        }
        try fixture.call("POST", "/auction/pause", by: fixture.host)
        #expect(try retract(fixture, bid, by: fixture.host).isNull("currentPrice"))
        try fixture.call("POST", "/auction/resume", by: fixture.host)
        let again = try #require(try fixture.bid("100", by: fixture.bidder).text("bid.id"))
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try retract(fixture, again, by: fixture.host).code == "retract.wrong_state")
    }
}
