import Testing

@testable import AuctionDomain

struct UserTableTests {
    private func user(_ number: Int) -> UserID { UserID(bits: UInt128(number) << 64 | UInt128(number &* 7919 % 101)) }

    @Test func `a table behaves like a dictionary while it grows and shrinks`() {
        var table = UserTable<Int>()
        var expected: [UserID: Int] = [:]
        var random = SplitMix64(seed: 3)
        for step in 0..<3000 {
            // First mostly additions, then mostly removals, so that the table passes its limit in both directions.
            let user = user(Int(random.next() % 40))
            let isRemoval = random.next() % 4 < (step < 1500 ? 1 : 3)
            let value = isRemoval ? nil : step
            if let value, step % 2 == 0 {
                table.change(user, from: -1) { $0 += value }
                expected[user, default: -1] += value
            } else {
                table[user] = value
                expected[user] = value
            }
            #expect(table[user] == expected[user])
            #expect(table.sorted.map(\.user) == expected.keys.sorted())
            #expect(table.sorted.allSatisfy { expected[$0.user] == $0.value })
        }
    }

    @Test(arguments: [0, 1, 16, 17, 40])
    func `tables with the same values are equal, in whatever order they came`(count: Int) {
        var (ascending, descending) = (UserTable<Int>(), UserTable<Int>())
        for number in 0..<count { ascending[user(number)] = number }
        for number in (0..<50).reversed() { descending[user(number)] = number }
        for number in count..<50 { descending[user(number)] = nil }
        #expect(ascending == descending)
        #expect(ascending.hashValue == descending.hashValue)
        ascending[user(60)] = 1
        #expect(ascending != descending)
    }

    @Test func `a change leaves older copies as they were`() {
        for count in [3, 16, 30] {
            var table = UserTable<Int>()
            for number in 0..<count { table[user(number)] = number }
            let copy = table
            table[user(1)] = 100
            table[user(2)] = nil
            table[user(count)] = 7
            #expect(copy[user(1)] == 1 && copy[user(2)] == 2 && copy[user(count)] == nil)
        }
    }
}
