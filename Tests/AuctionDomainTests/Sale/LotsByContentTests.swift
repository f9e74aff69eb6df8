import AuctionTestKit
import Synchronization
import Testing

@testable import AuctionDomain

/// Lots without a reference are found by their content.
struct LotsByContentTests {
    private static let users = (1...3).map { Person(id: UserID(bits: UInt128($0)), nickname: "U\($0)") }

    private static func item(_ name: Int) -> UploadItem {
        let rules = AuctionRules(startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)))
        return UploadItem(name: "Lot \(name)", description: "", media: [], rules: rules)
    }

    private func found(_ item: UploadItem, of user: UserID, in lots: Lots) -> [LotID] {
        var found: [LotID] = []
        while let lot = lots.lot(equalTo: item, digest: LotsByContent.digest(item), of: user, after: found.last) {
            found.append(lot.id)
        }
        return found
    }

    @Test(arguments: 1...10)
    func `the equal lots of an owner are found in the order of their ids, after any changes`(seed: UInt64) throws {
        var (lots, ids, generator) = (Lots(), [LotID](), SeededGenerator(seed: seed))
        var users = Self.users
        for step in 0..<400 {
            let (name, reference) = (generator.roll(1...3), generator.once(in: 3) ? "R\(step)" : nil)
            if generator.once(in: 3), let id = ids.isEmpty ? nil : ids[generator.roll(0...(ids.count - 1))] {
                let item = try lots.item(of: #require(lots[id]))
                lots.set(id, Self.item(name).item(item.id, of: item.owner, lot: id), reference: reference)
            } else {
                let id = LotID(bits: UInt128(generator.word()))
                let owner = users[generator.roll(0...(users.count - 1))]
                lots.add(id, Self.item(name).item(ItemID(bits: UInt128(step)), of: owner, lot: id), reference: reference)
                ids.append(id)
            }
            if step == 200, let guest = users.popLast() { lots.move(from: guest.id, to: users[0]) }
            guard step % 40 == 0 || step == 399 else { continue }
            let read = try #require(Lots(stored: Array(lots.lots()), owners: lots.owners, spreadSeq: 0))
            for (user, name) in Self.users.flatMap({ user in (1...3).map { (user.id, $0) } }) {
                let equal = lots.lots().filter {
                    $0.reference == nil && lots.owner(of: $0).id == user && $0.content.upload.name == "Lot \(name)"
                }
                #expect(found(Self.item(name), of: user, in: lots) == equal.map(\.id).sorted())
                #expect(found(Self.item(name), of: user, in: read) == equal.map(\.id).sorted())
            }
        }
    }

    /// A key that counts how often it is compared.
    private struct Key: Comparable, Hashable, Sendable {
        static let comparisons = Mutex(0)
        let number: Int

        static func < (left: Key, right: Key) -> Bool {
            comparisons.withLock { $0 += 1 }
            return left.number < right.number
        }
    }

    private struct Element: SortedElement { let key: Key }

    @Test func `an element is found by as many comparisons among many as among few`() {
        for count in [10, 100, 10_000] {
            let sorted = SortedChunks(sorted: (0..<count).map { Element(key: Key(number: $0)) })
            for number in stride(from: 0, to: count, by: max(1, count / 100)) {
                let before = Key.comparisons.withLock(\.self)
                #expect(sorted.elements(from: Key(number: number)).first { _ in true }?.key.number == number)
                // Those of a chunk, and of a binary search for it.
                #expect(Key.comparisons.withLock(\.self) - before <= 80)
            }
        }
    }
}
