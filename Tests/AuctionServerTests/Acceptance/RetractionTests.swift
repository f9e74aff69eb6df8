import ExactJSON
import Testing

/// The host takes back the latest bid that somebody placed themself.
struct RetractionTests {
    @discardableResult
    private func retract(_ scene: Scene, _ bid: String, reason: String = "?reason=slip", by guest: Guest) throws -> HTTPAnswer {
        try scene.call("DELETE", "/bids/\(bid)\(reason)", by: guest)
    }

    @Test func `price and leader follow from the bids that are left`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        let second = try #require(try scene.bid("150", by: scene.rival).text("bid.id"))
        let answer = try retract(scene, second, reason: "?reason=a%20slip%20of%20the%20finger", by: scene.host)
        #expect(answer.status == 200)
        #expect(answer.text("currentPrice") == "100.00")
        #expect(answer.text("currentBid.bidder.id") == scene.bidder.id)
        #expect(answer.text("nextMinimum") == "110.00")
        let event = try #require(try scene.events().last { $0.text("type") == "bid.retracted" })
        #expect(event.text("data.reason") == "a slip of the finger")
        #expect(event.at("data.removed")?.elements?.compactMap(\.text) == [second])
        #expect(try scene.call("GET", "/bids").list("bids").count == 1)
        try scene.call("POST", "/auction/end", by: scene.host)
        try scene.start()
        let old = try scene.call("GET", "/bids?round=1").list("bids")
        #expect(old.map { $0.text("amount") } == ["100.00"], "nor is it listed once the round is old")
    }

    @Test func `a bidder whose maximum the retracted bid has shown is notified that it is void`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.call("POST", "/bids", ["amount": "100", "maximum": "500"], by: scene.bidder)
        let beating = try #require(try scene.bid("700", by: scene.rival).text("bid.id"))
        let answer = try retract(scene, beating, by: scene.host)
        #expect(answer.text("currentPrice") == "100.00")
        let own = try scene.room(as: scene.bidder)
        #expect(own["me.leading"] == true)
        #expect(own.text("me.maximum") == "100.00")
        #expect(try scene.call("GET", "/bids", by: scene.bidder).text("bids.0.maximum") == "100.00")
        let event = try #require(try scene.events().last { $0.text("type") == "bid.maximumVoided" })
        #expect(event.text("data.bidder.id") == scene.bidder.id)
        #expect(event.text("data.bidId") == own.text("currentBid.id"))
        #expect(event.at("data")?.members?.map(\.name) == ["bidId", "bidder"], "no amount")
        try scene.bid("490", by: scene.rival)
        #expect(try scene.room(as: scene.rival).text("currentPrice") == "490.00")
        #expect(try scene.room(as: scene.rival)["me.leading"] == true)
        #expect(try scene.call("POST", "/bids", ["maximum": "600"], by: scene.bidder).status == 201, "a new one may be given")
    }

    @Test func `a maximum that is only known to be higher stays in force`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.call("POST", "/bids", ["amount": "100", "maximum": "500"], by: scene.bidder)
        let beaten = try #require(try scene.bid("200", by: scene.rival).text("bid.id"))
        try retract(scene, beaten, by: scene.host)
        #expect(try scene.room(as: scene.bidder).text("me.maximum") == "500.00")
        #expect(try !scene.events().contains { $0.text("type") == "bid.maximumVoided" })
    }

    @Test func `a bid that is not the latest, or none at all, is not taken back`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let first = try #require(try scene.bid("100", by: scene.bidder).text("bid.id"))
        let second = try #require(try scene.bid("110", by: scene.rival).text("bid.id"))
        let early = try retract(scene, first, by: scene.host)
        #expect(early.status == 409)
        #expect(early.code == "retract.not_latest")
        #expect(early.text("permission.required") == second)
        #expect(try retract(scene, "bid_nobody", by: scene.host).code == "bid.not_found")
        let asked = try scene.call("GET", "/permissions?action=retractBid&bid=\(first)", by: scene.host)
        #expect(asked.text("denial.rule") == "retract.not_latest")
        #expect(try scene.call("GET", "/permissions?action=retractBid&bid=\(second)", by: scene.host)["allowed"] == true)
    }

    @Test func `only the host, only while the round runs or is paused, only with a reason`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bid = try #require(try scene.bid("100", by: scene.bidder).text("bid.id"))
        #expect(try retract(scene, bid, by: scene.rival).code == "retract.not_host")
        for reason in ["", "?reason=", "?reason=%20", "?reason=a%07b", "?reason=" + String(repeating: "x", count: 501)] {
            let answer = try retract(scene, bid, reason: reason, by: scene.host)
            #expect(answer.status == 400, "\(reason)")
            #expect(answer.text("field") == "reason", "\(reason)")
        }
        try scene.call("POST", "/auction/pause", by: scene.host)
        #expect(try retract(scene, bid, by: scene.host).isNull("currentPrice"))
        try scene.call("POST", "/auction/resume", by: scene.host)
        let again = try #require(try scene.bid("100", by: scene.bidder).text("bid.id"))
        try scene.call("POST", "/auction/end", by: scene.host)
        #expect(try retract(scene, again, by: scene.host).code == "retract.wrong_state")
    }
}
