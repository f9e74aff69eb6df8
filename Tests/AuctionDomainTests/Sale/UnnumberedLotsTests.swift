import AuctionTestKit
import Testing

@testable import AuctionDomain

/// Lots without a reference are found by their content.
struct UnnumberedLotsTests {
    private static let users = (1...3).map { Person(id: UserID(bits: UInt128($0)), nickname: "U\($0)") }

    private static func item(_ name: Int) -> UploadItem {
        let rules = AuctionRules(startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)))
        return UploadItem(name: "Lot \(name)", description: "", media: [], rules: rules)
    }

    private func found(_ item: UploadItem, of user: UserID, in lots: Lots) -> [LotID] {
        var found: [LotID] = []
        while let lot = lots.unnumbered(item, digest: UnnumberedLots.digest(item), of: user, after: found.last) {
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
                    $0.reference == nil && lots.owner(of: $0).id == user && $0.content.name == "Lot \(name)"
                }
                #expect(found(Self.item(name), of: user, in: lots) == equal.map(\.id).sorted())
                #expect(found(Self.item(name), of: user, in: read) == equal.map(\.id).sorted())
            }
        }
    }

    /// The shortest of ten imports of one row without a reference into a room of equal lots.
    private func duration(among count: Int) throws -> Duration {
        var scenario = try Scenario.withMembers(rulebook: try .product(limits: RoomLimits(lotsPerRoom: 0)))
        let text = String(repeating: "竞", count: 1000)
        let item = UploadItem(name: "Lot", description: text, media: [], rules: scenario.rules())
        let lot = QueueLot(item: item, reference: nil)
        for _ in 0..<count { try scenario.perform(.queueLot(lot), by: scenario.auctioneer) }
        let (repeated, clock) = (Command.importLots(ImportLots(rows: [.init(line: 2, lot: lot)])), ContinuousClock())
        return try (0..<10).map { _ in
            var events: [EventBody] = []
            let duration = try clock.measure { events = try scenario.perform(repeated, by: scenario.auctioneer) }
            #expect(events.isEmpty)
            return duration
        }.min() ?? .zero
    }

    @Test func `an import takes as long among many equal lots as among few`() throws {
        let (few, many) = (try duration(among: 5), try duration(among: 2000))
        #expect(many < few * 10, "\(few) \(many)")
    }
}
