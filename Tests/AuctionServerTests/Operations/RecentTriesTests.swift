import AuctionTestKit
import Testing

@testable import AuctionServer

struct RecentTriesTests {
    private static let second: Int64 = 1_000_000_000

    private func table(limit: Int = 1000) -> TryTable<Int> { TryTable(count: 5, period: 60 * Self.second, limit: limit) }

    /// Seconds until a key that has no try left has one; nil if it has one.
    private func wait(_ key: Int, in table: inout TryTable<Int>, at seconds: Int64) -> Int64? {
        let (tries, wait) = table.left(key, at: seconds * Self.second)
        return tries > 0 ? nil : wait / Self.second
    }

    @Test func `each try ends a period after it, not sooner`() {
        var table = table()
        for time in [0, 10, 20, 30, 40] as [Int64] {
            #expect(table.left(1, at: time * Self.second).tries > 0)
            table.add(1, at: time * Self.second)
        }
        #expect(wait(1, in: &table, at: 50) == 10)
        #expect(table.left(2, at: 50 * Self.second).tries == 5, "another key's")
        #expect(table.left(1, at: 60 * Self.second).tries == 1)
        table.add(1, at: 60 * Self.second)
        #expect(wait(1, in: &table, at: 69) == 1)
        #expect(table.left(1, at: 200 * Self.second).tries == 5 && table.size == 0)
    }

    @Test(arguments: 0..<20)
    func `no key has more than five in any minute, whatever the times`(seed: Int) {
        var (generator, table, now) = (SeededGenerator(seed: UInt64(seed)), table(), Int64(0))
        var tries: [Int: [Int64]] = [:]
        for _ in 0..<2000 {
            now += Int64(generator.roll(0...3000)) * 1_000_000
            let key = generator.roll(0...3)
            let recent = tries[key, default: []].count { now - $0 < 60 * Self.second }
            #expect((table.left(key, at: now).tries > 0) == (recent < 5))
            guard recent < 5 else { continue }
            table.add(key, at: now)
            tries[key, default: []].append(now)
        }
    }

    @Test func `a table that is full refuses all keys until the oldest try ends, and its memory is bounded`() {
        var table = table(limit: 10)
        for key in 0..<20 { table.add(key, at: Int64(key) * Self.second) }
        #expect(table.size == 10)
        #expect(wait(99, in: &table, at: 20) == 40)
        #expect(table.left(99, at: 60 * Self.second).tries == 5)
        table.add(99, at: 60 * Self.second)
        #expect(table.size == 10 && table.left(98, at: 60 * Self.second).tries == 0)
    }
}
