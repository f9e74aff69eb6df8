import AuctionTestKit
import Testing

@testable import AuctionDomain

/// What a move costs does not depend on how many lots there are.
struct LotMoveTests {
    /// Lots that are given another place by 2,000 moves among `count`, the moved ones included.
    private func placed(among count: Int, _ target: (Int, inout SeededGenerator) -> Int) -> Int {
        var (order, generator) = (LotOrder(), SeededGenerator(seed: 1))
        var places: [LotID: UInt64] = [:]
        let ids = (0..<count).map { LotID(bits: UInt128($0)) }
        for id in ids { for entry in order.insert(id, before: nil) { places[entry.lot] = entry.place } }
        var placed = 0
        for move in 0..<2000 {
            let (lot, next) = (ids[move % count], ids[target(move, &generator) % count])
            guard lot != next, let place = places[lot] else { continue }
            order.remove(at: place)
            let entries = order.insert(lot, before: places[next])
            for entry in entries { places[entry.lot] = entry.place }
            placed += entries.count
        }
        return placed
    }

    @Test func `a move among ten thousand lots gives no more lots another place than one among ten`() {
        let (few, many) = (placed(among: 10) { $1.roll(0...9999) }, placed(among: 10_000) { $1.roll(0...9999) })
        #expect(many <= 2000 && many <= few, "\(few) \(many)")
    }

    @Test func `moves of thousands to the same place, which leave no space there, give few others another place`() {
        // With places that are not spread, each would move all that are before it.
        let placed = placed(among: 10_000) { _, _ in 5 }
        #expect(placed <= 10 * 2000, "\(placed)")
    }

    @Test(arguments: [10, 1000])
    func `a move is one event, however many lots there are`(count: Int) throws {
        var scenario = try Scenario.withLots(count)
        let last = try scenario.lot("A\(count)").id
        #expect(try scenario.move(last, before: scenario.lot("A1").id).count == 1)
    }
}
