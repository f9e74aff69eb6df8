import ExactJSON
import Testing

/// The host changes the increment, or asks for another next minimum.
struct AskTests {
    @Test func `an ask is what the next bid must be`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let asked = try fixture.call("PATCH", "/auction", ["nextMinimum": "130", "expectedRound": 1], by: fixture.host)
        #expect(asked.status == 200)
        #expect(asked.text("nextMinimum") == "130.00")
        #expect(asked.text("rules.increment.fixed") == "10.00")
        #expect(try fixture.room().text("nextMinimum") == "130.00")
        let low = try fixture.bid("129.99", by: fixture.rival)
        #expect(low.code == "bid.below_minimum")
        #expect(low.text("permission.required") == "130.00")
        let bid = try fixture.bid("130", by: fixture.rival)
        #expect(bid.status == 201)
        #expect(bid.text("room.nextMinimum") == "140.00")
        let event = try #require(try fixture.events().last { $0.text("type") == "ask.changed" })
        #expect(event.text("data.nextMinimum") == "130.00")
        #expect(event.text("data.by.id") == fixture.host.id)
    }

    @Test func `an ask before the first bid is what that must be`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let asked = try fixture.call("PATCH", "/auction", ["nextMinimum": "130"], by: fixture.host)
        #expect(asked.status == 200 && asked.text("nextMinimum") == "130.00" && asked.isNull("currentPrice"))
        #expect(asked.text("rules.startingPrice") == "100.00")
        #expect(try fixture.bid("129.99", by: fixture.rival).text("permission.required") == "130.00")
        #expect(try fixture.bid("130", by: fixture.rival).text("room.nextMinimum") == "140.00")
    }

    @Test func `another increment counts for the rest of the round`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let changed = try fixture.call("PATCH", "/auction", ["increment": ["percent": 5]], by: fixture.host)
        #expect(changed.status == 200)
        #expect(changed.text("nextMinimum") == "100.00")
        #expect(changed.int("rules.increment.percent") == 5)
        #expect(try fixture.bid("100", by: fixture.bidder).text("room.nextMinimum") == "105.00")
        let tiers: JSONValue = ["tiers": [["from": "0", "step": "1"], ["from": "100", "step": "2"]]]
        let tiered = try fixture.call("PATCH", "/auction", ["increment": tiers], by: fixture.host)
        #expect(tiered.text("nextMinimum") == "102.00")
        let again = try fixture.call("PATCH", "/auction", ["increment": tiers], by: fixture.host)
        #expect(again.int("seq") == tiered.int("seq"), "nothing has changed")
        let event = try #require(try fixture.events().last { $0.text("type") == "increment.changed" })
        #expect(event.text("data.nextMinimum") == "102.00")
        #expect(event.at("data.increment.tiers") != nil)
    }

    @Test func `every refusal of an ask has its code`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        func code(_ body: JSONValue, by guest: Guest? = nil) throws -> String? {
            try fixture.call("PATCH", "/auction", body, by: guest ?? fixture.host).code
        }
        #expect(try code(["nextMinimum": "130"]) == "ask.wrong_state")
        try fixture.start()
        try fixture.start()
        #expect(try code(["nextMinimum": "130"], by: fixture.owner) == "ask.not_host")
        let first = try fixture.call("PATCH", "/auction", ["nextMinimum": "99.99"], by: fixture.host)
        #expect(first.status == 422 && first.code == "ask.below_price" && first.text("permission.required") == "100.00")
        try fixture.bid("100", by: fixture.bidder)
        let low = try fixture.call("PATCH", "/auction", ["nextMinimum": "100"], by: fixture.host)
        #expect(low.status == 422)
        #expect(low.code == "ask.below_price")
        #expect(low.text("permission.required") == "100.01")
        #expect(try code(["nextMinimum": "130", "expectedRound": 2]) == "auction.state_changed")
    }

    @Test func `a body has one of the two, well formed`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bodies: [(JSONValue, String)] = [
            ([:], "increment"), (["increment": ["fixed": "1"], "nextMinimum": "130"], "increment"),
            (["increment": ["fixed": "0"]], "increment.fixed"), (["increment": [:]], "increment"),
            (["increment": 5], "increment"), (["nextMinimum": "1.001"], "nextMinimum"),
            (["increment": ["fixed": "1"], "reason": "x"], "reason"),
        ]
        for (body, field) in bodies {
            let response = try fixture.call("PATCH", "/auction", body, by: fixture.host)
            #expect(response.status == 400, "\(body)")
            #expect(response.text("field") == field, "\(body)")
        }
    }

    @Test func `permissions explain why an amount cannot be asked for`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let path = "/permissions?action=changeAsk&amount=90&explain=true"
        let response = try fixture.call("GET", path, by: fixture.host)
        #expect(response.text("denial.rule") == "ask.below_price")
    }
}
