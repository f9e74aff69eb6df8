import ExactJSON
import Testing

/// Two people have left bids on a lot that opens: what each of them sees of it by HTTP, and what other users do not.
struct AbsenteeOpeningTests {
    /// The highest maximum, as an amount and in minor units.
    private static let hidden = ["347.91", "34791"]

    private let fixture: RoomFixture
    private let lot: String

    init() throws {
        fixture = try RoomFixture()
        let item: JSONValue = [
            "name": "Vase", "rules": ["startingPrice": "100", "increment": ["fixed": "10"], "listingSeconds": 3],
        ]
        lot = try #require(try fixture.call("POST", "/lots", item, by: fixture.owner).text("id"))
        #expect(try leave("222.22", by: fixture.bidder).status == 201)
        #expect(try leave("347.91", by: fixture.rival).status == 201)
    }

    private func leave(_ maximum: JSONValue, by guest: Guest) throws -> HTTPResponse {
        try fixture.call("PUT", "/lots/\(lot)/bid", ["maximum": maximum], by: guest)
    }

    private func states() throws -> [String?] {
        try [fixture.bidder, fixture.rival].map { try fixture.call("GET", "/lots/\(lot)", by: $0).text("myBid.state") }
    }

    /// Whether any answer to another than its bidder has the hidden maximum.
    private func expectSecret(_ location: SourceLocation = #_sourceLocation) throws {
        let paths = [
            "", "/lots", "/lots/\(lot)", "/bids", "/bids?round=1", "/results", "/results.csv", "/results.ndjson",
            "/results.html",
            "/events?after=0&limit=256", "/members",
        ]
        for guest in [fixture.host, fixture.owner, fixture.bidder, fixture.viewer, fixture.stranger, nil] {
            for path in paths {
                let seen = try fixture.call("GET", path, by: guest)
                for text in Self.hidden {
                    #expect(
                        !seen.bodyText.contains(text), "\(path) to \(guest?.nickname ?? "a reader without a token")",
                        sourceLocation: location)
                }
            }
        }
        for guest in [fixture.host, fixture.owner, fixture.bidder, fixture.viewer, fixture.stranger] {
            let refusals = [
                try fixture.bid("1", by: guest), try leave("1", by: guest), try leave("9999", by: guest),
                try fixture.call("GET", "/permissions?action=placeBid&explain=true&amount=1", by: guest),
            ]
            for refused in refusals {
                for text in Self.hidden { #expect(!refused.bodyText.contains(text), sourceLocation: location) }
            }
        }
    }

    @Test func `they act when the lot opens, their bidders see how they stand, and the highest maximum stays secret`() throws {
        #expect(try states() == ["standing", "standing"])
        try fixture.start()
        try fixture.start()
        let bids = try fixture.events().filter { $0.text("type") == "bid.placed" }
        #expect(bids.map { $0.text("data.bidder.id") } == [fixture.bidder.id, fixture.rival.id])
        #expect(bids.map { $0.text("data.amount") } == ["222.22", "232.22"])
        for bid in bids { #expect(bid.at("data.automatic") == true && bid.at("data.absentee") == true) }
        #expect(try states() == ["outbid", "leading"])
        #expect(try fixture.room(as: fixture.rival).text("currentPrice") == "232.22")
        #expect(try fixture.call("GET", "/lots/\(lot)", by: fixture.rival).text("myBid.maximum") == "347.91")
        try expectSecret()
        try fixture.letClockRun(seconds: 20)
        #expect(try fixture.state() == "closed")
        #expect(try states() == ["lost", "won"])
        #expect(try fixture.call("GET", "/results", by: fixture.host).text("results.0.price") == "232.22")
        try expectSecret()
    }
}
