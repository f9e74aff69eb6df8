import ExactJSON
import Testing

/// Amounts of sealed bids are shown to nobody but their bidder: in no answer, no event, no refusal.
struct SealedRoomTests {
    private func open(_ format: String, reserve: String? = nil) throws -> Scene {
        let scene = try Scene()
        var rules: [JSONMember] = [
            JSONMember(name: "startingPrice", value: "100"), JSONMember(name: "format", value: .string(format)),
            JSONMember(name: "countdown", value: "fixed"), JSONMember(name: "biddingSeconds", value: 60),
        ]
        if let reserve { rules.append(JSONMember(name: "reservePrice", value: .string(reserve))) }
        try scene.upload(["name": "Letter", "rules": .object(rules)])
        try scene.start()
        try scene.start()
        return scene
    }

    /// Everything that somebody can read about the room.
    private func reading(_ scene: Scene, as guest: Guest) throws -> String {
        try ["", "/bids", "/events?limit=256", "/results", "/permissions", "/members"].map { tail in
            try scene.call("GET", tail, by: guest).bodyText
        }.joined()
    }

    @Test(arguments: ["sealedFirstPrice", "vickrey"])
    func `while bids are sealed an amount is its bidder's alone`(format: String) throws {
        let scene = try open(format, reserve: "345.67")
        let answer = try scene.bid("234.56", by: scene.bidder)
        #expect(answer.status == 201)
        #expect(answer.text("bid.amount") == "234.56")
        #expect(answer.isNull("room.currentPrice"))
        #expect(answer.isNull("room.currentBid"))
        #expect(try scene.bid("456.78", by: scene.rival).status == 201)
        #expect(try scene.room(as: scene.bidder).text("me.sealedAmount") == "234.56")
        #expect(try scene.room(as: scene.bidder)["me.leading"] == false)
        #expect(try scene.room(as: scene.bidder).isNull("reserveMet"))
        #expect(try scene.call("GET", "/bids", by: scene.bidder).list("bids").map { $0.text("amount") } == [nil, "234.56"])
        for guest in [scene.host, scene.owner, scene.viewer, scene.stranger, scene.rival] {
            let text = try reading(scene, as: guest)
            #expect(!text.contains("234.56"))
            #expect(text.contains("456.78") == (guest.id == scene.rival.id))
            #expect(text.contains("345.67") == (guest.id == scene.owner.id), "the reserve is the owner's")
        }
    }

    @Test func `the next minimum of somebody with a sealed bid is above their own, and nobody else's`() throws {
        let scene = try open("sealedFirstPrice")
        try scene.bid("200", by: scene.bidder)
        #expect(try scene.room(as: scene.bidder).text("nextMinimum") == "200.01")
        #expect(try scene.room(as: scene.rival).text("nextMinimum") == "100.00")
        #expect(try scene.call("GET").text("nextMinimum") == "100.00")
        let low = try scene.bid("150", by: scene.bidder)
        #expect(low.code == "bid.below_minimum")
        #expect(try scene.bid("150", by: scene.rival).status == 201)
        let replaced = try scene.bid("300", by: scene.bidder)
        #expect(replaced.text("room.nextMinimum") == "300.01")
    }

    @Test func `a lot's seed has 128 random bits: neither half follows from the other`() throws {
        let scene = try Scene()
        try scene.upload([
            "name": "Letter", "rules": ["startingPrice": "100", "format": "vickrey", "tie": "draw", "biddingSeconds": 5],
        ])
        try scene.start()
        try scene.start()
        try scene.letClockRun(seconds: 5)
        let revealed = try #require(try scene.events().last { $0.text("type") == "draw.revealed" })
        let digits = try #require(revealed.text("data.seed"))
        let seed = try #require(UInt128(digits, radix: 16))
        let (high, low) = (UInt64(seed >> 64), UInt64(truncatingIfNeeded: seed))
        #expect(low != Self.wordAfter(high), "a generator's next word after the one before")
    }

    /// What SplitMix64 gives after `word`: its steps can be undone.
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

    @Test func `a first-price round shows all amounts once the hammer has fallen`() throws {
        let scene = try open("sealedFirstPrice")
        try scene.bid("234.56", by: scene.bidder)
        try scene.bid("456.78", by: scene.rival)
        try scene.letClockRun(seconds: 60)
        #expect(try scene.call("GET", "/results").text("results.0.price") == "456.78")
        #expect(try scene.call("GET", "/bids").list("bids").map { $0.text("amount") } == ["456.78", "234.56"])
    }

    @Test func `a vickrey winner's own amount stays sealed for good`() throws {
        let scene = try open("vickrey")
        try scene.bid("234.56", by: scene.bidder)
        try scene.bid("456.78", by: scene.rival)
        try scene.letClockRun(seconds: 60)
        #expect(try scene.call("GET", "/results").text("results.0.price") == "234.56")
        try scene.start()
        for tail in ["/bids?round=1", "/results", "/results.csv", "/events?limit=256"] {
            #expect(try !scene.call("GET", tail, by: scene.host).bodyText.contains("456.78"), "\(tail)")
        }
        #expect(try scene.call("GET", "/bids?round=1").list("bids").map { $0.text("amount") } == [nil, "234.56"])
        #expect(
            try scene.call("GET", "/bids?round=1", by: scene.rival).list("bids").map { $0.text("amount") }
                == ["456.78", "234.56"])
    }

    @Test func `a maximum is no part of a sealed round, nor is a buy-now price`() throws {
        let scene = try open("sealedFirstPrice")
        let answer = try scene.call("POST", "/bids", ["amount": "200", "maximum": "300"], by: scene.bidder)
        #expect(answer.status == 400)
        #expect(answer.text("field") == "maximum")
        let other = try Scene()
        let item = try other.call(
            "POST", "/items",
            ["name": "Letter", "rules": ["startingPrice": "100", "buyNowPrice": "200", "format": "vickrey"]], by: other.owner)
        #expect(item.status == 400)
        #expect(item.text("field") == "rules.buyNowPrice")
    }
}
