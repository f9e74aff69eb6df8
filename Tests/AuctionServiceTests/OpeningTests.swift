import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Rooms that are looked for while they come into being.
struct OpeningTests {
    private let auction = Auction()

    /// Found by simulation: the reader's exchange was held for ever.
    @Test func `whoever looks for a room that fails to open is told`() throws {
        let harness = try ServiceHarness()
        harness.send(
            .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)), to: Auction.room, by: auction.host)
        harness.endTurn()
        harness.handle(.touch(Auction.room, ReplyAddress(loop: 0, exchange: 77)))
        harness.endTurn()
        harness.log.failNextAppend(with: EventLogError(.statement, "once"))
        harness.commit()
        harness.settle()
        #expect(harness.touched.map(\.0.exchange) == [77])
    }
}
