import AuctionDomain
import Testing

@testable import AuctionService

/// Which rooms a recovery waits for, and which commands wait for it.
struct RecoveryStateTests {
    private let first = RoomID(bits: 1)
    private let second = RoomID(bits: 2)

    @Test func `the last awaited read completes it, once`() {
        var recovery = Recovery(rooms: [second, first], awaited: [first, second])
        #expect(recovery.rooms == [first, second])
        let results = [second, second, first, first].map { recovery.loaded($0) }
        #expect(results == [false, false, true, false])
    }

    @Test func `commands wait in order of arrival, as many per room as allowed`() {
        var recovery = Recovery(rooms: [first, second], awaited: [first])
        let held = zip([first, second, first, first], 1...).map { room, exchange in
            recovery.hold(.any(room, exchange: exchange), limitPerRoom: 2)
        }
        #expect(held == [true, true, true, false])
        let taken = recovery.takeHeld()
        #expect(taken.map(\.reply.exchange) == [1, 2, 3])
        let rest = recovery.takeHeld()
        #expect(rest.isEmpty)
    }

    @Test func `commands that waited before it began are decided first`() {
        var recovery = Recovery(rooms: [first], awaited: [first])
        let isHeld = recovery.hold(.any(first, exchange: 3), limitPerRoom: 3)
        recovery.holdFirst([.any(first, exchange: 1), .any(first, exchange: 2)])
        #expect(isHeld)
        let isFull = !recovery.hold(.any(first, exchange: 4), limitPerRoom: 3)
        #expect(isFull)
        let taken = recovery.takeHeld()
        #expect(taken.map(\.reply.exchange) == [1, 2, 3])
    }

    @Test func `its rooms are held up until it is over, also while its batch is in flight`() {
        var recovery = Recovery(rooms: [first], awaited: [])
        #expect(recovery.contains(first) && !recovery.contains(second))
        recovery.batch = 3
        #expect(recovery.contains(first))
    }
}
