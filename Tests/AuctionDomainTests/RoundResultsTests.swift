import AuctionTestKit
import Foundation
import Testing

@testable import AuctionDomain

struct RoundResultsTests {
    private func results(_ outcomes: [RoundResult.Outcome]) -> RoundResults {
        var results = RoundResults()
        let rules = FormatFixture.rules()
        let owner = Person(id: UserID(bits: 9), nickname: "Anna")
        let item = AuctionItem(id: ItemID(bits: 1), name: "Vase", description: "", media: [], owner: owner, rules: rules)
        for (index, outcome) in outcomes.enumerated() {
            results.append(
                RoundResult(
                    round: index + 1, item: RoundResult.Item(item), outcome: outcome, bidCount: 1,
                    closedAt: Timestamp(milliseconds: 0), firstSeq: index, lastSeq: index,
                    seller: owner, openedAt: nil,
                    lot: nil, reference: nil, premium: nil, retractedSeqs: [], changedBids: [], paddle: nil))
        }
        return results
    }

    @Test func `the amount a member has won is the sum of their results`() {
        let (ann, bo) = (Person(id: UserID(bits: 1), nickname: "Ann"), Person(id: UserID(bits: 2), nickname: "Bo"))
        var generator = SeededGenerator(seed: 1)
        let outcomes: [RoundResult.Outcome] = (0..<500).map { _ in
            generator.once(in: 3)
                ? .passed(.noBids)
                : .sold(to: generator.once(in: 2) ? ann : bo, price: Money(minorUnits: generator.amount(1...900)))
        }
        let results = results(outcomes)
        #expect(results.map(\.outcome) == outcomes)
        for person in [ann, bo] {
            let prices: [Int64] = outcomes.compactMap { outcome in
                if case .sold(let winner, let price) = outcome, winner == person { price.minorUnits } else { nil }
            }
            #expect(results.amountWon(by: person.id).minorUnits == prices.reduce(0, +))
        }
        #expect(results.amountWon(by: UserID(bits: 3)) == Money(minorUnits: 0))
    }

    @Test func `results are encoded as a list, and decoding computes the sums again`() throws {
        let ann = Person(id: UserID(bits: 1), nickname: "Ann")
        let results = results([.sold(to: ann, price: Money(minorUnits: 5)), .passed(.reserveNotMet)])
        let bytes = try JSONEncoder().encode(results)
        #expect(try JSONDecoder().decode([RoundResult].self, from: bytes) == Array(results))
        #expect(try JSONDecoder().decode(RoundResults.self, from: bytes) == results)
    }
}
