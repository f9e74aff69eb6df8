import AuctionDomain
import AuctionTestKit
import EventLog
import Foundation
import Testing

@testable import AuctionService

/// Snapshots that are not of this version of the program, or not of the room.
struct OtherSnapshotTests {
    private let auction = Auction()

    @Test func `a room with a snapshot of another version is replayed from its events, without audit findings`() throws {
        let harness = try auction.opened()
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        _ = harness.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        let room = try #require(try harness.storedRoom(Auction.room))
        #expect(room.results.count == 1)
        let bytes = [1] + Array("snapshot".utf8) + [99] + [UInt8](repeating: 0, count: 20)
        try harness.log.save([RoomSnapshot(room: Auction.room, seq: room.seq, bytes: bytes)])
        _ = harness.response(to: .sendMessage("hello"), of: Auction.room, by: auction.bidder)
        let loaded = try #require(
            try RoomLoader.load(Auction.room, from: harness.log, keys: WantedKeys(since: Timestamp(milliseconds: 0))))
        #expect(loaded.room.room.results == room.results)
        #expect(loaded.room.room.storage.bytes > room.storage.bytes)
        #expect(loaded.snapshots.size == 0, "that snapshot does not count, so the next one replaces it")
        #expect(try LogAudit.findings(of: Auction.room, in: harness.log) == [])
    }

    @Test func `a room without a readable snapshot is read up to its head, also if another node appends meanwhile`() throws {
        let harness = try auction.opened()
        let since = Timestamp(milliseconds: 0)
        let history = try #require(try harness.log.load(Auction.room, responsesSince: since))
        let room = try #require(try harness.storedRoom(Auction.room))
        _ = harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)
        let whole = try RoomLoader.withoutSnapshot(history, of: Auction.room, from: harness.log)
        #expect(try RoomReplay.room(Auction.room, from: whole).room == room)
        let seq = try #require(try harness.storedRoom(Auction.room)?.seq)
        #expect(seq > room.seq)
    }

    @Test func `a snapshot of another room or of another seq is refused`() throws {
        let harness = try auction.opened()
        let room = try #require(try harness.storedRoom(Auction.room))
        let bytes = try RoomReplay.snapshot(of: room).bytes
        for (id, seq) in [(RoomID(bits: 99), room.seq), (Auction.room, room.seq - 1)] {
            let found = try #require(try harness.log.load(Auction.room, responsesSince: Timestamp(milliseconds: 0)))
            let history = LoadedHistory(
                head: found.head, snapshot: RoomSnapshot(room: id, seq: seq, bytes: bytes), events: [],
                hashAtSnapshot: try RoomReplay.room(Auction.room, from: found).hash, responses: [])
            #expect(throws: EventLogError.self) { try RoomReplay.room(Auction.room, from: history) }
        }
    }
}
