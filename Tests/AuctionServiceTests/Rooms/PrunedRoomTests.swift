import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Rooms that are deleted from the log while they are in memory.
struct PrunedRoomTests {
    private static let room = RoomID(bits: 8)
    private let auction = Auction()
    private let reader = ReplyAddress(loop: 0, exchange: 901)
    private let later = ReplyAddress(loop: 0, exchange: 902)

    /// An archived room, and a newer one.
    private func archived(_ harness: ServiceHarness) {
        let open = Command.openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public))
        _ = harness.response(to: open, of: Self.room, by: auction.host)
        _ = harness.response(to: .join(JoinRoom(role: .bidder, inviteCode: nil)), of: Self.room, by: auction.bidder)
        _ = harness.response(to: .archiveRoom, of: Self.room, by: auction.host)
        _ = harness.response(to: open, of: RoomID(bits: 9), by: auction.host)
    }

    private func prune(_ harness: ServiceHarness) throws {
        _ = try harness.log.feedEnd()
        let found = try harness.log.prunableRooms(before: harness.now.wall.advanced(byMilliseconds: 60_000), after: 0, limit: 9)
        try #require(found.map(\.id) == [Self.room])
        #expect(try harness.log.prune(found[0]))
    }

    private var erasure: Command {
        .erase(EraseMembers([Person(id: auction.bidder.id, nickname: Pseudonym.nickname(of: auction.bidder.id))]))
    }

    @Test func `a room in memory leaves it, also if it is watched, and is not found afterwards`() throws {
        let harness = try ServiceHarness()
        archived(harness)
        let committed = try #require(harness.node.rooms[Self.room])
        #expect(harness.node.rooms.watch(committed))
        try prune(harness)
        harness.handle(.pruned([Self.room]))
        harness.settle()
        #expect(harness.node.rooms[Self.room] == nil && harness.loadedRooms == 1)
        #expect(!harness.node.rooms.watch(committed), "it counts no new watchers")
        harness.handle(.ensureLoaded(Self.room, reader))
        harness.settle()
        #expect(harness.loadFinished.last?.0 == reader && harness.node.rooms[Self.room] == nil)
        #expect(harness.response(to: auction.bid(1), of: Self.room, by: auction.bidder)?.text == "room.not_found")
        #expect(harness.loadedRooms == 1)
    }

    @Test func `a read that began before the deletion does not bring the room back`() throws {
        let first = try ServiceHarness()
        archived(first)
        let harness = try first.restarted()
        let before = try #require(try RoomLoader.load(Self.room, from: harness.log, keys: WantedKeys(since: harness.now.wall)))
        harness.handle(.ensureLoaded(Self.room, reader))
        harness.endTurn()
        try prune(harness)
        harness.handle(.pruned([Self.room]))
        harness.handle(.ensureLoaded(Self.room, later))
        harness.handle(.loaded(Self.room, .success(before)))
        harness.endTurn()
        #expect(harness.loadFinished.isEmpty)
        harness.settle()
        #expect(harness.loadFinished.map(\.0) == [reader, later] && harness.node.rooms[Self.room] == nil)
        #expect(harness.published.allSatisfy { $0.room.id != Self.room })
    }

    @Test(arguments: [true, false])
    func `a command that was decided before the deletion is refused, as the room does not exist`(_ isInFlight: Bool) throws {
        let harness = try ServiceHarness()
        archived(harness)
        let command = harness.send(erasure, to: Self.room, by: auction.bidder)
        if isInFlight { harness.endTurn() }
        try prune(harness)
        harness.handle(.pruned([Self.room]))
        harness.settle()
        #expect(harness.responses[command]?.text == "room.not_found")
        #expect(harness.node.rooms[Self.room] == nil && harness.loadedRooms == 1)
        #expect(try harness.storedRoom(Self.room) == nil)
    }

    @Test func `a room that is deleted while its append is in flight is gone, although nothing reports the deletion`() throws {
        let harness = try ServiceHarness()
        archived(harness)
        let command = harness.send(erasure, to: Self.room, by: auction.bidder)
        harness.endTurn()
        try prune(harness)
        harness.settle()
        #expect(harness.responses[command]?.text == "room.not_found")
        #expect(try harness.storedRoom(Self.room) == nil)
    }

    @Test func `a comparison with the log finds that another node has deleted a room, and does not confirm it`() throws {
        let harness = try ServiceHarness(log: InMemoryEventLog(clock: { TestClock().now().wall }))
        archived(harness)
        let rooms = CommittedRooms(recentLimit: 9)
        let committed = rooms.publish(try #require(try harness.storedRoom(Self.room)), [], readAt: 5)
        #expect(try Replication.compare([Self.room], in: rooms, harness.log, at: 50).pruned.isEmpty)
        try prune(harness)
        let found = try Replication.compare([Self.room], in: rooms, harness.log, at: 60)
        #expect(found.pruned == [Self.room] && found.lagging.isEmpty)
        #expect(committed.confirmedAt == 50)
    }
}
