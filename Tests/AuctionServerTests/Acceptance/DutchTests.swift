import ExactJSON
import Testing

/// The price falls until somebody takes it.
struct DutchTests {
    private func open() throws -> Scene {
        let scene = try Scene()
        try scene.upload([
            "name": "Tulips",
            "rules": [
                "startingPrice": "100", "floorPrice": "80", "increment": ["fixed": "10"], "dutchTickSeconds": 5,
                "format": "dutch",
            ],
        ])
        try scene.start()
        try scene.start()
        return scene
    }

    @Test func `the room shows what is asked and when it drops`() throws {
        let scene = try open()
        var room = try scene.room()
        #expect(room.text("currentPrice") == "100.00")
        #expect(room.isNull("currentBid"))
        let first = try #require(room.text("nextDropAt"))
        try scene.letClockRun(seconds: 5)
        room = try scene.room()
        #expect(room.text("currentPrice") == "90.00")
        #expect(room.text("nextMinimum") == "90.00")
        #expect(try #require(room.text("nextDropAt")) > first)
        let taken = try scene.bid("95", by: scene.bidder)
        #expect(taken.text("bid.amount") == "90.00", "at the asking price")
        #expect(taken.text("room.state") == "closed")
        #expect(try scene.call("GET", "/results").text("results.0.price") == "90.00")
    }

    @Test func `nobody takes it and it passes`() throws {
        let scene = try open()
        for _ in 0..<4 { try scene.letClockRun(seconds: 5) }
        #expect(try scene.state() == "closed")
        #expect(try scene.call("GET", "/results").text("results.0.reason") == "no_bids")
    }

    @Test func `what a Dutch auction needs is asked for by name`() throws {
        let scene = try Scene()
        let rules: [(JSONValue, String)] = [
            (["startingPrice": "100", "format": "dutch", "dutchTickSeconds": 5], "rules.floorPrice"),
            (["startingPrice": "100", "format": "dutch", "floorPrice": "50"], "rules.dutchTickSeconds"),
        ]
        for (rules, field) in rules {
            let answer = try scene.call("POST", "/items", ["name": "Tulips", "rules": rules], by: scene.owner)
            #expect(answer.status == 400)
            #expect(answer.text("field") == field)
        }
    }
}
