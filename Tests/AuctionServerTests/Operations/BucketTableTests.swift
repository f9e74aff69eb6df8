@testable import AuctionServer
import Testing

struct BucketTableTests {
    private static let second: Int64 = 1_000_000_000

    /// Takes as many tokens as there are.
    private func spend(_ key: Int, in table: inout BucketTable<Int>, at now: Int64 = 0) -> Int {
        var taken = 0
        while table.take(key, at: now).isAllowed { taken += 1 }
        return taken
    }

    @Test func `a bucket has its tokens at once and gets them back evenly`() {
        var table = BucketTable<Int>(count: 4, periodSeconds: 2, limit: 10)
        #expect(spend(1, in: &table) == 4)
        #expect(spend(1, in: &table, at: Self.second / 2) == 1)
        #expect(spend(1, in: &table, at: Self.second * 100) == 4)
    }

    @Test func `a flood of other keys does not bring back the tokens of one that has none left`() {
        var table = BucketTable<Int>(count: 3, periodSeconds: 60, limit: 100)
        #expect(spend(-1, in: &table) == 3)
        for key in 0..<10_000 { #expect(table.take(key, at: Self.second / 10).isAllowed) }
        #expect(!table.take(-1, at: Self.second / 10).isAllowed)
        #expect(table.size == 100, "the memory is bounded")
    }

    @Test func `of those with tokens left the one goes that was longest left alone`() {
        var table = BucketTable<Int>(count: 3, periodSeconds: 60, limit: 3)
        for key in [1, 2, 3, 1, 4] { _ = table.take(key, at: 0) }
        #expect(table.tokens(of: 1, at: 0) == 1, "used last")
        #expect(table.tokens(of: 2, at: 0) == 3, "forgotten")
        #expect(table.tokens(of: 3, at: 0) == 2)
    }

    @Test func `where every place is taken by a bucket without tokens newcomers share one`() {
        var table = BucketTable<Int>(count: 2, periodSeconds: 60, limit: 50)
        for key in 0..<50 { #expect(spend(key, in: &table) == 2) }
        #expect((1000..<2000).reduce(0) { $0 + spend($1, in: &table, at: 1) } == 2)
        for key in 0..<50 { #expect(!table.take(key, at: 1).isAllowed) }
        #expect((1000..<1050).allSatisfy { table.take($0, at: 61 * Self.second).isAllowed }, "a period later all is as before")
    }

    @Test func `a table that was flooded empties while others use it`() {
        var table = BucketTable<Int>(count: 1, periodSeconds: 1, limit: 1000)
        for key in 0..<1000 { _ = table.take(key, at: 0) }
        for key in 1000..<1600 { _ = table.take(key, at: 2 * Self.second) }
        #expect(table.size == 600)
    }

    /// Against the plainest bookkeeping there is, where no place runs out.
    @Test func `with room enough it does what buckets by themselves would do`() {
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
}
