import ExactJSON
import Testing

/// The rules of an item change while the room is preparing; its prices are the owner's.
struct AdjustRulesTests {
    private func adjust(_ scene: Scene, _ rules: JSONValue, by guest: Guest, item: String? = nil) throws -> HTTPAnswer {
        let item = try item ?? (try #require(try scene.room().text("item.id")))
        return try scene.call("PATCH", "/items/\(item)", ["rules": rules], by: guest)
    }

    @Test func `what is named changes, what is left out stays, and a null removes`() throws {
        let scene = try Scene()
        try scene.upload()
        let first = try adjust(
            scene, ["increment": ["percent": .number("2.5")], "maxDurationSeconds": 600, "countdown": "extend"],
            by: scene.host)
        #expect(first.status == 200)
        #expect(first["rules.increment"] == ["percent": .number("2.5")])
        #expect(first.text("rules.startingPrice") == "100.00")
        #expect(first.int("rules.maxDurationSeconds") == 600)
        let second = try adjust(scene, ["maxDurationSeconds": nil], by: scene.owner)
        #expect(second.isNull("rules.maxDurationSeconds"))
        #expect(second.text("rules.countdown") == "extend")
        #expect(try scene.events().last?.text("type") == "rules.adjusted")
        let seq = try scene.seq()
        #expect(try adjust(scene, ["countdown": "extend"], by: scene.host).status == 200)
        #expect(try scene.seq() == seq, "what changes nothing is no event")
    }

    @Test func `the reserve is shown to the owner and to nobody else`() throws {
        let scene = try Scene()
        try scene.upload()
        let answer = try adjust(scene, ["reservePrice": "777.77", "buyNowPrice": "999"], by: scene.owner)
        #expect(answer.text("rules.reservePrice") == "777.77")
        #expect(try scene.room(as: scene.owner).text("rules.reservePrice") == "777.77")
        try scene.start()
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        for guest in [scene.host, scene.bidder, scene.viewer, scene.stranger] {
            for tail in ["", "/events?limit=256", "/results", "/permissions", "/bids"] {
                #expect(try !scene.call("GET", tail, by: guest).bodyText.contains("777.77"), "\(tail)")
            }
            #expect(try scene.room(as: guest)["reserveMet"] == false)
        }
        try scene.bid("800", by: scene.rival)
        #expect(try scene.call("GET")["reserveMet"] == true)
    }

    @Test func `below the reserve the item passes`() throws {
        let scene = try Scene()
        try scene.upload(["name": "Vase", "rules": ["startingPrice": "100", "reservePrice": "500"]])
        try scene.start()
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        try scene.letClockRun(seconds: 15)
        let result = try scene.call("GET", "/results")
        #expect(result.text("results.0.reason") == "reserve_not_met")
        #expect(!result.bodyText.contains("500.00"))
    }

    @Test func `prices are the owner's, everything is theirs and the host's, nothing a stranger's`() throws {
        let scene = try Scene()
        try scene.upload()
        for rules: JSONValue in [["reservePrice": "500"], ["startingPrice": "1"], ["buyNowPrice": nil]] {
            let answer = try adjust(scene, rules, by: scene.host)
            #expect(answer.status == 403)
            #expect(answer.code == "rules.owner_only")
        }
        #expect(try adjust(scene, ["biddingSeconds": 20], by: scene.bidder).code == "rules.not_yours")
        try scene.start()
        let late = try adjust(scene, ["biddingSeconds": 20], by: scene.owner)
        #expect(late.status == 409)
        #expect(late.code == "rules.not_preparing")
    }

    /// Each field that may be adjusted, with a value that fits somewhere.
    private static let adjustments: [JSONValue] = [
        ["startingPrice": "101"], ["increment": ["percent": 5]], ["reservePrice": "200"], ["reservePrice": nil],
        ["buyNowPrice": "900"], ["floorPrice": "50"], ["listingSeconds": 5], ["biddingSeconds": 20], ["countdown": "fixed"],
        ["extendWindowSeconds": 7], ["extendBySeconds": 7], ["maxDurationSeconds": 600], ["dutchTickSeconds": 5],
        ["tie": "draw"], ["format": "english"], ["format": "dutch"], ["format": "dutch", "dutchTickSeconds": 5],
        ["format": "vickrey"], ["format": "sealedFirstPrice", "tie": "draw"],
    ]

    @Test(arguments: ["english", "vickrey", "sealedFirstPrice"])
    func `a host learns from no answer whether there is a reserve price`(_ format: String) throws {
        let asked = ["", "&amount=5", "&explain=true"].map { "/permissions?action=adjustRules\($0)" }
        let pairs = try [nil, "150"].map { reserve in
            let scene = try Scene()
            var rules: [String: JSONValue] = ["startingPrice": "100", "format": .string(format)]
            if let reserve { rules["reservePrice"] = .string(reserve) }
            let members = rules.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: $0.value) }
            var answers: [String] = []
            for adjustment in Self.adjustments {
                try scene.upload(["name": "Vase", "rules": .object(members)])
                let answer = try adjust(scene, adjustment, by: scene.host)
                let words = "\(answer.code ?? "") \(answer.text("detail") ?? "") \(answer.text("field") ?? "")"
                answers.append("\(answer.status) \(words) \(answer["rules"] ?? .null)")
            }
            for question in asked {
                let answer = try scene.call("GET", question, by: scene.host)
                answers.append("\(answer.status) \(answer["allowed"] ?? .null) \(answer["trace"] ?? .null)")
            }
            return answers
        }
        for (without, with) in zip(pairs[0], pairs[1]) { #expect(without == with) }
    }

    @Test func `rules that do not fit, or are none, are refused by name`() throws {
        let scene = try Scene()
        try scene.upload()
        let cases: [(JSONValue, String)] = [
            ([:], "rules"), (["reservePrice": "99.99"], "rules.reservePrice"), (["buyNowPrice": "50"], "rules.buyNowPrice"),
            (["biddingSeconds": 0], "rules.biddingSeconds"), (["format": "lottery"], "rules.format"),
            (["tie": "random"], "rules.tie"), (["increment": ["tiers": []]], "rules.increment.tiers"),
            (["increment": ["percent": 0]], "rules.increment.percent"), (["floor": "1"], "rules.floor"),
            (["startingPrice": "0"], "rules.startingPrice"), (["extendBySeconds": 3601], "rules.extendBySeconds"),
        ]
        for (rules, field) in cases {
            let answer = try adjust(scene, rules, by: scene.owner)
            #expect(answer.status == 400, "\(rules)")
            #expect(answer.text("field") == field, "\(rules)")
        }
        #expect(try adjust(scene, ["tie": "draw"], by: scene.owner, item: "item_nothing").code == "item.not_found")
        let other = "item_00000000000000000000000000"
        #expect(try adjust(scene, ["tie": "draw"], by: scene.owner, item: other).code == "item.not_found")
    }

    @Test func `an item whose rules do not fit is refused before anything about the room is told`() throws {
        let scene = try Scene()
        let answer = try scene.call(
            "POST", "/items", ["name": "Vase", "rules": ["startingPrice": "100", "reservePrice": "50"]], by: scene.viewer)
        #expect(answer.status == 400)
        #expect(answer.text("field") == "rules.reservePrice")
    }
}
