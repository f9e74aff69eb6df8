import AuctionDomain
import AuctionService
import AuctionTestKit
import Testing

/// Group commit, observed through the service.
struct CommitterTests {
    private let auction = Auction()

    /// Found by simulation: batches beyond the group limit waited until another one was submitted.
    @Test func `more batches than fit into one transaction are all committed`() throws {
        let harness = try ServiceHarness(groupLimit: 1)
        let exchanges = (1...3 as ClosedRange<UInt128>).map { number in
            defer { harness.endTurn() }
            return harness.send(
                .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)), to: RoomID(bits: number),
                by: auction.host)
        }
        harness.commit()
        #expect(exchanges.allSatisfy { harness.responses[$0]?.status == 200 })
    }
}
