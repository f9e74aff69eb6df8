import ExactJSON
import Testing

struct MoneyTests {
    @Test func `amounts are parsed exactly, from strings and numbers`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let amounts: [(JSONValue, String)] = [
            ("100", "100.00"), (.number("110.10"), "110.10"), ("120.1", "120.10"), (.number("131"), "131.00"),
            (.number("1000000000000.07"), "1000000000000.07"), ("90071992547409.91", "90071992547409.91"),
        ]
        for (index, (sent, shown)) in amounts.enumerated() {
            let response = try fixture.bid(sent, by: index.isMultiple(of: 2) ? fixture.bidder : fixture.rival)
            #expect(response.status == 201, "\(sent.written)")
            #expect(response.text("bid.amount") == shown)
        }
        #expect(try fixture.room().text("currentPrice") == "90071992547409.91")
    }

    @Test(arguments: [
        #""100.001""#, "100.001", #""-100""#, "-100", #""+100""#, #""1e3""#, "1e3", "1E2", #""0""#, "0", "0.00", #""0.00""#,
        #""NaN""#, #""Infinity""#, #""90071992547409.92""#, "90071992547409.92", #""99999999999999999999999999""#,
        "99999999999999999999999999", #""""#, #"" 100""#, #""100 ""#, #""100.""#, #"".5""#, #""1,000""#, #""１００""#, "true",
        "[]",
        "null", "{}",
    ])
    func `an invalid amount is refused and never rounded`(_ literal: String) throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let before = try fixture.seq()
        let response = try fixture.server.call(
            "POST", fixture.path + "/bids", raw: "{\"amount\":\(literal)}", by: fixture.bidder)
        #expect(response.status == 400)
        #expect(response.code == "money.malformed")
        #expect(response.text("field") == "amount")
        #expect(try fixture.seq() == before)
    }

    @Test func `amounts have as many fraction digits as their currency`() throws {
        let yen = try RoomFixture(currency: "JPY")
        let cup: JSONValue = ["name": "Cup", "rules": ["startingPrice": "500", "listingSeconds": 0]]
        try yen.upload(cup)
        #expect(try yen.room().text("nextMinimum") == "500")
        #expect(try yen.room().text("rules.increment.fixed") == "1")
        try yen.start()
        #expect(try yen.bid("500.0", by: yen.bidder).code == "money.malformed")
        #expect(try yen.bid(500, by: yen.bidder).text("bid.amount") == "500")

        let dinar = try RoomFixture(currency: "KWD")
        try dinar.upload(cup)
        try dinar.start()
        #expect(try dinar.bid("500.125", by: dinar.bidder).text("bid.amount") == "500.125")
        #expect(try dinar.bid("501.1255", by: dinar.rival).code == "money.malformed")
    }

    @Test func `a room's currency must be an ISO 4217 code`() throws {
        let server = try TestServer()
        let host = try server.guest("Hana")
        #expect(try server.call("POST", "/v1/rooms", ["name": "x"], by: host).text("currency") == "CNY")
        for code: JSONValue in ["XXX", "cny", "", "EURO", 156] {
            let response = try server.call("POST", "/v1/rooms", ["name": "x", "currency": code], by: host)
            #expect(response.status == 400)
            #expect(response.text("field") == "currency")
        }
    }

    @Test func `after a bid of the maximum amount the next minimum is still a valid amount`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let response = try fixture.bid("90071992547409.91", by: fixture.bidder)
        #expect(response.text("room.nextMinimum") == "90071992547409.91")
    }
}
