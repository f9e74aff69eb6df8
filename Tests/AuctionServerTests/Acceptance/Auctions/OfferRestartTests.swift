import AuctionTestKit
import EventLogSQLite
import ExactJSON
import Testing

/// A room with an offer that stands and a bid that waits for its lot, in a log that another process opens later.
struct OfferRestartTests {
    private let folder = TemporaryFolder()
    private let fixture: RoomFixture
    private let lot: String

    init() throws {
        let fixture = try RoomFixture(try TestServer(log: SQLiteEventLog(path: folder.log)))
        _ = try fixture.sellLot()
        lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        #expect(try fixture.call("PUT", "/lots/\(lot)/bid", ["maximum": "222.22"], by: fixture.bidder).status == 201)
        let void: JSONValue = ["reason": "Not paid.", "offerTo": "next"]
        #expect(try fixture.call("POST", "/results/1/void", void, by: fixture.host).status == 200)
        self.fixture = fixture
    }

    /// The same room at a server that starts `seconds` after the last one has ended.
    private func restarted(after seconds: Double) throws -> RoomFixture {
        fixture.server.stop()
        fixture.server.clock.advance(seconds: seconds)
        return RoomFixture(fixture, in: try TestServer(log: SQLiteEventLog(path: folder.log), clock: fixture.server.clock))
    }

    private func offer(_ fixture: RoomFixture) throws -> JSONValue? {
        try fixture.room(as: fixture.rival).list("me.offers").first
    }

    @Test func `after a restart both stand as before, and the offer ends at its time`() throws {
        let before = try #require(try offer(fixture))
        let back = try restarted(after: 1)
        #expect(try offer(back) == before)
        let left = try back.call("GET", "/lots/\(lot)", by: back.bidder)
        #expect(
            left.text("myBid.maximum") == "222.22" && left.text("myBid.state") == "standing" && left.int("absenteeBids") == 1)
        #expect(try back.call("GET", "/lots/\(lot)", by: back.rival).isNull("myBid"))
        try back.letClockRun(seconds: 598.9)
        #expect(try offer(back) == before)
        try back.letClockRun(seconds: 0.2)
        #expect(try offer(back) == nil)
        #expect(try back.events().last?.text("type") == "offer.expired")
        let id = try #require(before.text("id"))
        #expect(try back.call("POST", "/offers/\(id)/accept", by: back.rival).code == "offer.not_found")
        #expect(try back.call("POST", "/lots/\(lot)/reoffer", by: back.host).code == "reoffer.not_ended")
    }

    @Test func `an offer whose time was over while no server ran stands for another minute, and is accepted`() throws {
        let before = try #require(try offer(fixture))
        let back = try restarted(after: 3600)
        let after = try #require(try offer(back))
        #expect(after.text("id") == before.text("id") && after.text("expiresAt") != before.text("expiresAt"))
        try back.letClockRun(seconds: 59)
        let id = try #require(after.text("id"))
        let accepted = try back.call("POST", "/offers/\(id)/accept", by: back.rival)
        #expect(accepted.status == 200 && accepted.text("winner.id") == back.rival.id && accepted.text("total") == "90.00")
        for _ in 0..<3 { try back.start() }
        let opened = try back.room()
        #expect(opened.text("currentBid.bidder.id") == back.bidder.id && opened.text("currentPrice") == "100.00")
    }
}
