import AuctionDomain
import AuctionService
import Testing

@testable import AuctionServer

struct TicketBookTests {
    private let room = RoomID(bits: 1)
    private let start = Timestamp(milliseconds: 1_000_000)
    private var book = TicketBook(limits: .init(total: 4, perUser: 2))

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

    @Test mutating func `a ticket stands for its token once`() {
        #expect(give(7, to: 1) == later(30))
        #expect(book.redeem(8, in: room, at: now(0)) == nil)
        #expect(book.redeem(7, in: room, at: now(0)) == "token 1")
        #expect(book.redeem(7, in: room, at: now(0)) == nil)
        #expect(book.count == 0)
    }

    @Test mutating func `a ticket shown for another room is spent`() {
        give(7, to: 1)
        #expect(book.redeem(7, in: RoomID(bits: 2), at: now(0)) == nil)
        #expect(book.redeem(7, in: room, at: now(0)) == nil)
    }

    @Test mutating func `a ticket is good for thirty seconds, and no longer than its token`() {
        give(7, to: 1)
        give(8, to: 2)
        #expect(book.redeem(7, in: room, at: now(29, milliseconds: 999)) == "token 1")
        #expect(book.redeem(8, in: room, at: now(30)) == nil)
        #expect(give(9, to: 3, until: 5) == later(5))
        #expect(book.redeem(9, in: room, at: now(5)) == nil)
    }

    @Test mutating func `a wall clock that is set ages no ticket`() {
        give(7, to: 1)
        let set = Now(wall: later(25 * 3600), monotonic: 1_000_000_000)
        #expect(book.redeem(7, in: room, at: set) == "token 1")
        give(8, to: 1)
        #expect(book.redeem(8, in: room, at: Now(wall: later(-3600), monotonic: 30_000_000_000)) == nil)
    }

    @Test mutating func `who takes more than may wait loses the oldest of their own`() {
        give(1, to: 9)
        for key in 2...4 as ClosedRange<UInt128> { give(key, to: 1) }
        #expect(book.count == 3)
        #expect(book.redeem(2, in: room, at: now(0)) == nil)
        #expect(book.redeem(3, in: room, at: now(0)) != nil)
        #expect(book.redeem(4, in: room, at: now(0)) != nil)
        #expect(book.redeem(1, in: room, at: now(0)) != nil)
    }

    @Test mutating func `beyond the whole number the oldest goes, whoever has it`() {
        for key in 1...6 as ClosedRange<UInt128> { give(key, to: key, at: Int64(key)) }
        #expect(book.count == 4)
        for key in 1...6 as ClosedRange<UInt128> { #expect((book.redeem(key, in: room, at: now(7)) != nil) == (key > 2)) }
    }

    @Test mutating func `what is over takes no place`() {
        for key in 1...4 as ClosedRange<UInt128> { give(key, to: key) }
        give(5, to: 5, at: 30)
        #expect(book.count == 1)
    }

    @Test mutating func `a book of many short stays remembers none of them`() {
        for key in 1...10000 as ClosedRange<UInt128> {
            give(key, to: key % 3)
            #expect(book.redeem(key, in: room, at: now(0)) != nil)
        }
        #expect(book.count == 0)
        #expect(book.lineLength <= 64 + 1)
    }
}
