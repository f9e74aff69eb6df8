import ExactJSON
import Testing

struct ItemAndStartTests {
    private func denied(
        _ answer: HTTPAnswer, _ status: Int, _ code: String, required: JSONValue, actual: JSONValue,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, sourceLocation: location)
        #expect(answer.code == code, sourceLocation: location)
        #expect(answer["permission.required"] == required, sourceLocation: location)
        #expect(answer["permission.actual"] == actual, sourceLocation: location)
    }

    @Test func `only an auctioneer uploads, only while preparing, and nobody replaces another's item`() throws {
        let scene = try Scene()
        for (guest, role) in [
            (scene.host, "host"), (scene.bidder, "bidder"), (scene.viewer, "viewer"), (scene.stranger, "none"),
        ] {
            denied(
                try scene.call("POST", "/items", Scene.teapot, by: guest), 403, "item.not_auctioneer", required: "auctioneer",
                actual: .string(role))
        }
        try scene.call("PATCH", "/members/\(scene.rival.id)", ["role": "auctioneer"], by: scene.host)
        try scene.upload()
        denied(
            try scene.call("POST", "/items", Scene.teapot, by: scene.rival), 409, "item.taken", required: .null,
            actual: .string(scene.owner.id))
        let cup: JSONValue = ["name": "Cup", "rules": ["startingPrice": "1"]]
        #expect(try scene.call("POST", "/items", cup, by: scene.owner).status == 201, "one's own item can be replaced")
        #expect(try scene.room().text("item.name") == "Cup")
        try scene.start()
        denied(
            try scene.call("POST", "/items", Scene.teapot, by: scene.owner), 409, "item.not_preparing", required: "preparing",
            actual: "listing")
    }

    @Test func `an item keeps everything that was said of it`() throws {
        let scene = try Scene()
        let media: JSONValue = ["https://example.org/a.jpg", "https://example.org/b.mp4"]
        let answer = try scene.call(
            "POST", "/items",
            [
                "name": "壶 🫖", "description": "two\nlines", "media": media,
                "rules": [
                    "startingPrice": .number("99.5"), "increment": ["fixed": "0.01"], "listingSeconds": 60,
                    "biddingSeconds": 86400,
                    "countdown": "reset", "format": "english",
                ],
            ], by: scene.owner)
        #expect(answer.status == 201)
        let room = try scene.room()
        #expect(room.text("item.name") == "壶 🫖")
        #expect(room.text("item.description") == "two\nlines")
        #expect(room["item.media"] == media)
        #expect(room["item.owner"] == scene.owner.person)
        #expect(room["rules"] == (try scene.events().last?.at("data.item.rules")))
        #expect(room.text("rules.startingPrice") == "99.50")
        #expect(room.text("rules.increment.fixed") == "0.01")
        #expect(try scene.events().last?.text("data.item.id") == answer.text("id"))
        #expect(try scene.room(as: scene.owner)["rules"] == answer["rules"])
        #expect(answer.isNull("rules.reservePrice"))
    }

    @Test func `only the host starts, and needs an item`() throws {
        let scene = try Scene()
        denied(
            try scene.call("POST", "/auction/start", by: scene.host), 409, "start.no_item", required: "item", actual: "none")
        denied(
            try scene.call("POST", "/auction/start", by: scene.owner), 403, "start.not_host", required: "host",
            actual: "auctioneer")
        try scene.openBidding()
        denied(
            try scene.call("POST", "/auction/start", by: scene.host), 409, "start.wrong_state",
            required: "preparing, listing, closed", actual: "auctioning")
    }

    @Test func `only the host ends, and only what runs`() throws {
        let scene = try Scene()
        denied(
            try scene.call("POST", "/auction/end", by: scene.host), 409, "end.not_auctioning", required: "auctioning",
            actual: "preparing")
        try scene.openBidding()
        for (guest, role) in [(scene.owner, "auctioneer"), (scene.bidder, "bidder"), (scene.stranger, "none")] {
            denied(
                try scene.call("POST", "/auction/end", by: guest), 403, "end.not_host", required: "host", actual: .string(role))
        }
        #expect(try scene.state() == "auctioning")
    }

    @Test func `a room that has moved on is not acted on by mistake`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let seq = try scene.seq()
        let calls: [(String, JSONValue)] = [
            ("start", ["expectedState": "listing"]), ("end", ["expectedRound": 2]),
            ("end", ["expectedState": "auctioning", "expectedRound": 7]),
            ("end", ["expectedState": "closed", "expectedRound": 1]),
        ]
        for (action, body) in calls {
            let answer = try scene.call("POST", "/auction/\(action)", body, by: scene.host)
            #expect(answer.status == 409)
            #expect(answer.code == "auction.state_changed")
            #expect(answer.text("type") == "/problems/conflict")
        }
        let unknown = try scene.call("POST", "/auction/end", ["expectedState": "paused?"], by: scene.host)
        #expect(unknown.status == 400)
        #expect(unknown.text("field") == "expectedState")
        #expect(try scene.seq() == seq)
        let expected: JSONValue = ["expectedState": "auctioning", "expectedRound": 1]
        #expect(try scene.call("POST", "/auction/end", expected, by: scene.host).text("state") == "closed")
        #expect(try scene.call("POST", "/auction/end", expected, by: scene.host).code == "auction.state_changed")
    }
}
