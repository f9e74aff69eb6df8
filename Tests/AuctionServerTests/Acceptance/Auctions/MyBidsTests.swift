import ExactJSON
import Testing

/// What users see of their own bids and wins in all rooms.
struct MyBidsTests {
    private func bids(_ fixture: RoomFixture, of guest: Guest) throws -> [JSONValue] {
        let response = try fixture.server.call("GET", "/v1/me/bids", by: guest)
        try #require(response.status == 200)
        return response.list("bids")
    }

    private func standings(_ fixture: RoomFixture, of guest: Guest) throws -> [String] {
        try bids(fixture, of: guest).map { "\($0.text("standing") ?? "?") \($0.text("amount") ?? "?")" }
    }

    private func wins(_ server: TestServer, of guest: Guest) throws -> [String] {
        try server.call("GET", "/v1/me/wins", by: guest).list("wins").map {
            "\($0.text("round") ?? "\($0.int("round") ?? 0)") \($0.text("item.name") ?? "?") \($0.text("price") ?? "?")"
        }
    }

    /// Plays a round that the bidder wins with one bid.
    private func sell(_ fixture: RoomFixture, to bidder: Guest, for amount: JSONValue) throws {
        try fixture.openBidding()
        try #require(try fixture.bid(amount, by: bidder).status == 201)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
    }

    @Test func `a bid leads until another bidder outbids it, and stands until the round is over`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        #expect(try standings(fixture, of: fixture.bidder) == [])
        try fixture.bid("100", by: fixture.bidder)
        #expect(try standings(fixture, of: fixture.bidder) == ["leading 100.00"])
        try fixture.bid("120", by: fixture.rival)
        #expect(try standings(fixture, of: fixture.bidder) == ["outbid 100.00"])
        #expect(try standings(fixture, of: fixture.rival) == ["leading 120.00"])
        #expect(try standings(fixture, of: fixture.viewer) == [])
        let bid = try #require(try bids(fixture, of: fixture.bidder).first)
        #expect(bid.text("room.name") == "Night market")
        #expect(bid.text("currentPrice") == "120.00")
        #expect(bid.text("nextMinimum") == "130.00")
        #expect(bid.text("state") == "auctioning")
        #expect(bid.text("endsAt") == (try fixture.room().text("endsAt")))
        try fixture.call("POST", "/auction/pause", by: fixture.host)
        #expect(try bids(fixture, of: fixture.bidder).first?.text("state") == "paused")
        try fixture.call("POST", "/auction/resume", by: fixture.host)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try standings(fixture, of: fixture.bidder) == [])
        #expect(try standings(fixture, of: fixture.rival) == [])
        // The next round begins without bids.
        try fixture.start()
        try fixture.openBidding()
        #expect(try standings(fixture, of: fixture.rival) == [])
        try fixture.bid("100", by: fixture.rival)
        #expect(try standings(fixture, of: fixture.rival) == ["leading 100.00"])
    }

    @Test func `a bid in a sale with a premium has the price with it, and others have none`() throws {
        let fixture = try RoomFixture()
        let sale: JSONValue = ["mode": "manual", "premium": ["percent": "12.5"]]
        try #require(try fixture.call("PUT", "/sale", sale, by: fixture.host).status == 200)
        try fixture.openBidding()
        try fixture.bid("100.02", by: fixture.bidder)
        let bid = try #require(try bids(fixture, of: fixture.bidder).first)
        #expect(bid.text("currentPrice") == "100.02" && bid.text("amount") == "100.02")
        #expect(bid.text("total") == (try fixture.room().text("total")) && bid.text("total") == "112.52")
        let plain = try RoomFixture(fixture.server)
        try plain.openBidding()
        try plain.bid("100", by: plain.bidder)
        #expect(try bids(plain, of: plain.bidder).first?.at("total") == nil)
    }

    @Test func `the leader alone sees their maximum, and what the server bid for them`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.call("POST", "/bids", ["amount": "100", "maximum": "150"], by: fixture.bidder)
        try fixture.bid("120", by: fixture.rival)
        let leading = try #require(try bids(fixture, of: fixture.bidder).first)
        #expect(leading.text("amount") == "130.00")
        #expect(leading.text("maximum") == "150.00")
        let response = try fixture.server.call("GET", "/v1/me/bids", by: fixture.rival)
        #expect(response.text("bids.0.standing") == "outbid")
        #expect(!response.bodyText.contains("150"))
    }

    @Test func `a retracted bid is not listed`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let bid = try #require(try fixture.bid("120", by: fixture.rival).text("bid.id"))
        try #require(try fixture.call("DELETE", "/bids/\(bid)?reason=slip", by: fixture.host).status == 200)
        #expect(try standings(fixture, of: fixture.rival) == [])
        #expect(try standings(fixture, of: fixture.bidder) == ["leading 100.00"])
    }

    @Test func `a sealed bid shows its amount to its bidder, and not whether it leads`() throws {
        let fixture = try RoomFixture()
        try fixture.upload(["name": "Letter", "rules": ["startingPrice": "100", "format": "vickrey", "countdown": "fixed"]])
        try fixture.start()
        try fixture.start()
        try fixture.bid("234.56", by: fixture.bidder)
        try fixture.bid("111.11", by: fixture.rival)
        #expect(try standings(fixture, of: fixture.bidder) == ["sealed 234.56"])
        #expect(try standings(fixture, of: fixture.rival) == ["sealed 111.11"])
    }

    @Test func `the bid of a user who left a public room is listed, that of a hidden room is not`() throws {
        for visibility in ["public", "private"] {
            let fixture = try RoomFixture(visibility: visibility)
            try fixture.openBidding()
            try fixture.bid("100", by: fixture.bidder)
            try fixture.call("DELETE", "/members/me", by: fixture.bidder)
            #expect(try standings(fixture, of: fixture.bidder) == (visibility == "public" ? ["leading 100.00"] : []))
        }
    }

    @Test func `sales are listed newest first, in pages, and for their buyer only`() throws {
        let fixture = try RoomFixture()
        let other = try RoomFixture(fixture.server)
        for (round, amount) in [(1, "100"), (2, "200"), (3, "300")] {
            if round > 1 { try fixture.start() }
            fixture.server.clock.advance(seconds: 1)
            try sell(fixture, to: fixture.bidder, for: .string(amount))
        }
        fixture.server.clock.advance(seconds: 1)
        try sell(other, to: other.bidder, for: "150")
        #expect(
            try wins(fixture.server, of: fixture.bidder) == ["3 Teapot 300.00", "2 Teapot 200.00", "1 Teapot 100.00"])
        #expect(try wins(fixture.server, of: other.bidder) == ["1 Teapot 150.00"])
        #expect(try wins(fixture.server, of: fixture.rival) == [])
        let first = try fixture.server.call("GET", "/v1/me/wins?limit=2", by: fixture.bidder)
        let cursor = try #require(first.text("nextCursor"))
        let second = try fixture.server.call("GET", "/v1/me/wins?limit=2&cursor=\(cursor)", by: fixture.bidder)
        #expect((first.list("wins") + second.list("wins")).map { $0.int("round") } == [3, 2, 1])
        #expect(second.isNull("nextCursor"))
    }

    @Test func `what a buyer pays is with the price of rooms, bids and what they bought`() throws {
        let fixture = try RoomFixture()
        let id = fixture.path.replacing("/v1/rooms/", with: "")
        func listed() throws -> JSONValue? {
            try fixture.server.call("GET", "/v1/rooms").list("rooms").first { $0.text("id") == id }
        }
        try sell(fixture, to: fixture.bidder, for: "100")
        #expect(try listed()?.at("total") == nil && listed()?.text("currentPrice") == "100.00", "no premium yet")
        #expect(try fixture.call("GET", "/bids").list("bids").first?.at("total") == nil)
        try fixture.start()
        try #require(
            try fixture.call("PUT", "/sale", ["mode": "manual", "premium": ["percent": "12.55"]], by: fixture.host).status
                == 200
        )
        try fixture.openBidding()
        #expect(try listed()?.at("total") == .null, "no price yet")
        let placed = try fixture.bid("101", by: fixture.bidder)
        // 101.00 and 12.6755 are 113.6755.
        #expect(placed.text("bid.total") == "113.68" && placed.text("room.total") == "113.68")
        #expect(try listed()?.text("total") == "113.68")
        #expect(try fixture.call("GET", "/bids").text("bids.0.total") == "113.68")
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try fixture.call("GET", "/bids?round=2").text("bids.0.total") == "113.68")
        let wins = try fixture.server.call("GET", "/v1/me/wins", by: fixture.bidder).list("wins")
        #expect(
            wins.map { $0.text("total") } == ["113.68", "100.00"] && wins.map { $0.text("price") } == ["101.00", "100.00"])
    }

    @Test func `a premium that is set while an item is prepared is in the list of rooms`() throws {
        let fixture = try RoomFixture()
        try #require(try fixture.call("POST", "/items", RoomFixture.teapot, by: fixture.owner).status == 201)
        let sale: JSONValue = ["mode": "manual", "premium": ["percent": "10"]]
        try #require(try fixture.call("PUT", "/sale", sale, by: fixture.host).status == 200)
        for _ in 0..<2 { try fixture.start() }
        try fixture.bid("100", by: fixture.bidder)
        #expect(try fixture.server.call("GET", "/v1/rooms").list("rooms").first?.text("total") == "110.00")
    }

    @Test func `lists of rooms show the item or the first lot to come, and when the sale starts`() throws {
        let fixture = try RoomFixture()
        func row() throws -> JSONValue? { try fixture.server.call("GET", "/v1/rooms").list("rooms").first }
        #expect(try row()?.at("offer") == nil && row()?.at("startsAt") == nil)
        let picture = try #require(try fixture.uploadPicture("photo.png", by: fixture.owner).text("url"))
        func queue(_ name: String, _ media: [String]) throws -> String {
            let lot: JSONValue = [
                "name": .string(name), "media": .array(media.map { .string($0) }), "rules": ["startingPrice": "10"],
            ]
            return try #require(try fixture.call("POST", "/lots", lot, by: fixture.owner).text("id"))
        }
        let startsAt = fixture.server.clock.text(in: 3600)
        let sale: JSONValue = ["mode": "automatic", "startsAt": .string(startsAt)]
        #expect(try fixture.call("PUT", "/sale", sale, by: fixture.host).status == 200)
        let vase = try queue("Vase", [])
        #expect(try row()?.text("offer.name") == "Vase" && row()?.text("startsAt") == startsAt)
        #expect(try row()?.text("offer.startingPrice") == "10.00" && row()?.at("offer.picture") == nil)
        let changes: JSONValue = ["media": ["https://example.org/vase.jpg", .string(picture)]]
        #expect(try fixture.call("PATCH", "/lots/\(vase)", changes, by: fixture.owner).status == 200)
        #expect(try row()?.text("offer.picture") == picture, "one of another server is shown in the room only")
        let jug = try queue("Jug", [])
        #expect(try row()?.text("offer.name") == "Vase")
        #expect(try fixture.call("PATCH", "/lots/\(jug)", ["before": .string(vase)], by: fixture.host).status == 200)
        #expect(try row()?.text("offer.name") == "Jug")
        #expect(try fixture.call("DELETE", "/lots/\(jug)", by: fixture.owner).status == 200)
        try fixture.call("POST", "/sale/start", by: fixture.host)
        #expect(try row()?.text("itemName") == "Vase" && row()?.text("offer.picture") == picture)
        #expect(try row()?.at("startsAt") == nil)
    }

    @Test func `a round that closes by its countdown or without a bid has the right winner, or none`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.rival)
        try fixture.letClockRun(seconds: 20)
        #expect(try wins(fixture.server, of: fixture.rival) == ["1 Teapot 100.00"])
        try fixture.start()
        try fixture.openBidding()
        try fixture.letClockRun(seconds: 20)
        #expect(try wins(fixture.server, of: fixture.rival) == ["1 Teapot 100.00"])
    }

    @Test func `a sale stays in the buyer's list when the room is left or archived, or the buyer banned`() throws {
        let fixture = try RoomFixture(visibility: "private")
        try sell(fixture, to: fixture.bidder, for: "100")
        try fixture.call("DELETE", "/members/me", by: fixture.bidder)
        #expect(try wins(fixture.server, of: fixture.bidder) == ["1 Teapot 100.00"])
        try fixture.call("PATCH", "/members/\(fixture.bidder.id)", ["banned": true], by: fixture.host)
        try #require(try fixture.call("DELETE", by: fixture.host).status == 204)
        #expect(try wins(fixture.server, of: fixture.bidder) == ["1 Teapot 100.00"])
    }
}
