@testable import AuctionServer
import AuctionDomain
import Testing

struct VoiceBansTests {
    private static let (first, second) = (UserID(bits: 1), UserID(bits: 2))
    private var bans = VoiceBans(since: Timestamp(milliseconds: 1000))

    private static func restricted(_ banned: [UserID: Int64]) -> RestrictedUsers {
        RestrictedUsers(
            banned.map { user, at in
                var restriction = UserRestriction(of: user)
                restriction.ban = UserRestriction.Ban(at: Timestamp(milliseconds: at), reason: "")
                return restriction
            })
    }

    @Test mutating func `each ban is taken once, the earliest first, and those of before are left out`() {
        bans.take(Self.restricted([Self.first: 2000, Self.second: 1500, UserID(bits: 3): 999]), version: 1)
        #expect(bans.next?.user == Self.second)
        bans.found(after: nil)
        #expect(bans.next?.user == Self.first)
        bans.found(after: nil)
        bans.take(Self.restricted([Self.first: 2000, Self.second: 1500]), version: 2)
        #expect(bans.next == nil)
    }

    @Test mutating func `a search goes on where its page ended`() {
        bans.take(Self.restricted([Self.first: 2000]), version: 1)
        bans.found(after: 7)
        #expect(bans.next?.user == Self.first && bans.next?.after == 7)
        bans.found(after: nil)
        #expect(bans.next == nil)
    }

    @Test mutating func `one who is unbanned is not searched for, and is again after another ban`() {
        bans.take(Self.restricted([Self.first: 2000]), version: 1)
        bans.take(Self.restricted([:]), version: 2)
        #expect(bans.next == nil)
        bans.take(Self.restricted([Self.first: 3000]), version: 3)
        #expect(bans.next?.bannedAt == Timestamp(milliseconds: 3000))
    }

    @Test mutating func `nothing is compared while the version is the same`() {
        bans.take(Self.restricted([:]), version: 1)
        bans.take(Self.restricted([Self.first: 2000]), version: 1)
        #expect(bans.next == nil)
    }

    @Test mutating func `another node begins before the bans that are pending, and before those whose rooms are watched`() {
        let now = Timestamp(milliseconds: 1_000_000)
        #expect(bans.settled(at: now, watching: 0) == Timestamp(milliseconds: 940_000))
        #expect(bans.settled(at: now, watching: 200_000_000_000) == Timestamp(milliseconds: 740_000))
        bans.take(Self.restricted([Self.first: 500_000]), version: 1)
        #expect(bans.settled(at: now, watching: 200_000_000_000) == Timestamp(milliseconds: 440_000))
    }
}
