import AuctionTestKit
import Testing

@testable import AuctionDomain

/// What a move costs does not depend on how many lots there are, and lots stay in the order of the moves.
struct LotMoveTests {
    private struct Moves {
        private(set) var order = LotOrder()
        private var places: [LotID: UInt64] = [:]
        /// Lots that moves gave another place, the moved ones included.
        private(set) var placed = 0
        /// Moves that gave other lots another place too.
        private(set) var spreads = 0

        init(_ ids: [LotID]) {
            for id in ids { for entry in order.insert(id, before: nil) { places[entry.lot] = entry.place } }
        }

        mutating func move(_ lot: LotID, before next: LotID) {
            guard lot != next, let place = places[lot] else { return }
            order.remove(at: place)
            let entries = order.insert(lot, before: places[next])
            for entry in entries { places[entry.lot] = entry.place }
            placed += entries.count
            if entries.count > 1 { spreads += 1 }
        }
    }

    /// Lots that are given another place by 2,000 moves among `count`.
    private func placed(among count: Int, _ target: (Int, inout SeededGenerator) -> Int) -> Int {
        let ids = (0..<count).map { LotID(bits: UInt128($0)) }
        var (moves, generator) = (Moves(ids), SeededGenerator(seed: 1))
        for move in 0..<2000 { moves.move(ids[move % count], before: ids[target(move, &generator) % count]) }
        return moves.placed
    }

    @Test(arguments: [3, 10, 100])
    func `lots are in the order of the moves, also where places are spread`(count: Int) {
        let ids = (0..<count).map { LotID(bits: UInt128($0)) }
        var (moves, expected, generator) = (Moves(ids), ids, SeededGenerator(seed: UInt64(count)))
        for number in 0..<1000 {
            // Mostly before the same lot, where no space is left after 32 moves.
            let lot = ids[number % count]
            let next = ids[generator.once(in: 10) ? generator.roll(0...(count - 1)) : count / 2]
            moves.move(lot, before: next)
            if lot != next {
                expected.removeAll { $0 == lot }
                expected.insert(lot, at: expected.firstIndex(of: next) ?? 0)
            }
            #expect(moves.order.entries(from: 0).map(\.lot) == expected)
        }
        #expect(moves.spreads > 10)
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
