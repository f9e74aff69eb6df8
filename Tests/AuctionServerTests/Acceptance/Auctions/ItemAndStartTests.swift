import ExactJSON
import Testing

struct ItemAndStartTests {
    private func denied(
        _ response: HTTPResponse, _ status: Int, _ code: String, required: JSONValue, actual: JSONValue,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == status, sourceLocation: location)
        #expect(response.code == code, sourceLocation: location)
        #expect(response["permission.required"] == required, sourceLocation: location)
        #expect(response["permission.actual"] == actual, sourceLocation: location)
    }

    @Test(
        arguments: [
            ([:], "rules.increment", "exactly one of"),
            (["fixed": "1", "percent": 5], "rules.increment", "exactly one of"),
            (["fixed": "1", "tiers": [["from": "0", "step": "1"]]], "rules.increment", "exactly one of"),
            (["fixed": "1", "step": "1"], "rules.increment.step", "no field"),
            (["step": "1"], "rules.increment.step", "no field"),
        ] as [(JSONValue, String, String)])
    func `an increment has exactly one form`(increment: JSONValue, field: String, word: String) throws {
        let fixture = try RoomFixture()
        let item: JSONValue = ["name": "Teapot", "rules": ["startingPrice": "100", "increment": increment]]
        let refused = try fixture.call("POST", "/items", item, by: fixture.owner)
        #expect(refused.status == 400 && refused.text("field") == field, "\(refused.bodyText)")
        #expect(refused.text("detail")?.contains(word) == true, "\(refused.bodyText)")
    }

    @Test func `only an auctioneer uploads an item, only while preparing, and only over their own`() throws {
        let fixture = try RoomFixture()
        for (guest, role) in [
            (fixture.host, "host"), (fixture.bidder, "bidder"), (fixture.viewer, "viewer"), (fixture.stranger, "none"),
        ] {
            denied(
                try fixture.call("POST", "/items", RoomFixture.teapot, by: guest), 403, "item.not_auctioneer",
                required: "auctioneer",
                actual: .string(role))
        }
        try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["role": "auctioneer"], by: fixture.host)
        try fixture.upload()
        denied(
            try fixture.call("POST", "/items", RoomFixture.teapot, by: fixture.rival), 409, "item.taken", required: .null,
            actual: .string(fixture.owner.id))
        let cup: JSONValue = ["name": "Cup", "rules": ["startingPrice": "1"]]
        let replaced = try #require(try fixture.room().text("item.id"))
        let answer = try fixture.call("POST", "/items", cup, by: fixture.owner)
        #expect(answer.status == 200 && answer.text("replaced") == replaced, "one's own item can be replaced")
        #expect(try fixture.room().text("item.name") == "Cup")
        try fixture.start()
        denied(
            try fixture.call("POST", "/items", RoomFixture.teapot, by: fixture.owner), 409, "item.not_preparing",
            required: "preparing",
            actual: "listing")
    }

    @Test func `an item is shown with every uploaded field`() throws {
        let fixture = try RoomFixture()
        let media: JSONValue = ["https://example.org/a.jpg", "https://example.org/b.mp4"]
        let response = try fixture.call(
            "POST", "/items",
            [
                "name": "壶 🫖", "description": "two\nlines", "media": media,
                "rules": [
                    "startingPrice": .number("99.5"), "increment": ["fixed": "0.01"], "listingSeconds": 60,
                    "biddingSeconds": 86400,
                    "countdown": "reset", "format": "english",
                ],
            ], by: fixture.owner)
        #expect(response.status == 201)
        let room = try fixture.room()
        #expect(room.text("item.name") == "壶 🫖")
        #expect(room.text("item.description") == "two\nlines")
        #expect(room["item.media"] == media)
        #expect(room["item.owner"] == fixture.owner.person)
        #expect(room["rules"] == (try fixture.events().last?.at("data.item.rules")))
        #expect(room.text("rules.startingPrice") == "99.50")
        #expect(room.text("rules.increment.fixed") == "0.01")
        #expect(try fixture.events().last?.text("data.item.id") == response.text("id"))
        #expect(try fixture.room(as: fixture.owner)["rules"] == response["rules"])
        #expect(response.isNull("rules.reservePrice"))
    }

    @Test func `only the host starts a round, and only with an item`() throws {
        let fixture = try RoomFixture()
        denied(
            try fixture.call("POST", "/auction/start", by: fixture.host), 409, "start.no_item", required: "item", actual: "none"
        )
        denied(
            try fixture.call("POST", "/auction/start", by: fixture.owner), 403, "start.not_host", required: "host",
            actual: "auctioneer")
        try fixture.openBidding()
        denied(
            try fixture.call("POST", "/auction/start", by: fixture.host), 409, "start.wrong_state",
            required: "preparing, listing, closed", actual: "auctioning")
    }

    @Test func `only the host ends a round, and only a running one`() throws {
        let fixture = try RoomFixture()
        denied(
            try fixture.call("POST", "/auction/end", by: fixture.host), 409, "end.not_auctioning", required: "auctioning",
            actual: "preparing")
        try fixture.openBidding()
        for (guest, role) in [(fixture.owner, "auctioneer"), (fixture.bidder, "bidder"), (fixture.stranger, "none")] {
            denied(
                try fixture.call("POST", "/auction/end", by: guest), 403, "end.not_host", required: "host",
                actual: .string(role))
        }
        #expect(try fixture.state() == "auctioning")
    }

    @Test func `a command that expects another state or round is refused`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let seq = try fixture.seq()
        let calls: [(String, JSONValue)] = [
            ("start", ["expectedState": "listing"]), ("end", ["expectedRound": 2]),
            ("end", ["expectedState": "auctioning", "expectedRound": 7]),
            ("end", ["expectedState": "closed", "expectedRound": 1]),
        ]
        for (action, body) in calls {
            let response = try fixture.call("POST", "/auction/\(action)", body, by: fixture.host)
            #expect(response.status == 409)
            #expect(response.code == "auction.state_changed")
            #expect(response.text("type") == "/problems/conflict")
        }
        let unknown = try fixture.call("POST", "/auction/end", ["expectedState": "paused?"], by: fixture.host)
        #expect(unknown.status == 400)
        #expect(unknown.text("field") == "expectedState")
        #expect(try fixture.seq() == seq)
        let expected: JSONValue = ["expectedState": "auctioning", "expectedRound": 1]
        #expect(try fixture.call("POST", "/auction/end", expected, by: fixture.host).text("state") == "closed")
        #expect(try fixture.call("POST", "/auction/end", expected, by: fixture.host).code == "auction.state_changed")
    }
}
