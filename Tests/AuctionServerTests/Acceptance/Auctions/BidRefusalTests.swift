import AuctionDomain
import AuctionTestKit
import ExactJSON
import Testing

/// Refused bids: the problem names the rule and the room's current state, and the room is unchanged.
struct BidRefusalTests {
    @Test func `a bid and an order on their way meet another item in the same round`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let first = try #require(try fixture.room().text("item.id"))
        try fixture.call("POST", "/auction/cancel", ["reason": "Rain."], by: fixture.host)
        try fixture.upload()
        for _ in 0..<2 { try fixture.start() }
        let second = try #require(try fixture.room().text("item.id"))
        let bid: JSONValue = ["amount": "100", "round": 1, "item": .string(first)]
        let refused = try fixture.call("POST", "/bids", bid, by: fixture.bidder)
        #expect(refused.status == 409)
        #expect(refused.code == "bid.wrong_item")
        #expect(refused.text("permission.required") == second)
        let asked = try fixture.call("GET", "/permissions?action=placeBid&amount=100&item=\(first)", by: fixture.bidder)
        #expect(asked.text("denial.rule") == "bid.wrong_item")
        let order: JSONValue = ["expectedRound": 1, "expectedItem": .string(first)]
        #expect(try fixture.call("POST", "/auction/end", order, by: fixture.host).code == "auction.state_changed")
        #expect(try fixture.call("POST", "/bids", ["amount": "1", "item": "x"], by: fixture.bidder).text("field") == "item")
        let named: JSONValue = ["amount": "100", "round": 1, "item": .string(second)]
        #expect(try fixture.call("POST", "/bids", named, by: fixture.bidder).status == 201)
        let meant: JSONValue = ["expectedItem": .string(second)]
        #expect(try fixture.call("POST", "/auction/end", meant, by: fixture.host).status == 200)
    }

    struct Expected {
        let status: Int
        let code: String
        let category: String
        var required: JSONValue = .null
        var actual: JSONValue = .null
        var allowed: [String] = RoomFixture.memberActions
    }

    private func expectRefused(
        _ expected: Expected, _ body: JSONValue, by guest: Guest, in fixture: RoomFixture,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try fixture.room()
        let response = try fixture.call("POST", "/bids", body, by: guest, at: location)
        let after = try fixture.room()
        #expect(response.status == expected.status, sourceLocation: location)
        #expect(response.code == expected.code, sourceLocation: location)
        #expect(response.text("type") == "/problems/permission-denied", sourceLocation: location)
        #expect(response.int("status") == expected.status, sourceLocation: location)
        #expect(response.text("instance") == fixture.path + "/bids", sourceLocation: location)
        #expect(response.text("permission.action") == "placeBid", sourceLocation: location)
        #expect(response.text("permission.rule") == expected.code, sourceLocation: location)
        #expect(response.text("permission.category") == expected.category, sourceLocation: location)
        #expect(response["permission.required"] == expected.required, sourceLocation: location)
        #expect(response["permission.actual"] == expected.actual, sourceLocation: location)
        #expect(response.texts("permission.allowedActions") == expected.allowed, sourceLocation: location)
        #expect(response.text("receivedAt") == fixture.server.clock.text, sourceLocation: location)
        #expect(response.text("serverTime") == fixture.server.clock.text, sourceLocation: location)
        #expect(response["endsAt"] == before["endsAt"], sourceLocation: location)
        #expect(response.seq == before.seq, sourceLocation: location)
        #expect(after.seq == before.seq, "a refusal appends no event", sourceLocation: location)
        #expect(after["endsAt"] == before["endsAt"], "a refusal changes no deadline", sourceLocation: location)
        #expect(response.text("requestId") == response.header("X-Request-Id"), sourceLocation: location)
    }

    private func notAuctioning(_ state: String, allowed: [String] = RoomFixture.memberActions) -> Expected {
        Expected(
            status: 409, code: "bid.not_auctioning", category: "state", required: "auctioning", actual: .string(state),
            allowed: allowed)
    }

    @Test func `a bid is refused in every state but auctioning`() throws {
        let fixture = try RoomFixture()
        try expectRefused(notAuctioning("preparing"), ["amount": "100"], by: fixture.bidder, in: fixture)
        try fixture.upload()
        try expectRefused(notAuctioning("preparing"), ["amount": "100"], by: fixture.bidder, in: fixture)
        try expectRefused(
            notAuctioning("preparing", allowed: ["uploadItem", "adjustRules"] + RoomFixture.auctioneerActions),
            ["amount": "100"], by: fixture.owner, in: fixture)
        try fixture.start()
        try expectRefused(notAuctioning("listing"), ["amount": "100"], by: fixture.bidder, in: fixture)
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.letClockRun(seconds: 15)
        try expectRefused(notAuctioning("closed"), ["amount": "110"], by: fixture.rival, in: fixture)
        try expectRefused(
            notAuctioning(
                "closed",
                allowed: ["startAuction"] + RoomFixture.hostActions + ["manageStage", "archiveRoom"] + RoomFixture.saleActions),
            ["amount": "110"], by: fixture.host, in: fixture)
    }

    @Test func `a bid in the same millisecond as the deadline is refused and the round is closed`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        fixture.server.clock.advance(seconds: 15)
        let late = try fixture.bid("110", by: fixture.rival)
        #expect(late.status == 409)
        #expect(late.code == "bid.not_auctioning")
        #expect(late.text("permission.actual") == "closed")
        #expect(late.isNull("endsAt"))
        #expect(late.seq == (try fixture.seq()), "the close is committed before the refusal is sent")
        #expect(try fixture.call("GET", "/results").text("results.0.winner.id") == fixture.bidder.id)
    }

    @Test func `a bid for another round is refused`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let wrong = Expected(
            status: 409, code: "bid.wrong_round", category: "state", required: "1", actual: "2",
            allowed: ["placeBid"] + RoomFixture.memberActions)
        try expectRefused(wrong, ["amount": "100", "round": 2], by: fixture.bidder, in: fixture)
        #expect(try fixture.call("POST", "/bids", ["amount": "100", "round": 1], by: fixture.bidder).status == 201)
    }

    @Test func `bids by users who may not bid are refused, each by its own rule`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try expectRefused(
            Expected(
                status: 403, code: "bid.not_member", category: "role", required: "bidder", actual: "none", allowed: []),
            ["amount": "100"], by: fixture.stranger, in: fixture)
        try expectRefused(
            Expected(status: 403, code: "bid.viewer", category: "role", required: "bidder", actual: "viewer"),
            ["amount": "100"], by: fixture.viewer, in: fixture)
        try expectRefused(
            try Expected(
                status: 403, code: "bid.host", category: "role", required: "bidder", actual: "host",
                allowed: PermissionTable.specified().cells
                    .filter { $0.callerKind == .host && $0.situation == .open && $0.rule == nil }.map(\.action.rawValue)),
            ["amount": "100"], by: fixture.host, in: fixture)
        try expectRefused(
            Expected(
                status: 403, code: "bid.own_item", category: "identity", required: "another seller's item", actual: "own item",
                allowed: RoomFixture.auctioneerActions),
            ["amount": "100"], by: fixture.owner, in: fixture)
        try fixture.bid("100", by: fixture.bidder)
        try expectRefused(
            Expected(
                status: 403, code: "bid.already_leading", category: "identity", required: "not leading", actual: "leading"),
            ["amount": "200"], by: fixture.bidder, in: fixture)
    }

    @Test func `the refusal of a low bid names the minimum and the amount`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        func tooLow(_ required: JSONValue, _ actual: JSONValue) -> Expected {
            Expected(
                status: 422, code: "bid.below_minimum", category: "amount", required: required, actual: actual,
                allowed: ["placeBid"] + RoomFixture.memberActions)
        }
        try expectRefused(tooLow("100.00", "99.99"), ["amount": "99.99"], by: fixture.bidder, in: fixture)
        try fixture.bid("100", by: fixture.bidder)
        try expectRefused(tooLow("110.00", "109.00"), ["amount": 109], by: fixture.rival, in: fixture)
        try expectRefused(tooLow("110.00", "100.00"), ["amount": "100.00"], by: fixture.rival, in: fixture)
        #expect(try fixture.bid("110", by: fixture.rival).status == 201)
    }

    @Test func `of several denials the one with the highest priority is reported`() throws {
        let fixture = try RoomFixture()
        // A non-member's bid, too low and for the wrong round, in a room that is not auctioning: the state rule has priority.
        let body: JSONValue = ["amount": "0.01", "round": 9]
        try expectRefused(notAuctioning("preparing", allowed: []), body, by: fixture.stranger, in: fixture)
        try fixture.openBidding()
        #expect(try fixture.call("POST", "/bids", body, by: fixture.stranger).code == "bid.wrong_round")
        #expect(try fixture.bid("0.01", by: fixture.stranger).code == "bid.not_member")
        #expect(try fixture.bid("0.01", by: fixture.viewer).code == "bid.viewer")
    }

    @Test func `an auctioneer may bid on another user's item`() throws {
        let fixture = try RoomFixture()
        try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["role": "auctioneer"], by: fixture.host)
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.rival).status == 201)
    }
}
