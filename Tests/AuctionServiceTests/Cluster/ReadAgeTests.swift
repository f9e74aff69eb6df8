import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// The age of a room in memory.
struct ReadAgeTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `a confirmation counts from before the log was queried, not from its reply`() {
        var room = RoomConfirmation(at: 10)
        room.compared(at: 20, seq: 5, known: 5)
        #expect(room.instant == 20)
        // A reply that arrives after a later one.
        room.compared(at: 15, seq: 5, known: 6)
        #expect(room.instant == 20)
    }

    @Test func `given newer events in the log, the room is confirmed once memory has them, as of that query`() {
        var room = RoomConfirmation(at: 10)
        room.compared(at: 20, seq: 7, known: 5)
        #expect(room.instant == 10)
        room.caughtUp(to: 6)
        #expect(room.instant == 10)
        room.caughtUp(to: 7)
        #expect(room.instant == 20)
    }

    @Test func `a room with constant changes is confirmed by the events it has caught up with`() {
        var room = RoomConfirmation(at: 0)
        for turn in 1...50 as ClosedRange<Int64> {
            // Each time the log has more than memory, and memory has everything that the previous query found.
            room.compared(at: turn * 10, seq: Int(turn) * 3, known: Int(turn) * 3 - 1)
            #expect(room.instant >= (turn - 2) * 10)
        }
        // A room that catches up with nothing is not confirmed.
        room.compared(at: 900, seq: 200, known: 149)
        room.compared(at: 1000, seq: 201, known: 149)
        #expect(room.instant <= 490)
    }

    @Test func `an age above one second is reported, rounded up, and one beyond the limit is stale`() {
        func age(_ nanoseconds: Int64) -> ReadAge {
            ReadAge(confirmedAt: 77, now: 77 + nanoseconds, limitSeconds: 5)
        }
        #expect(age(-1) == .fresh)
        #expect(age(Self.second) == .fresh)
        #expect(age(Self.second + 1) == .aged(seconds: 2))
        #expect(age(3 * Self.second) == .aged(seconds: 3))
        #expect(age(5 * Self.second) == .aged(seconds: 5))
        #expect(age(5 * Self.second + 1) == .stale)
    }

    @Test func `a comparison with the log confirms the rooms in memory as of its start`() throws {
        let auction = Auction()
        let harness = try ServiceHarness(log: InMemoryEventLog(clock: { TestClock().now().wall }))
        auction.open(harness)
        let room = try #require(try harness.storedRoom(Auction.room))
        let rooms = CommittedRooms(recentLimit: 9)
        let committed = rooms.publish(room, [], readAt: 5)
        #expect(try Replication.compare([Auction.room], in: rooms, harness.log, at: 50).lagging.isEmpty)
        #expect(committed.confirmedAt == 50)
        #expect(harness.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        #expect(try Replication.compare([Auction.room], in: rooms, harness.log, at: 60).lagging.map(\.seq) == [room.seq + 1])
        #expect(committed.confirmedAt == 50)
        // Memory has the events that the query found; this read began later still.
        _ = rooms.publish(try #require(try harness.storedRoom(Auction.room)), [], readAt: 70)
        #expect(committed.confirmedAt == 70)
    }
}
