import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Reads of rooms whose opening is in flight.
struct OpeningTests {
    private let auction = Auction()

    /// The opening of a room is in flight, and a read of it waits.
    private func opening() throws -> ServiceHarness {
        let harness = try ServiceHarness()
        harness.send(
            .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)), to: Auction.room, by: auction.host)
        harness.endTurn()
        harness.handle(.ensureLoaded(Auction.room, ReplyAddress(loop: 0, exchange: 77)))
        harness.endTurn()
        return harness
    }

    /// Found by simulation: the reader's exchange never got a response.
    @Test func `a read of a room whose opening fails gets a result`() throws {
        let harness = try opening()
        harness.log.failNextAppend(with: EventLogError(.statement, "once"))
        harness.commit()
        harness.settle()
        #expect(harness.loadFinished.map(\.0.exchange) == [77])
    }

    @Test func `a read of a room whose opening is in flight waits for it and does not read the log`() throws {
        let harness = try opening()
        #expect(harness.loadFinished.isEmpty)
        harness.commit()
        #expect(harness.loadFinished.map(\.0.exchange) == [77])
        #expect(harness.published.isEmpty, "the committer has published the room")
    }
}
