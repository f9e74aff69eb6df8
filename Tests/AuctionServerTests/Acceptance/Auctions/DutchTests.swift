import ExactJSON
import Testing

/// Dutch auctions: the price drops until a bidder accepts it.
struct DutchTests {
    private func open() throws -> RoomFixture {
        let fixture = try RoomFixture()
        try fixture.upload([
            "name": "Tulips",
            "rules": [
                "startingPrice": "100", "floorPrice": "80", "increment": ["fixed": "10"], "dutchTickSeconds": 5,
                "format": "dutch",
            ],
        ])
        try fixture.start()
        try fixture.start()
        return fixture
    }

    @Test func `the room shows the asking price and the time of the next drop`() throws {
        let fixture = try open()
        var room = try fixture.room()
        #expect(room.text("currentPrice") == "100.00")
        #expect(room.isNull("currentBid"))
        let first = try #require(room.text("nextDropAt"))
        try fixture.letClockRun(seconds: 5)
        room = try fixture.room()
        #expect(room.text("currentPrice") == "90.00")
        #expect(room.text("nextMinimum") == "90.00")
        #expect(try #require(room.text("nextDropAt")) > first)
        let taken = try fixture.bid("95", by: fixture.bidder)
        #expect(taken.text("bid.amount") == "90.00", "at the asking price")
        #expect(taken.text("room.state") == "closed")
        #expect(try fixture.call("GET", "/results").text("results.0.price") == "90.00")
    }

    @Test func `an item without a bid at the floor price is passed`() throws {
        let fixture = try open()
        for _ in 0..<4 { try fixture.letClockRun(seconds: 5) }
        #expect(try fixture.state() == "closed")
        #expect(try fixture.call("GET", "/results").text("results.0.reason") == "no_bids")
    }

    @Test func `missing rules of a Dutch auction are refused by name`() throws {
        let fixture = try RoomFixture()
        let rules: [(JSONValue, String)] = [
            (["startingPrice": "100", "format": "dutch", "dutchTickSeconds": 5], "rules.floorPrice"),
            (["startingPrice": "100", "format": "dutch", "floorPrice": "50"], "rules.dutchTickSeconds"),
        ]
        for (rules, field) in rules {
            let response = try fixture.call("POST", "/items", ["name": "Tulips", "rules": rules], by: fixture.owner)
            #expect(response.status == 400)
            #expect(response.text("field") == field)
        }
    }
}
