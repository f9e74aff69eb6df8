import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A log that fills up.
struct FullLogTests {
    private let log = InMemoryEventLog()
    private let fixture: RoomFixture

    init() throws {
        fixture = try RoomFixture(try TestServer(log: log) { $0.service.logBytes = 1000 })
        try fixture.openBidding()
    }

    private func fill(_ bytes: Int64, _ fullness: String) throws {
        log.setSize(LogSize(bytes: bytes))
        try eventually("the size is read") {
            let metrics = try fixture.server.call("GET", "/metrics")
            return String(decoding: metrics.body, as: UTF8.self).contains("\nauction_log_fullness \(fullness)\n")
        }
    }

    private func message() throws -> HTTPResponse {
        try fixture.server.call("POST", fixture.path + "/messages", ["text": "hello"], by: fixture.bidder)
    }

    private func newRoom(_ key: String) throws -> HTTPResponse {
        try fixture.server.call("POST", "/v1/rooms", ["name": "x"], by: fixture.host, [("Idempotency-Key", key)])
    }

    @Test func `rooms are refused first, then commands, and bids in a running round last; what ends a round is taken`() throws {
        let first = try newRoom("one")
        #expect(first.status == 201)
        try fill(900, "1")
        let refused = try newRoom("two")
        #expect(refused.status == 503 && refused.code == "log.full" && refused.header("Retry-After") == "60")
        let repeated = try newRoom("one")
        #expect(repeated.status == 201 && repeated.header("Idempotency-Replayed") == "true")
        #expect(try message().status == 201 && fixture.bid("100", by: fixture.bidder).status == 201)
        try fill(950, "2")
        #expect(try message().code == "log.full")
        #expect(try fixture.bid("110", by: fixture.rival).status == 201)
        try fill(1000, "3")
        let bid = try fixture.bid("120", by: fixture.bidder)
        #expect(bid.code == "log.full" && bid.text("detail")?.contains("no bids any more") == true)
        let path = fixture.path + "/auction/end"
        #expect(try fixture.server.call("POST", path, [:], by: fixture.host).status == 200)
        try fill(0, "0")
        #expect(try message().status == 201 && newRoom("two").status == 201)
    }
}
