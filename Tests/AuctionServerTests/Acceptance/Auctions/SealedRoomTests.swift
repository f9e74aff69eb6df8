import ExactJSON
import Testing

/// The amount of a sealed bid is shown to its bidder only: in responses, events and problems.
struct SealedRoomTests {
    private func open(_ format: String, reserve: String? = nil) throws -> RoomFixture {
        let fixture = try RoomFixture()
        var rules: [JSONMember] = [
            JSONMember(name: "startingPrice", value: "100"), JSONMember(name: "format", value: .string(format)),
            JSONMember(name: "countdown", value: "fixed"), JSONMember(name: "biddingSeconds", value: 60),
        ]
        if let reserve { rules.append(JSONMember(name: "reservePrice", value: .string(reserve))) }
        try fixture.upload(["name": "Letter", "rules": .object(rules)])
        try fixture.start()
        try fixture.start()
        return fixture
    }

    /// Everything that a user can read about the room, as one text.
    private func reading(_ fixture: RoomFixture, as guest: Guest) throws -> String {
        try ["", "/bids", "/events?limit=256", "/results", "/permissions", "/members"].map { tail in
            try fixture.call("GET", tail, by: guest).bodyText
        }.joined()
    }

    @Test(arguments: ["sealedFirstPrice", "vickrey"])
    func `while bids are sealed, an amount is shown to its bidder only`(format: String) throws {
        let fixture = try open(format, reserve: "345.67")
        let response = try fixture.bid("234.56", by: fixture.bidder)
        #expect(response.status == 201)
        #expect(response.text("bid.amount") == "234.56")
        #expect(response.isNull("room.currentPrice"))
        #expect(response.isNull("room.currentBid"))
        #expect(try fixture.bid("456.78", by: fixture.rival).status == 201)
        #expect(try fixture.room(as: fixture.bidder).text("me.sealedAmount") == "234.56")
        #expect(try fixture.room(as: fixture.bidder)["me.leading"] == false)
        #expect(try fixture.room(as: fixture.bidder).isNull("reserveMet"))
        #expect(try fixture.call("GET", "/bids", by: fixture.bidder).list("bids").map { $0.text("amount") } == [nil, "234.56"])
        for guest in [fixture.host, fixture.owner, fixture.viewer, fixture.stranger, fixture.rival] {
            let text = try reading(fixture, as: guest)
            #expect(!text.contains("234.56"))
            #expect(text.contains("456.78") == (guest.id == fixture.rival.id))
            #expect(text.contains("345.67") == (guest.id == fixture.owner.id), "the owner may read the reserve price")
        }
    }

    @Test(arguments: ["sealedFirstPrice", "vickrey"])
    func `lists of rooms have the price of a sealed round from its close on`(format: String) throws {
        let fixture = try open(format)
        try fixture.bid("234.56", by: fixture.bidder)
        try fixture.bid("456.78", by: fixture.rival)
        func listed() throws -> HTTPResponse { try fixture.server.call("GET", "/v1/rooms", by: fixture.host) }
        #expect(try listed().isNull("rooms.0.currentPrice"))
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let price = try #require(try fixture.room().text("currentPrice"))
        #expect(price == (format == "vickrey" ? "234.56" : "456.78"))
        #expect(try listed().text("rooms.0.currentPrice") == price)
        let room = try fixture.room(as: fixture.rival)
        #expect(room.text("currentBid.bidder.id") == fixture.rival.id)
        #expect(room.text("currentBid.amount") == price, "at the price that they pay")
        #expect(room.text("currentBid.id") == (try fixture.call("GET", "/bids").text("bids.0.id")))
        #expect(room["me.leading"] == true)
        try fixture.start()
        #expect(try fixture.room().isNull("currentBid"))
    }

    @Test func `a bidder's next minimum depends on their own sealed bid only`() throws {
        let fixture = try open("sealedFirstPrice")
        try fixture.bid("200", by: fixture.bidder)
        #expect(try fixture.room(as: fixture.bidder).text("nextMinimum") == "200.01")
        #expect(try fixture.room(as: fixture.rival).text("nextMinimum") == "100.00")
        #expect(try fixture.call("GET").text("nextMinimum") == "100.00")
        let low = try fixture.bid("150", by: fixture.bidder)
        #expect(low.code == "bid.below_minimum")
        #expect(try fixture.bid("150", by: fixture.rival).status == 201)
        let replaced = try fixture.bid("300", by: fixture.bidder)
        #expect(replaced.text("room.nextMinimum") == "300.01")
    }

    @Test func `the draw seed of a round has 128 random bits: neither half can be derived from the other`() throws {
        let fixture = try RoomFixture()
        try fixture.upload([
            "name": "Letter", "rules": ["startingPrice": "100", "format": "vickrey", "tie": "draw", "biddingSeconds": 5],
        ])
        try fixture.start()
        try fixture.start()
        try fixture.letClockRun(seconds: 5)
        let revealed = try #require(try fixture.events().last { $0.text("type") == "draw.revealed" })
        let digits = try #require(revealed.text("data.seed"))
        let seed = try #require(UInt128(digits, radix: 16))
        let (high, low) = (UInt64(seed >> 64), UInt64(truncatingIfNeeded: seed))
        #expect(low != Self.wordAfter(high), "the halves must not be consecutive outputs of one generator")
    }

    /// The output of SplitMix64 that follows `word`, by inverting its steps.
    private static func wordAfter(_ word: UInt64) -> UInt64 {
        func unshifted(_ word: UInt64, by shift: UInt64) -> UInt64 {
            var found = word
            for _ in 0..<3 { found = word ^ (found >> shift) }
            return found
        }
        var state = unshifted(word, by: 31) &* 0x3196_42B2_D24D_8EC3
        state = unshifted(state, by: 27) &* 0x96DE_1B17_3F11_9089
        state = unshifted(state, by: 30) &+ 0x9E37_79B9_7F4A_7C15
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return state ^ (state >> 31)
    }

    @Test func `a closed first-price round shows all amounts`() throws {
        let fixture = try open("sealedFirstPrice")
        try fixture.bid("234.56", by: fixture.bidder)
        try fixture.bid("456.78", by: fixture.rival)
        try fixture.letClockRun(seconds: 60)
        #expect(try fixture.call("GET", "/results").text("results.0.price") == "456.78")
        #expect(try fixture.room(as: fixture.rival).text("currentPrice") == "456.78")
        #expect(try fixture.call("GET", "/bids").list("bids").map { $0.text("amount") } == ["456.78", "234.56"])
    }

    @Test func `the winning amount of a Vickrey round stays sealed after the close`() throws {
        let fixture = try open("vickrey")
        try fixture.bid("234.56", by: fixture.bidder)
        try fixture.bid("456.78", by: fixture.rival)
        try fixture.letClockRun(seconds: 60)
        #expect(try fixture.call("GET", "/results").text("results.0.price") == "234.56")
        #expect(try fixture.room(as: fixture.rival).text("currentPrice") == "234.56")
        try fixture.start()
        for tail in ["/bids?round=1", "/results", "/results.csv", "/events?limit=256"] {
            #expect(try !fixture.call("GET", tail, by: fixture.host).bodyText.contains("456.78"), "\(tail)")
        }
        #expect(try fixture.call("GET", "/bids?round=1").list("bids").map { $0.text("amount") } == [nil, "234.56"])
        #expect(
            try fixture.call("GET", "/bids?round=1", by: fixture.rival).list("bids").map { $0.text("amount") }
                == ["456.78", "234.56"])
    }

    @Test func `a sealed round accepts neither a maximum nor a buy-now price`() throws {
        let fixture = try open("sealedFirstPrice")
        let response = try fixture.call("POST", "/bids", ["amount": "200", "maximum": "300"], by: fixture.bidder)
        #expect(response.status == 400)
        #expect(response.text("field") == "maximum")
        let other = try RoomFixture()
        let item = try other.call(
            "POST", "/items",
            ["name": "Letter", "rules": ["startingPrice": "100", "buyNowPrice": "200", "format": "vickrey"]], by: other.owner)
        #expect(item.status == 400)
        #expect(item.text("field") == "rules.buyNowPrice")
    }
}
