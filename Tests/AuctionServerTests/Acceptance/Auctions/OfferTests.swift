import ExactJSON
import Testing

/// The item of a voided sale is offered to the next bidder, by HTTP.
struct OfferTests {
    private let fixture: RoomFixture

    init() throws { fixture = try RoomFixture() }

    private func voidWithOffer() throws -> HTTPResponse {
        try fixture.call("POST", "/results/1/void", ["reason": "Not paid.", "offerTo": "next"], by: fixture.host)
    }

    @Test func `the bidder sees the offer, and accepts it`() throws {
        let premium: JSONValue = ["mode": "manual", "premium": ["percent": "10"]]
        try #require(try fixture.call("PUT", "/sale", premium, by: fixture.host).status == 200)
        let lot = try fixture.sellLot()
        #expect(try fixture.room(as: fixture.rival).list("me.offers").isEmpty)
        let voided = try voidWithOffer()
        #expect(voided.status == 200 && voided.text("offer.to.id") == fixture.rival.id && voided.text("offer.price") == "90.00")
        let offer = try #require(try fixture.room(as: fixture.rival).list("me.offers").first)
        let id = try #require(offer.text("id"))
        #expect(voided.text("offer.id") == id && offer.text("item.name") == "Vase" && offer.text("lotId") == lot)
        #expect(offer.text("price") == "90.00" && offer.text("total") == "99.00" && offer.int("round") == 1)
        #expect(offer.text("expiresAt") == voided.text("offer.expiresAt"))
        #expect(try fixture.room(as: fixture.bidder).list("me.offers").isEmpty)
        let accepted = try fixture.call("POST", "/offers/\(id)/accept", by: fixture.rival, [("Idempotency-Key", "yes")])
        #expect(accepted.status == 200 && accepted.text("winner.id") == fixture.rival.id && accepted.text("total") == "99.00")
        #expect(accepted.text("voided.winner.id") == fixture.bidder.id && accepted.json.at("offer") == .null)
        let again = try fixture.call("POST", "/offers/\(id)/accept", by: fixture.rival, [("Idempotency-Key", "yes")])
        #expect(again.json == accepted.json)
        let wins = try fixture.server.call("GET", "/v1/me/wins", by: fixture.rival).list("wins")
        #expect(wins.map { $0.text("price") } == ["90.00"] && wins.map { $0.text("total") } == ["99.00"])
        #expect(try fixture.server.call("GET", "/v1/me/wins", by: fixture.bidder).list("wins").isEmpty)
        #expect(try fixture.call("GET", "/lots/\(lot)").text("state") == "sold")
        let page = try fixture.call("GET", "/results.html").bodyText
        #expect(page.contains("1 sold, 0 passed ·") && page.contains("90.00") && !page.contains("100.00"))
        let types = try fixture.events().compactMap { $0.text("type") }.filter { $0.hasPrefix("offer.") }
        #expect(types == ["offer.made", "offer.accepted"])
    }

    @Test func `an offer is declined, or expires`() throws {
        _ = try fixture.sellLot()
        let id = try #require(try voidWithOffer().text("offer.id"))
        let declined = try fixture.call("POST", "/offers/\(id)/decline", by: fixture.rival)
        #expect(declined.status == 200 && declined.json.at("total") == .null && declined.json.at("offer") == .null)
        let other = try RoomFixture(fixture.server)
        _ = try other.sellLot()
        let late = try #require(
            try other.call("POST", "/results/1/void", ["reason": "Not paid.", "offerTo": "next"], by: other.host).text(
                "offer.id"))
        try other.letClockRun(seconds: 600)
        #expect(try other.call("POST", "/offers/\(late)/accept", by: other.rival).code == "offer.not_found")
        #expect(try other.events().last?.text("type") == "offer.expired")
        #expect(try other.room(as: other.rival).list("me.offers").isEmpty)
    }

    @Test func `every refusal has its code`() throws {
        _ = try fixture.sellLot()
        let wrong = try fixture.call("POST", "/results/1/void", ["reason": "x", "offerTo": "all"], by: fixture.host)
        #expect(wrong.status == 400 && wrong.text("field") == "offerTo")
        let id = try #require(try voidWithOffer().text("offer.id"))
        func code(_ id: String, by guest: Guest) throws -> String? {
            try fixture.call("POST", "/offers/\(id)/accept", by: guest).code
        }
        #expect(try code(id, by: fixture.bidder) == "offer.not_yours")
        #expect(try code("offer_01m7yn51psh16pxpxz9yp3xz7t", by: fixture.rival) == "offer.not_found")
        #expect(try code("x", by: fixture.rival) == "offer.not_found")
        #expect(try voidWithOffer().code == "offer.made_before")
        #expect(try fixture.call("DELETE", "", by: fixture.host).code == "room.offer_open")
        try #require(
            try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["creditLimit": "89.99"], by: fixture.host).status == 200)
        let poor = try fixture.call("POST", "/offers/\(id)/accept", by: fixture.rival)
        #expect(poor.status == 422 && poor.code == "offer.over_credit" && poor.text("permission.actual") == "90.00")
    }
}
