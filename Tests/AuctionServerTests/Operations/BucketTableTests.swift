@testable import AuctionServer
import Testing

struct BucketTableTests {
    private static let second: Int64 = 1_000_000_000

    /// Takes all tokens of the key; returns their number.
    private func spend(_ key: Int, in table: inout BucketTable<Int>, at now: Int64 = 0) -> Int {
        var taken = 0
        while table.take(key, at: now).isAllowed { taken += 1 }
        return taken
    }

    @Test func `a bucket starts full and refills evenly`() {
        var table = BucketTable<Int>(count: 4, periodSeconds: 2, limit: 10)
        #expect(spend(1, in: &table) == 4)
        #expect(spend(1, in: &table, at: Self.second / 2) == 1)
        #expect(spend(1, in: &table, at: Self.second * 100) == 4)
    }

    @Test func `a flood of other keys does not refill an empty bucket`() {
        var table = BucketTable<Int>(count: 3, periodSeconds: 60, limit: 100)
        #expect(spend(-1, in: &table) == 3)
        for key in 0..<10_000 { #expect(table.take(key, at: Self.second / 10).isAllowed) }
        #expect(!table.take(-1, at: Self.second / 10).isAllowed)
        #expect(table.size == 100, "the memory is bounded")
    }

    @Test func `of the buckets with tokens left, the least recently used is evicted`() {
        var table = BucketTable<Int>(count: 3, periodSeconds: 60, limit: 3)
        for key in [1, 2, 3, 1, 4] { _ = table.take(key, at: 0) }
        #expect(table.tokens(of: 1, at: 0) == 1, "used most recently")
        #expect(table.tokens(of: 2, at: 0) == 3, "evicted")
        #expect(table.tokens(of: 3, at: 0) == 2)
    }

    @Test func `if the table is full of empty buckets, new keys share one`() {
        var table = BucketTable<Int>(count: 2, periodSeconds: 60, limit: 50)
        for key in 0..<50 { #expect(spend(key, in: &table) == 2) }
        #expect((1000..<2000).reduce(0) { $0 + spend($1, in: &table, at: 1) } == 2)
        for key in 0..<50 { #expect(!table.take(key, at: 1).isAllowed) }
        #expect(
            (1000..<1050).allSatisfy { table.take($0, at: 61 * Self.second).isAllowed },
            "after a period every key has its own bucket again")
    }

    @Test func `idle buckets of a flood are evicted as the table is used`() {
        var table = BucketTable<Int>(count: 1, periodSeconds: 1, limit: 1000)
        for key in 0..<1000 { _ = table.take(key, at: 0) }
        for key in 1000..<1600 { _ = table.take(key, at: 2 * Self.second) }
        #expect(table.size == 600)
    }

    @Test func `a bucket in debt is not evicted before it has been refilled`() {
        var table = BucketTable<Int>(count: 4, periodSeconds: 1, limit: 10)
        #expect(table.take(1, tokens: 104, at: 0).isAllowed)
        for time in 2...24 {
            #expect(table.take(100 + time, at: Int64(time) * Self.second).isAllowed)
            #expect(table.tokens(of: 1, at: Int64(time) * Self.second) == Double(4 * time - 100))
        }
        #expect(!table.take(1, at: 25 * Self.second).isAllowed)
        #expect(table.take(1, at: 26 * Self.second).isAllowed)
    }

    /// Compares the table with one independent bucket per key, below the table's limit.
    @Test func `below its limit the table behaves as independent buckets`() {
        var table = BucketTable<Int>(count: 3, periodSeconds: 1, limit: 64)
        var plain: [Int: (tokens: Double, at: Int64)] = [:]
        var (random, now) = (UInt64(7), Int64(0))
        for _ in 0..<20_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = Int(random >> 40 & 63)
            now += Int64(random >> 50 & 0xFF) * 100_000
            let known = plain[key] ?? (3, now)
            let tokens = min(3, known.tokens + Double(now - known.at) * 3 / 1e9)
            plain[key] = (tokens >= 1 ? tokens - 1 : tokens, now)
            #expect(table.take(key, at: now).isAllowed == (tokens >= 1))
        }
    }

    @Test func `a request that costs far more than a small limit is waited for as long as can be said`() {
        let limiter = RateLimiter<Int>(name: "bytes", count: 16, periodSeconds: 86_400)
        let verdict = limiter.take(1, tokens: 4 << 20, at: 0)
        #expect(verdict.isAllowed)
        #expect(verdict.waitNanoseconds == .max)
        #expect(verdict.retryAfterSeconds > 1_000_000_000)
        #expect(!limiter.take(1, at: 0).isAllowed)
    }
}
