import ExactJSON
import Testing

/// The host voids a sale, by HTTP.
struct VoidTests {
    private struct NoResult: Error {}

    private let fixture: RoomFixture

    init() throws { fixture = try RoomFixture() }

    @Test func `a voided sale is marked in the results, and in no total`() throws {
        let premium: JSONValue = ["mode": "manual", "premium": ["percent": "10"]]
        try #require(try fixture.call("PUT", "/sale", premium, by: fixture.host).status == 200)
        let lot = try fixture.sellLot()
        #expect(try fixture.server.call("GET", "/v1/me/wins", by: fixture.bidder).list("wins").count == 1)
        let voided = try fixture.call("POST", "/results/1/void", ["reason": "Not <paid>."], by: fixture.host)
        #expect(voided.status == 200)
        #expect(voided.text("winner.id") == fixture.bidder.id && voided.text("price") == "100.00")
        #expect(voided.json.at("total") == .null && voided.json.at("premium") == .null && voided.text("result") == "sold")
        #expect(voided.text("voided.reason") == "Not <paid>." && voided.text("voided.by.id") == fixture.host.id)
        #expect(voided.text("voided.winner.id") == fixture.bidder.id && voided.text("voided.price") == "100.00")
        guard case .object(let members) = voided.json else { throw NoResult() }
        let row = JSONValue.object(members.filter { $0.name != "receipt" })
        #expect(try fixture.call("GET", "/results").list("results").first == row)
        #expect(try fixture.server.call("GET", "/v1/me/wins", by: fixture.bidder).list("wins").isEmpty)
        let shown = try fixture.call("GET", "/lots/\(lot)")
        #expect(shown.text("state") == "voided" && shown.text("result.voided.reason") == "Not <paid>.")
        #expect(try fixture.call("GET", "/lots?state=voided").list("lots").count == 1)
        let csv = try fixture.call("GET", "/results.csv?bom=false").bodyText.split(separator: "\r\n")
        #expect(csv[0].hasSuffix(",voidedAt,voidReason") && csv[1].hasSuffix(",Not <paid>."))
        let page = try fixture.call("GET", "/results.html").bodyText
        #expect(page.contains("<tr class=\"v\">") && page.contains("Voided: Not &lt;paid&gt;."))
        #expect(page.contains("0 sold, 0 passed, 1 voided") && !page.contains("class=\"buyers\""))
        let event = try #require(try fixture.events().first { $0.text("type") == "item.voided" })
        #expect(event.int("data.round") == 1 && event.text("data.lotId") == lot && event.text("data.item.name") == "Vase")
        let again = try fixture.call("POST", "/results/1/void", ["reason": "Twice."], by: fixture.host)
        #expect(again.json == voided.json, "it is void already")
        #expect(try fixture.call("POST", "/lots/\(lot)/reoffer", by: fixture.host).status == 201)
    }

    @Test func `every refusal has its code`() throws {
        func code(_ round: String, _ body: JSONValue = ["reason": "Not paid."], by guest: Guest? = nil) throws -> String? {
            try fixture.call("POST", "/results/\(round)/void", body, by: guest ?? fixture.host).code
        }
        for round in ["1", "0", "-1", "x", "99999999999999999999"] { #expect(try code(round) == "result.not_found") }
        #expect(try code("1", by: fixture.bidder) == "void.not_host")
        #expect(try code("1", [:]) == "request.malformed")
        #expect(try code("1", ["reason": " "]) == "request.malformed")
        let reason = String(repeating: "竞", count: 500)
        let long = try fixture.call("POST", "/results/1/void", ["reason": .string(reason + "x")], by: fixture.host)
        #expect(long.status == 400 && long.text("field") == "reason")
        #expect(try code("1", ["reason": .string(reason)]) == "result.not_found", "as long as a reason may be")
        try fixture.openBidding()
        try fixture.letClockRun(seconds: 15)
        #expect(try code("1") == "result.not_sold")
    }
}

extension RoomFixture {
    /// Sells a lot of the owner to the bidder for 100.00, after which the room is closed.
    func sellLot() throws -> String {
        let lot: JSONValue = [
            "name": "Vase", "reference": "A-1", "rules": ["startingPrice": "80.00", "increment": ["fixed": "10.00"]],
        ]
        let id = try #require(try call("POST", "/lots", lot, by: owner).text("id"))
        try start()
        try start()
        try #require(try bid("80", by: bidder).status == 201)
        try #require(try bid("90", by: rival).status == 201)
        try #require(try bid("100", by: bidder).status == 201)
        try letClockRun(seconds: 15)
        return id
    }
}
