import ExactJSON
import Testing

/// Whatever is wrong with a bid, the answer says so, says where the room stands, and leaves it there.
struct BidRefusalTests {
    struct Expected {
        let status: Int
        let code: String
        let category: String
        var required: JSONValue = .null
        var actual: JSONValue = .null
        var allowed: [String] = Scene.memberActions
    }

    private func expectRefused(
        _ expected: Expected, _ body: JSONValue, by guest: Guest, in scene: Scene,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try scene.room()
        let answer = try scene.call("POST", "/bids", body, by: guest, at: location)
        let after = try scene.room()
        #expect(answer.status == expected.status, sourceLocation: location)
        #expect(answer.code == expected.code, sourceLocation: location)
        #expect(answer.text("type") == "/problems/permission-denied", sourceLocation: location)
        #expect(answer.int("status") == expected.status, sourceLocation: location)
        #expect(answer.text("instance") == scene.path + "/bids", sourceLocation: location)
        #expect(answer.text("permission.action") == "placeBid", sourceLocation: location)
        #expect(answer.text("permission.rule") == expected.code, sourceLocation: location)
        #expect(answer.text("permission.category") == expected.category, sourceLocation: location)
        #expect(answer["permission.required"] == expected.required, sourceLocation: location)
        #expect(answer["permission.actual"] == expected.actual, sourceLocation: location)
        #expect(answer.texts("permission.allowedActions") == expected.allowed, sourceLocation: location)
        #expect(answer.text("receivedAt") == scene.house.clock.text, sourceLocation: location)
        #expect(answer.text("serverTime") == scene.house.clock.text, sourceLocation: location)
        #expect(answer["endsAt"] == before["endsAt"], sourceLocation: location)
        #expect(answer.seq == before.seq, sourceLocation: location)
        #expect(after.seq == before.seq, "a refusal is not an event", sourceLocation: location)
        #expect(after["endsAt"] == before["endsAt"], "a refusal moves no countdown", sourceLocation: location)
        #expect(answer.text("requestId") == answer.header("X-Request-Id"), sourceLocation: location)
    }

    private func notAuctioning(_ state: String, allowed: [String] = Scene.memberActions) -> Expected {
        Expected(
            status: 409, code: "bid.not_auctioning", category: "state", required: "auctioning", actual: .string(state),
            allowed: allowed)
    }

    @Test func `a bid at each wrong moment`() throws {
        let scene = try Scene()
        try expectRefused(notAuctioning("preparing"), ["amount": "100"], by: scene.bidder, in: scene)
        try scene.upload()
        try expectRefused(notAuctioning("preparing"), ["amount": "100"], by: scene.bidder, in: scene)
        try expectRefused(
            notAuctioning("preparing", allowed: ["uploadItem", "adjustRules"] + Scene.memberActions), ["amount": "100"],
            by: scene.owner, in: scene)
        try scene.start()
        try expectRefused(notAuctioning("listing"), ["amount": "100"], by: scene.bidder, in: scene)
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        try scene.letClockRun(seconds: 15)
        try expectRefused(notAuctioning("closed"), ["amount": "110"], by: scene.rival, in: scene)
        try expectRefused(
            notAuctioning("closed", allowed: ["startAuction"] + Scene.hostActions + ["manageStage", "archiveRoom"]),
            ["amount": "110"], by: scene.host, in: scene)
    }

    @Test func `at the very millisecond of the end the hammer wins`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        scene.house.clock.advance(seconds: 15)
        let late = try scene.bid("110", by: scene.rival)
        #expect(late.status == 409)
        #expect(late.code == "bid.not_auctioning")
        #expect(late.text("permission.actual") == "closed")
        #expect(late.isNull("endsAt"))
        #expect(late.seq == (try scene.seq()), "the close is in the log before the refusal is answered")
        #expect(try scene.call("GET", "/results").text("results.0.winner.id") == scene.bidder.id)
    }

    @Test func `a bid meant for another round`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let wrong = Expected(
            status: 409, code: "bid.wrong_round", category: "state", required: "1", actual: "2",
            allowed: ["placeBid"] + Scene.memberActions)
        try expectRefused(wrong, ["amount": "100", "round": 2], by: scene.bidder, in: scene)
        #expect(try scene.call("POST", "/bids", ["amount": "100", "round": 1], by: scene.bidder).status == 201)
    }

    @Test func `a bid by each wrong person`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try expectRefused(
            Expected(
                status: 403, code: "bid.not_member", category: "role", required: "bidder", actual: "none", allowed: []),
            ["amount": "100"], by: scene.stranger, in: scene)
        try expectRefused(
            Expected(status: 403, code: "bid.viewer", category: "role", required: "bidder", actual: "viewer"),
            ["amount": "100"], by: scene.viewer, in: scene)
        try expectRefused(
            Expected(
                status: 403, code: "bid.host", category: "role", required: "bidder", actual: "host",
                allowed: ["endAuction", "pause", "cancel"] + Scene.hostActions + ["manageStage"]), ["amount": "100"],
            by: scene.host, in: scene)
        try expectRefused(
            Expected(status: 403, code: "bid.own_item", category: "identity"), ["amount": "100"], by: scene.owner, in: scene)
        try scene.bid("100", by: scene.bidder)
        try expectRefused(
            Expected(status: 403, code: "bid.already_leading", category: "identity"), ["amount": "200"], by: scene.bidder,
            in: scene)
    }

    @Test func `a bid that is too low names the minimum and the amount`() throws {
        let scene = try Scene()
        try scene.openBidding()
        func tooLow(_ required: JSONValue, _ actual: JSONValue) -> Expected {
            Expected(
                status: 422, code: "bid.below_minimum", category: "amount", required: required, actual: actual,
                allowed: ["placeBid"] + Scene.memberActions)
        }
        try expectRefused(tooLow("100.00", "99.99"), ["amount": "99.99"], by: scene.bidder, in: scene)
        try scene.bid("100", by: scene.bidder)
        try expectRefused(tooLow("110.00", "109.00"), ["amount": 109], by: scene.rival, in: scene)
        try expectRefused(tooLow("110.00", "100.00"), ["amount": "100.00"], by: scene.rival, in: scene)
        #expect(try scene.bid("110", by: scene.rival).status == 201)
    }

    @Test func `the first denial by priority decides`() throws {
        let scene = try Scene()
        // A stranger with too little in the wrong round of a room that is not auctioning: the state comes first.
        let body: JSONValue = ["amount": "0.01", "round": 9]
        try expectRefused(notAuctioning("preparing", allowed: []), body, by: scene.stranger, in: scene)
        try scene.openBidding()
        #expect(try scene.call("POST", "/bids", body, by: scene.stranger).code == "bid.wrong_round")
        #expect(try scene.bid("0.01", by: scene.stranger).code == "bid.not_member")
        #expect(try scene.bid("0.01", by: scene.viewer).code == "bid.viewer")
    }

    @Test func `an auctioneer bids on what is not theirs`() throws {
        let scene = try Scene()
        try scene.call("PATCH", "/members/\(scene.rival.id)", ["role": "auctioneer"], by: scene.host)
        try scene.openBidding()
        #expect(try scene.bid("100", by: scene.rival).status == 201)
    }
}
