import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Two nodes on one log.
struct RevocationExchangeTests {
    private let log = InMemoryEventLog()
    private let first = RevocationExchange()
    private let second = RevocationExchange()
    private let user = UserID(bits: 7)

    private var key: UInt128 { SharedRevocations.key(of: user) }

    private func now(seconds: Int64) -> Now {
        Now(wall: Timestamp(milliseconds: 1_767_225_600_000 + seconds * 1000), monotonic: seconds * 1_000_000_000)
    }

    private func isRevoked(_ revoked: SharedRevocations?) throws -> Bool {
        try #require(revoked).contain(
            Principal(
                person: Person(id: user, nickname: "Ann"), expiresAt: now(seconds: 3600).wall, issuedAt: now(seconds: 0).wall,
                source: .guests, tokenID: nil))
    }

    @Test func `what one operator lists is in effect at every node, and what is withdrawn is not any more`() throws {
        #expect(try second.exchange(log, at: now(seconds: 0)) == nil, "nothing is revoked")
        first.list([key: nil])
        #expect(try isRevoked(first.exchange(log, at: now(seconds: 1))))
        #expect(try isRevoked(second.exchange(log, at: now(seconds: 1))))
        #expect(try first.exchange(log, at: now(seconds: 2)) == nil, "nothing has changed")
        first.list([:])
        #expect(try !isRevoked(first.exchange(log, at: now(seconds: 3))))
        #expect(try second.exchange(log, at: now(seconds: 4)) == nil, "only a full read finds what was withdrawn")
        #expect(try !isRevoked(second.exchange(log, at: now(seconds: 30))))
    }

    @Test func `a node that starts later knows the revocations before it accepts a token`() throws {
        first.list([key: nil])
        _ = try first.exchange(log, at: now(seconds: 1))
        #expect(try isRevoked(RevocationExchange().exchange(log, at: now(seconds: 500))))
    }

    @Test func `what two operators list stays revoked when one withdraws it`() throws {
        for node in [first, second] { node.list([key: nil]) }
        _ = try first.exchange(log, at: now(seconds: 1))
        _ = try second.exchange(log, at: now(seconds: 1))
        first.list([:])
        _ = try first.exchange(log, at: now(seconds: 2))
        _ = try second.exchange(log, at: now(seconds: 30))
        _ = try second.exchange(log, at: now(seconds: 31))
        #expect(try log.revocations(since: Timestamp(milliseconds: 0)).map(\.key) == [key])
    }
}
