import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// Which idempotency keys of a room are evicted when there are too many.
struct KeyShareTests {
    private let noon = Timestamp(milliseconds: 1_764_000_000_000)

    private func limits(perUser: Int, perRoom: Int = 100_000) -> ServiceLimits {
        var limits = ServiceLimits()
        (limits.keysPerUser, limits.keysPerRoom) = (perUser, perRoom)
        return limits
    }

    private func user(_ number: Int) -> UserID { UserID(bits: UInt128(number)) }

    private func now(after milliseconds: Int64) -> Now {
        Now(wall: noon.advanced(byMilliseconds: milliseconds), monotonic: milliseconds * 1_000_000)
    }

    /// The stored response at a position, which is also its key.
    private func stored(_ position: Int, of owner: Int, after milliseconds: Int64 = 0) -> StoredKey {
        StoredKey(
            key: UInt128(position), fingerprint: 1, owner: KeyOwner(user(owner)),
            at: noon.advanced(byMilliseconds: milliseconds), position: Int64(position))
    }

    /// The positions whose keys have not been evicted.
    private func kept(_ keys: IdempotencyKeys, of positions: Range<Int>, after milliseconds: Int64 = 0) -> [Int] {
        var keys = keys
        return positions.filter { position in
            let key = IdempotencyKey(key: UInt128(position), fingerprint: 1)
            if case .answered = keys.find(key, of: user(0), at: now(after: milliseconds)) { return true }
            return false
        }
    }

    @Test func `beyond a user's quota the user's own oldest key is evicted, and no other user's`() {
        let keys = IdempotencyKeys(limits(perUser: 3), stored: (0..<10).map { stored($0, of: $0 == 4 ? 2 : 1) })
        #expect(kept(keys, of: 0..<10) == [4, 7, 8, 9])
    }

    @Test func `beyond the room's limit, keys of the user with the most keys are evicted`() {
        var keys = IdempotencyKeys(limits(perUser: 100, perRoom: 8), stored: (0..<6).map { stored($0, of: 1) })
        keys.insert((6..<11).map { stored($0, of: $0) })
        #expect(kept(keys, of: 0..<11) == [3, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func `if every user has one key, the oldest is evicted`() {
        let keys = IdempotencyKeys(limits(perUser: 100, perRoom: 4), stored: (0..<9).map { stored($0, of: $0) })
        #expect(kept(keys, of: 0..<9) == [5, 6, 7, 8])
    }

    @Test func `a key that is answered again counts once`() {
        var keys = IdempotencyKeys(limits(perUser: 2), stored: [stored(1, of: 1), stored(2, of: 1)])
        let again = StoredKey(key: 1, fingerprint: 1, owner: KeyOwner(user(1)), at: noon, position: 3)
        keys.insert([again])
        #expect(kept(keys, of: 0..<4) == [1, 2])
        keys.insert([stored(4, of: 1)])
        #expect(kept(keys, of: 0..<5) == [1, 4], "the key that was answered again is the newer one")
    }

    @Test func `expired keys free their places`() {
        let day = IdempotencyKeys.lifetimeMilliseconds
        var keys = IdempotencyKeys(limits(perUser: 2), stored: [stored(1, of: 1), stored(2, of: 1, after: 10)])
        #expect(kept(keys, of: 0..<3, after: day + 1) == [2])
        _ = keys.find(IdempotencyKey(key: 9, fingerprint: 1), of: user(1), at: now(after: day + 1))
        keys.insert([stored(3, of: 1, after: day)])
        #expect(kept(keys, of: 0..<4, after: day + 1) == [2, 3])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no limit is exceeded, each user's newest keys stay, and a restart keeps the same`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = limits(perUser: 7, perRoom: seed.isMultiple(of: 2) ? 1000 : 20)
        let history = (0..<400).map { stored($0, of: generator.roll(1...3) == 1 ? 0 : generator.roll(1...9), after: Int64($0)) }
        var keys = IdempotencyKeys(limits)
        for key in history { keys.insert([key]) }
        let left = kept(keys, of: 0..<400)
        #expect(left.count <= limits.keysPerRoom)
        for owner in 0..<10 {
            let own = history.filter { $0.owner == KeyOwner(user(owner)) }.map { Int($0.position) }
            let leftOfOwn = left.filter(own.contains)
            #expect(leftOfOwn.count <= 7)
            #expect(leftOfOwn == own.suffix(leftOfOwn.count), "not the newest keys of \(owner)")
            if limits.keysPerRoom == 1000 { #expect(leftOfOwn.count == min(7, own.count)) }
        }
        #expect(kept(IdempotencyKeys(limits, stored: history), of: 0..<400) == left)
    }

    @Test func `responses whose keys are evicted are discarded, several together`() throws {
        let auction = Auction()
        var limits = limits(perUser: 2)
        limits.discardedAtOnce = 3
        let harness = try ServiceHarness(limits: limits)
        auction.open(harness)
        for number in 1...6 {
            harness.wait(milliseconds: 1000)
            let key = IdempotencyKey(key: UInt128(number), fingerprint: 1)
            let sent = harness.response(to: .sendMessage("\(number)"), of: Auction.room, by: auction.bidder, key: key)
            #expect(sent?.status == 200)
            #expect(harness.discarded == (number < 5 ? [] : [1, 2, 3]))
        }
    }

    @Test func `what a room's limit evicts is discarded too, and what other nodes evicted is left to them`() {
        var keys = IdempotencyKeys(limits(perUser: 2, perRoom: 4), stored: [stored(1, of: 1), stored(2, of: 1)])
        var evicted: [Int64] = []
        func finish(_ position: Int64, of owner: Int) {
            _ = keys.finish(
                IdempotencyKey(key: UInt128(position), fingerprint: 1), of: user(owner), at: noon, position: position,
                evicted: &evicted)
        }
        keys.insert([stored(3, of: 1)])
        #expect(evicted.isEmpty)
        finish(4, of: 1)
        #expect(evicted == [2])
        for owner in 2...4 { finish(Int64(owner + 3), of: owner) }
        #expect(evicted == [2, 3])
    }

    @Test func `keyed commands in flight are bounded per user`() throws {
        let auction = Auction()
        let harness = try ServiceHarness(limits: limits(perUser: 2))
        auction.open(harness)
        func send(_ number: Int, by person: Person) -> UInt64 {
            let key = IdempotencyKey(key: UInt128(number), fingerprint: 1)
            return harness.send(.sendMessage("\(number)"), to: Auction.room, by: person, key: key)
        }
        let sent = (0..<3).map { send($0, by: auction.bidder) } + [send(3, by: auction.rival)]
        harness.settle()
        #expect(sent.map { harness.responses[$0]?.text == "tooManyKeys" } == [false, false, true, false])
        harness.wait(milliseconds: 1000)
        let later = send(4, by: auction.bidder)
        harness.settle()
        #expect(harness.responses[later]?.status == 200, "the earlier ones are answered")
    }
}
