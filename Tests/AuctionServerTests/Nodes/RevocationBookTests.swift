import AuctionDomain
import EventLog
import Testing

@testable import AuctionServer

struct RevocationBookTests {
    private let now = Timestamp(milliseconds: 1_000_000_000)
    private var book = RevocationBook()

    private func later(days: Int64) -> Timestamp { now.advanced(byMilliseconds: days * 24 * 3_600_000) }

    /// Tells all there is to tell; returns it.
    private mutating func tell(at instant: Timestamp) -> [Revocation] {
        let next = book.telling(at: instant)
        book.told(next)
        return next
    }

    @Test mutating func `what is listed is told once, and goes on to stand`() {
        book.list([1: nil, 2: now])
        let told = tell(at: now)
        #expect(told.map(\.key) == [1, 2])
        #expect(told.map(\.before) == [nil, now])
        #expect(told.allSatisfy { $0.until == later(days: 30) })
        #expect(tell(at: now).isEmpty)
        #expect(book.learn(told, isWhole: true, at: now) == false, "it was known already")
        #expect(tell(at: now).isEmpty)
        #expect(book.learn([], isWhole: true, at: later(days: 31)) == true, "nobody spoke of it")
    }

    @Test mutating func `what stands already is not told again by a node that starts, until its time comes near`() {
        let standing = Revocation(key: 1, at: now, until: later(days: 30), before: nil)
        #expect(book.learn([standing], isWhole: true, at: now) == true)
        book.list([1: now])
        #expect(tell(at: now).isEmpty)
        #expect(book.learn([standing], isWhole: true, at: later(days: 2)) == false)
        #expect(tell(at: later(days: 2)).map(\.until) == [later(days: 32)])
    }

    @Test mutating func `a line that goes is taken back, and one that takes back less replaces what was told`() {
        book.list([1: nil, 2: nil])
        _ = tell(at: now)
        book.list([2: now])
        #expect(book.restoring == [1, 2])
        book.restored(book.restoring)
        #expect(tell(at: now).map(\.before) == [now])
        #expect(book.restoring.isEmpty)
    }

    @Test mutating func `what another node took back is told again by whose list still has it`() {
        book.list([1: nil])
        _ = tell(at: now)
        #expect(book.learn([], isWhole: false, at: now) == false, "nothing new is no news of what is old")
        #expect(tell(at: now).isEmpty)
        #expect(book.learn([], isWhole: true, at: now) == true)
        #expect(tell(at: now).map(\.key) == [1])
    }

    @Test mutating func `others' revocations count, and never are this node's to take back`() {
        #expect(book.learn([Revocation(key: 9, at: now, until: later(days: 1))], isWhole: false, at: now) == true)
        book.list([:])
        #expect(book.restoring.isEmpty)
        #expect(book.latest == now)
        #expect(book.learn([], isWhole: true, at: later(days: 1)) == true, "its time is over")
    }

    @Test mutating func `a long list is told in pieces`() {
        book.list(Dictionary(uniqueKeysWithValues: (1...UInt128(RevocationBook.perCall + 3)).map { ($0, nil) }))
        #expect(tell(at: now).count == RevocationBook.perCall)
        #expect(tell(at: now).count == 3)
        #expect(tell(at: now).isEmpty)
    }

    @Test func `digests stand for users and for tokens, with and without a time`() throws {
        let text = "user \(UserID(bits: 7)) 2026-11-21T09:00:00.000Z\nuser \(UserID(bits: 8))\njti one"
        let ends = try Revocations(text, issuer: TokenIssuer.issuer).ends
        let shared = SharedRevocations(ends.map { Revocation(key: $0, at: now, until: now, before: $1) })
        func principal(_ user: UInt128, _ issuedAt: String? = nil, tokenID: String? = nil) -> Principal {
            Principal(
                person: Person(id: UserID(bits: user), nickname: "Ann"), expiresAt: later(days: 1),
                issuedAt: issuedAt.flatMap { Timestamp(rfc3339: $0) }, source: .guests, tokenID: tokenID)
        }
        #expect(shared.contain(principal(7, "2026-11-21T08:59:59.999Z")))
        #expect(!shared.contain(principal(7, "2026-11-21T09:00:00.000Z")))
        #expect(shared.contain(principal(7)), "a token that does not say when it was made")
        #expect(shared.contain(principal(8, "2027-01-01T00:00:00.000Z")))
        #expect(shared.contain(principal(9, tokenID: "one")))
        #expect(!shared.contain(principal(9, tokenID: "two")))
        #expect(!SharedRevocations().contain(principal(7)))
    }
}
