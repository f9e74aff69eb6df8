import ExactJSON
import Testing

/// Adjusting an item's rules while the room is preparing; only the item's owner may change its prices.
struct AdjustRulesTests {
    private func adjust(_ fixture: RoomFixture, _ rules: JSONValue, by guest: Guest, item: String? = nil) throws -> HTTPResponse
    {
        let item = try item ?? (try #require(try fixture.room().text("item.id")))
        return try fixture.call("PATCH", "/items/\(item)", ["rules": rules], by: guest)
    }

    @Test func `named fields change, omitted fields stay, and null removes a field`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let first = try adjust(
            fixture, ["increment": ["percent": .number("2.5")], "maxDurationSeconds": 600, "countdown": "extend"],
            by: fixture.host)
        #expect(first.status == 200)
        #expect(first["rules.increment"] == ["percent": .number("2.5")])
        #expect(first.text("rules.startingPrice") == "100.00")
        #expect(first.int("rules.maxDurationSeconds") == 600)
        let second = try adjust(fixture, ["maxDurationSeconds": nil], by: fixture.owner)
        #expect(second.isNull("rules.maxDurationSeconds"))
        #expect(second.text("rules.countdown") == "extend")
        #expect(try fixture.events().last?.text("type") == "rules.adjusted")
        let seq = try fixture.seq()
        #expect(try adjust(fixture, ["countdown": "extend"], by: fixture.host).status == 200)
        #expect(try fixture.seq() == seq, "no event without a change")
    }

    @Test func `the reserve price is shown to the owner only`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let response = try adjust(fixture, ["reservePrice": "777.77", "buyNowPrice": "999"], by: fixture.owner)
        #expect(response.text("rules.reservePrice") == "777.77")
        #expect(try fixture.room(as: fixture.owner).text("rules.reservePrice") == "777.77")
        try fixture.start()
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        for guest in [fixture.host, fixture.bidder, fixture.viewer, fixture.stranger] {
            for tail in ["", "/events?limit=256", "/results", "/permissions", "/bids"] {
                #expect(try !fixture.call("GET", tail, by: guest).bodyText.contains("777.77"), "\(tail)")
            }
            #expect(try fixture.room(as: guest)["reserveMet"] == false)
        }
        try fixture.bid("800", by: fixture.rival)
        #expect(try fixture.call("GET")["reserveMet"] == true)
    }

    @Test func `an item whose bids stay below the reserve price is passed`() throws {
        let fixture = try RoomFixture()
        try fixture.upload(["name": "Vase", "rules": ["startingPrice": "100", "reservePrice": "500"]])
        try fixture.start()
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.letClockRun(seconds: 15)
        let result = try fixture.call("GET", "/results")
        #expect(result.text("results.0.reason") == "reserve_not_met")
        #expect(!result.bodyText.contains("500.00"))
    }

    @Test func `the owner adjusts all rules, the host all but prices, other users none`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        for rules: JSONValue in [["reservePrice": "500"], ["startingPrice": "1"], ["buyNowPrice": nil]] {
            let response = try adjust(fixture, rules, by: fixture.host)
            #expect(response.status == 403)
            #expect(response.code == "rules.owner_only")
        }
        #expect(try adjust(fixture, ["biddingSeconds": 20], by: fixture.bidder).code == "rules.not_yours")
        try fixture.start()
        let late = try adjust(fixture, ["biddingSeconds": 20], by: fixture.owner)
        #expect(late.status == 409)
        #expect(late.code == "rules.not_preparing")
    }

    /// Each adjustable field, with a value that some format accepts.
    private static let adjustments: [JSONValue] = [
        ["startingPrice": "101"], ["increment": ["percent": 5]], ["reservePrice": "200"], ["reservePrice": nil],
        ["buyNowPrice": "900"], ["floorPrice": "50"], ["listingSeconds": 5], ["biddingSeconds": 20], ["countdown": "fixed"],
        ["extendWindowSeconds": 7], ["extendBySeconds": 7], ["maxDurationSeconds": 600], ["dutchTickSeconds": 5],
        ["tie": "draw"], ["format": "english"], ["format": "dutch"], ["format": "dutch", "dutchTickSeconds": 5],
        ["format": "vickrey"], ["format": "sealedFirstPrice", "tie": "draw"],
    ]

    @Test(arguments: ["english", "vickrey", "sealedFirstPrice"])
    func `no response discloses to the host whether a reserve price is set`(_ format: String) throws {
        let asked = ["", "&amount=5", "&explain=true"].map { "/permissions?action=adjustRules\($0)" }
        let pairs = try [nil, "150"].map { reserve in
            let fixture = try RoomFixture()
            var rules: [String: JSONValue] = ["startingPrice": "100", "format": .string(format)]
            if let reserve { rules["reservePrice"] = .string(reserve) }
            let members = rules.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: $0.value) }
            var responses: [String] = []
            for adjustment in Self.adjustments {
                try fixture.upload(["name": "Vase", "rules": .object(members)])
                let response = try adjust(fixture, adjustment, by: fixture.host)
                let words = "\(response.code ?? "") \(response.text("detail") ?? "") \(response.text("field") ?? "")"
                responses.append("\(response.status) \(words) \(response["rules"] ?? .null)")
            }
            for question in asked {
                let response = try fixture.call("GET", question, by: fixture.host)
                responses.append("\(response.status) \(response["allowed"] ?? .null) \(response["trace"] ?? .null)")
            }
            return responses
        }
        for (without, with) in zip(pairs[0], pairs[1]) { #expect(without == with) }
    }

    @Test func `inconsistent or unknown rules are refused with the field's name`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let cases: [(JSONValue, String)] = [
            ([:], "rules"), (["reservePrice": "99.99"], "rules.reservePrice"), (["buyNowPrice": "50"], "rules.buyNowPrice"),
            (["biddingSeconds": 0], "rules.biddingSeconds"), (["format": "lottery"], "rules.format"),
            (["tie": "random"], "rules.tie"), (["increment": ["tiers": []]], "rules.increment.tiers"),
            (["increment": ["percent": 0]], "rules.increment.percent"), (["floor": "1"], "rules.floor"),
            (["startingPrice": "0"], "rules.startingPrice"), (["extendBySeconds": 3601], "rules.extendBySeconds"),
        ]
        for (rules, field) in cases {
            let response = try adjust(fixture, rules, by: fixture.owner)
            #expect(response.status == 400, "\(rules)")
            #expect(response.text("field") == field, "\(rules)")
        }
        #expect(try adjust(fixture, ["tie": "draw"], by: fixture.owner, item: "item_nothing").code == "item.not_found")
        let other = "item_00000000000000000000000000"
        #expect(try adjust(fixture, ["tie": "draw"], by: fixture.owner, item: other).code == "item.not_found")
    }

    @Test func `an item with inconsistent rules is refused before the caller's permission is checked`() throws {
        let fixture = try RoomFixture()
        let response = try fixture.call(
            "POST", "/items", ["name": "Vase", "rules": ["startingPrice": "100", "reservePrice": "50"]], by: fixture.viewer)
        #expect(response.status == 400)
        #expect(response.text("field") == "rules.reservePrice")
    }
}
