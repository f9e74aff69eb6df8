import AuctionDomain
import AuctionService
import Testing

@testable import AuctionServer

struct TicketStoreTests {
    private let room = RoomID(bits: 1)
    private let start = Timestamp(milliseconds: 1_000_000)
    private var book = TicketStore(limits: .init(total: 4, perUser: 2))

    private func now(_ seconds: Int64, milliseconds: Int64 = 0) -> Now {
        let passed = seconds * 1000 + milliseconds
        return Now(wall: start.advanced(byMilliseconds: passed), monotonic: passed * 1_000_000)
    }

    private func later(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + seconds * 1000) }

    @discardableResult
    private mutating func give(
        _ key: UInt128, to user: UInt128, until expiry: Int64 = 3600, at seconds: Int64 = 0
    ) -> Timestamp {
        book.give(key, for: "token \(user)", of: UserID(bits: user), until: later(expiry), in: room, at: now(seconds))
    }

    @Test mutating func `a ticket is redeemed for its token once`() {
        #expect(give(7, to: 1) == later(30))
        #expect(book.redeem(8, in: room, at: now(0)) == nil)
        #expect(book.redeem(7, in: room, at: now(0)) == "token 1")
        #expect(book.redeem(7, in: room, at: now(0)) == nil)
        #expect(book.count == 0)
    }

    @Test mutating func `a ticket presented for another room is used up`() {
        give(7, to: 1)
        #expect(book.redeem(7, in: RoomID(bits: 2), at: now(0)) == nil)
        #expect(book.redeem(7, in: room, at: now(0)) == nil)
    }

    @Test mutating func `a ticket expires after thirty seconds, and no later than its token`() {
        give(7, to: 1)
        give(8, to: 2)
        #expect(book.redeem(7, in: room, at: now(29, milliseconds: 999)) == "token 1")
        #expect(book.redeem(8, in: room, at: now(30)) == nil)
        #expect(give(9, to: 3, until: 5) == later(5))
        #expect(book.redeem(9, in: room, at: now(5)) == nil)
    }

    @Test mutating func `a change of the wall clock does not expire tickets`() {
        give(7, to: 1)
        let set = Now(wall: later(25 * 3600), monotonic: 1_000_000_000)
        #expect(book.redeem(7, in: room, at: set) == "token 1")
        give(8, to: 1)
        #expect(book.redeem(8, in: room, at: Now(wall: later(-3600), monotonic: 30_000_000_000)) == nil)
    }

    @Test mutating func `beyond the limit per user, that user's oldest ticket is evicted`() {
        give(1, to: 9)
        for key in 2...4 as ClosedRange<UInt128> { give(key, to: 1) }
        #expect(book.count == 3)
        #expect(book.redeem(2, in: room, at: now(0)) == nil)
        #expect(book.redeem(3, in: room, at: now(0)) != nil)
        #expect(book.redeem(4, in: room, at: now(0)) != nil)
        #expect(book.redeem(1, in: room, at: now(0)) != nil)
    }

    @Test mutating func `beyond the total limit the oldest ticket of all users is evicted`() {
        for key in 1...6 as ClosedRange<UInt128> { give(key, to: key, at: Int64(key)) }
        #expect(book.count == 4)
        for key in 1...6 as ClosedRange<UInt128> { #expect((book.redeem(key, in: room, at: now(7)) != nil) == (key > 2)) }
    }

    @Test mutating func `expired tickets are evicted`() {
        for key in 1...4 as ClosedRange<UInt128> { give(key, to: key) }
        give(5, to: 5, at: 30)
        #expect(book.count == 1)
    }

    @Test mutating func `redeemed tickets leave no entries behind`() {
        for key in 1...10000 as ClosedRange<UInt128> {
            give(key, to: key % 3)
            #expect(book.redeem(key, in: room, at: now(0)) != nil)
        }
        #expect(book.count == 0)
        #expect(book.queueLength <= 64 + 1)
    }
}
