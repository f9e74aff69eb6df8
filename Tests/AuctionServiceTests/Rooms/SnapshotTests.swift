import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// When a room's snapshots are written.
struct SnapshotTests {
    private let auction = Auction()

    /// Bytes of a room's events, and of all snapshots written of it.
    private func written(_ harness: ServiceHarness) throws -> (events: Int, snapshots: Int) {
        let events = try harness.log.events(of: Auction.room, after: 0, limit: .max)
        return (
            events.reduce(0) { $0 + $1.publicBytes.count + ($1.privateBytes?.count ?? 0) },
            try harness.snapshots.reduce(0) { $0 + (try RoomReplay.snapshot(of: $1).bytes.count) }
        )
    }

    private func upload(_ bytes: Int) -> Command {
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)), listing: Seconds(0))
        return .uploadItem(
            UploadItem(name: "Phone", description: String(repeating: "x", count: bytes), media: [], rules: rules))
    }

    @Test func `snapshots of many rounds with large items have at most twice the bytes of the events`() throws {
        let harness = try auction.opened()
        for round in 1...60 {
            if round > 1 {
                _ = harness.response(to: .startAuction(AuctionTransition()), of: Auction.room, by: auction.host)
                #expect(harness.response(to: upload(60_000), of: Auction.room, by: auction.auctioneer)?.status == 200)
                _ = harness.response(to: .startAuction(AuctionTransition()), of: Auction.room, by: auction.host)
            }
            _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        }
        #expect(try harness.storedRoom(Auction.room)?.results.count == 60)
        let (events, snapshots) = try written(harness)
        #expect(events > 59 * 60_000)
        #expect(snapshots > 0 && snapshots <= 2 * events, "\(snapshots) bytes of snapshots for \(events) of events")
    }

    @Test func `snapshots of a growing room become rare, and the events after the last one stay bounded by its size`() throws {
        let harness = try auction.opened()
        for step in 0..<3000 {
            _ = harness.response(
                to: auction.bid(100 + Int64(step) * 100), of: Auction.room,
                by: step % 2 == 0 ? auction.bidder : auction.rival)
            guard step % 1000 == 999 else { continue }
            let (events, snapshots) = try written(harness)
            #expect(snapshots > 0 && snapshots <= 2 * events)
            let history = try #require(try harness.log.load(Auction.room, responsesSince: Timestamp(milliseconds: 0)))
            let tail = history.events.reduce(0) { $0 + $1.publicBytes.count + ($1.privateBytes?.count ?? 0) }
            #expect(tail <= max(ServiceLimits().bytesPerSnapshot, history.snapshot?.bytes.count ?? 0) + 1024)
        }
        #expect(harness.snapshots.count <= 8)
    }

    @Test func `loading and unloading a room repeatedly writes no snapshots`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        for _ in 0..<20 {
            harness.wait(milliseconds: 601_000)
            harness.handle(.sweep(watched: []))
            harness.settle()
            #expect(harness.loadedRooms == 0)
            #expect(harness.response(to: .sendMessage("again"), of: Auction.room, by: auction.bidder)?.status == 200)
        }
        #expect(harness.snapshots.isEmpty)
        #expect(try harness.storedRoom(Auction.room)?.seq ?? 0 > 20)
    }

    @Test func `a failed snapshot is retried after more events, not at once`() throws {
        var spacing = SnapshotSpacing(size: 100, since: 0)
        func event(_ bytes: Int) -> StoredEvent {
            StoredEvent(
                seq: 1, at: Timestamp(milliseconds: 0), type: "message.sent", publicBytes: Array(repeating: 32, count: bytes),
                privateBytes: nil, hash: .zero)
        }
        spacing.add([event(99)])
        #expect(!spacing.isDue(atLeast: 10))
        spacing.add([event(1)])
        #expect(spacing.isDue(atLeast: 10))
        #expect(!spacing.isDue(atLeast: 101), "few bytes of events need no snapshot")
        spacing.begin()
        spacing.add([event(1000)])
        #expect(!spacing.isDue(atLeast: 10), "a snapshot is being written")
        spacing.finish(size: nil)
        #expect(spacing.isDue(atLeast: 10))
        spacing.begin()
        spacing.finish(size: 2000)
        spacing.add([event(1999)])
        #expect(!spacing.isDue(atLeast: 10))
    }
}
