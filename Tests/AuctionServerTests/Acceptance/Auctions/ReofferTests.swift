import ExactJSON
import Testing

/// Lots that were not sold are offered again, by HTTP.
struct ReofferTests {
    private let fixture: RoomFixture

    init() throws { fixture = try RoomFixture() }

    @Test func `a passed lot is offered again as a new one, and both name each other`() throws {
        let old = try fixture.passLot()
        let path = "/lots/\(old)/reoffer"
        let response = try fixture.call(
            "POST", path, ["rules": ["startingPrice": "80"]], by: fixture.owner, [("Idempotency-Key", "again")])
        #expect(response.status == 201)
        let id = try #require(response.text("id"))
        #expect(response.header("Location") == "\(fixture.path)/lots/\(id)")
        #expect(response.text("offeredBefore") == old && response.json.at("offeredAgain") == .null)
        #expect(response.int("number") == 2 && response.text("reference") == "A-1" && response.text("state") == "queued")
        #expect(response.text("item.condition") == "Worn" && response.text("rules.reservePrice") == "150.00")
        #expect(response.text("rules.startingPrice") == "80.00")
        let before = try fixture.call("GET", "/lots/\(old)", by: fixture.bidder)
        #expect(before.text("offeredAgain") == id && before.json.at("reference") == .null && before.text("state") == "passed")
        #expect(before.text("result.result") == "passed")
        let repeated = try fixture.call(
            "POST", path, ["rules": ["startingPrice": "80"]], by: fixture.owner, [("Idempotency-Key", "again")])
        #expect(repeated.text("id") == id)
        let event = try #require(try fixture.events().last { $0.text("type") == "lot.queued" })
        #expect(event.text("data.offeredBefore") == old && event.at("data.by") == nil)
        try #require(try fixture.call("DELETE", "/lots/\(id)", by: fixture.host).status == 200)
        #expect(try fixture.call("GET", "/lots/\(old)").json.at("offeredAgain") == .null, "that lot was withdrawn")
        let byHost = try fixture.call("POST", path, by: fixture.host)
        #expect(byHost.status == 201 && byHost.json.at("rules.reservePrice") == nil, "the host does not see the reserve price")
        #expect(try fixture.events().last?.text("data.by.id") == fixture.host.id)
    }

    @Test func `every refusal has its code`() throws {
        let old = try fixture.passLot()
        func code(_ body: JSONValue? = nil, lot: String? = nil, by guest: Guest? = nil) throws -> String? {
            try fixture.call("POST", "/lots/\(lot ?? old)/reoffer", body, by: guest ?? fixture.owner).code
        }
        #expect(try code(by: fixture.bidder) == "reoffer.not_yours")
        #expect(try code(lot: "lot_01m7yn51psh16pxpxz9yp3xz7p") == "lot.not_found")
        #expect(try code(["rules": ["startingPrice": "80"]], by: fixture.host) == "reoffer.owner_only")
        let dear = try fixture.call(
            "POST", "/lots/\(old)/reoffer", ["rules": ["startingPrice": "180"]], by: fixture.owner)
        #expect(dear.status == 400 && dear.text("field") == "rules.reservePrice")
        let unknown = try fixture.call("POST", "/lots/\(old)/reoffer", ["price": "1"], by: fixture.owner)
        #expect(unknown.status == 400 && unknown.text("field") == "price")
        let reading = try fixture.call(
            "GET", "/permissions?action=reofferLot&lot=\(old)", by: fixture.owner)
        #expect(reading.json.at("allowed") == true)
        let again = try #require(try fixture.call("POST", "/lots/\(old)/reoffer", by: fixture.owner).text("id"))
        #expect(try code() == "reoffer.again")
        let waiting = try fixture.call("POST", "/lots/\(again)/reoffer", by: fixture.owner)
        #expect(waiting.code == "reoffer.not_ended" && waiting.text("permission.actual") == "queued")
        #expect(waiting.status == 409)
    }
}

extension RoomFixture {
    /// Queues a lot of the owner, which is passed without a bid.
    func passLot() throws -> String {
        let lot: JSONValue = [
            "name": "Vase", "reference": "A-1", "condition": "Worn",
            "rules": ["startingPrice": "100.00", "reservePrice": "150.00", "listingSeconds": 3, "biddingSeconds": 15],
        ]
        let id = try #require(try call("POST", "/lots", lot, by: owner).text("id"))
        try start()
        try start()
        try letClockRun(seconds: 15)
        #expect(try call("GET", "/lots/\(id)").text("state") == "passed")
        return id
    }
}
