import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// What is known of how old a room in memory is.
struct ReadAgeTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `a room is confirmed from before the log was asked, not from when it replied`() {
        var room = RoomConfirmation(at: 10)
        room.compared(at: 20, seq: 5, known: 5)
        #expect(room.instant == 20)
        // A reply that was overtaken by a later one.
        room.compared(at: 15, seq: 5, known: 6)
        #expect(room.instant == 20)
    }

    @Test func `what the log has and memory has not confirms nothing until memory has it, and then from when it was seen`() {
        var room = RoomConfirmation(at: 10)
        room.compared(at: 20, seq: 7, known: 5)
        #expect(room.instant == 10)
        room.advanced(to: 6)
        #expect(room.instant == 10)
        room.advanced(to: 7)
        #expect(room.instant == 20)
    }

    @Test func `a room that never rests is confirmed by what it has caught up with`() {
        var room = RoomConfirmation(at: 0)
        for turn in 1...50 as ClosedRange<Int64> {
            // Each time there is more in the log than in memory, and each time memory has what was there the time before.
            room.compared(at: turn * 10, seq: Int(turn) * 3, known: Int(turn) * 3 - 1)
            #expect(room.instant >= (turn - 2) * 10)
        }
        // One that catches up with nothing is not.
        room.compared(at: 900, seq: 200, known: 149)
        room.compared(at: 1000, seq: 201, known: 149)
        #expect(room.instant <= 490)
    }

    @Test func `an age is said from one second on, rounded up, and refused beyond the limit`() {
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

    @Test func `looking for what others wrote confirms the rooms in memory, from before it looked`() throws {
        let auction = Auction()
        let harness = try ServiceHarness(log: InMemoryEventLog(clock: { TestClock().now().wall }))
        auction.open(harness)
        let room = try #require(try harness.storedRoom(Auction.room))
        let rooms = CommittedRooms(recentLimit: 9)
        let committed = rooms.publish(room, [], readAt: 5)
        #expect(try Following.behind([Auction.room], in: rooms, harness.log, at: 50).isEmpty)
        #expect(committed.confirmedAt == 50)
        #expect(harness.answer(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.status == 200)
        #expect(try Following.behind([Auction.room], in: rooms, harness.log, at: 60).map(\.seq) == [room.seq + 1])
        #expect(committed.confirmedAt == 50)
        // What the log replied is in memory now; the reading began later still.
        _ = rooms.publish(try #require(try harness.storedRoom(Auction.room)), [], readAt: 70)
        #expect(committed.confirmedAt == 70)
    }
}
