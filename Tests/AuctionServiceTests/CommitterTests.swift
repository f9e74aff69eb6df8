import AuctionDomain
import AuctionService
import AuctionTestKit
import Testing

/// Group commit, as far as it shows from outside.
struct CommitterTests {
    private let auction = Auction()

    /// Found by simulation: what did not fit into one transaction waited until somebody else sent something.
    @Test func `more batches than one transaction takes are all committed`() throws {
        let harness = try ServiceHarness(groupLimit: 1)
        let exchanges = (1...3 as ClosedRange<UInt128>).map { number in
            defer { harness.endTurn() }
            return harness.send(
                .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)), to: RoomID(bits: number),
                by: auction.host)
        }
        harness.commit()
        #expect(exchanges.allSatisfy { harness.answers[$0]?.status == 200 })
    }
}
