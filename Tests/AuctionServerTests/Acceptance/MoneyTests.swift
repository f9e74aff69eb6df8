import ExactJSON
import Testing

struct MoneyTests {
    @Test func `amounts are read exactly, from strings and from numbers`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let amounts: [(JSONValue, String)] = [
            ("100", "100.00"), (.number("110.10"), "110.10"), ("120.1", "120.10"), (.number("131"), "131.00"),
            (.number("1000000000000.07"), "1000000000000.07"), ("90071992547409.91", "90071992547409.91"),
        ]
        for (index, (sent, shown)) in amounts.enumerated() {
            let answer = try scene.bid(sent, by: index.isMultiple(of: 2) ? scene.bidder : scene.rival)
            #expect(answer.status == 201, "\(sent.written)")
            #expect(answer.text("bid.amount") == shown)
        }
        #expect(try scene.room().text("currentPrice") == "90071992547409.91")
    }

    @Test(arguments: [
        #""100.001""#, "100.001", #""-100""#, "-100", #""+100""#, #""1e3""#, "1e3", "1E2", #""0""#, "0", "0.00", #""0.00""#,
        #""NaN""#, #""Infinity""#, #""90071992547409.92""#, "90071992547409.92", #""99999999999999999999999999""#,
        "99999999999999999999999999", #""""#, #"" 100""#, #""100 ""#, #""100.""#, #"".5""#, #""1,000""#, #""１００""#, "true",
        "[]",
        "null", "{}",
    ])
    func `what is not an amount of the currency is refused, never rounded`(_ literal: String) throws {
        let scene = try Scene()
        try scene.openBidding()
        let before = try scene.seq()
        let answer = try scene.house.call(
            "POST", scene.path + "/bids", raw: "{\"amount\":\(literal)}", by: scene.bidder)
        #expect(answer.status == 400)
        #expect(answer.code == "money.malformed")
        #expect(answer.text("field") == "amount")
        #expect(try scene.seq() == before)
    }

    @Test func `a currency without fraction digits takes none, one with three takes three`() throws {
        let yen = try Scene(currency: "JPY")
        let cup: JSONValue = ["name": "Cup", "rules": ["startingPrice": "500", "listingSeconds": 0]]
        try yen.upload(cup)
        #expect(try yen.room().text("nextMinimum") == "500")
        #expect(try yen.room().text("rules.increment.fixed") == "1")
        try yen.start()
        #expect(try yen.bid("500.0", by: yen.bidder).code == "money.malformed")
        #expect(try yen.bid(500, by: yen.bidder).text("bid.amount") == "500")

        let dinar = try Scene(currency: "KWD")
        try dinar.upload(cup)
        try dinar.start()
        #expect(try dinar.bid("500.125", by: dinar.bidder).text("bid.amount") == "500.125")
        #expect(try dinar.bid("501.1255", by: dinar.rival).code == "money.malformed")
    }

    @Test func `a room's currency is one of ISO 4217`() throws {
        let house = try House()
        let host = try house.guest("Hana")
        #expect(try house.call("POST", "/v1/rooms", ["name": "x"], by: host).text("currency") == "CNY")
        for code: JSONValue in ["XXX", "cny", "", "EURO", 156] {
            let answer = try house.call("POST", "/v1/rooms", ["name": "x", "currency": code], by: host)
            #expect(answer.status == 400)
            #expect(answer.text("field") == "currency")
        }
    }

    @Test func `a bid near the greatest amount leaves a next minimum that can be shown`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let answer = try scene.bid("90071992547409.91", by: scene.bidder)
        #expect(answer.text("room.nextMinimum") == "90071992547409.91")
    }
}
