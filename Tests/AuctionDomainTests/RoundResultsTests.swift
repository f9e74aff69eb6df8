import AuctionTestKit
import Foundation
import Testing

@testable import AuctionDomain

struct RoundResultsTests {
    private func results(_ outcomes: [RoundResult.Outcome]) -> RoundResults {
        var results = RoundResults()
        let rules = FormatScene.rules()
        let owner = Person(id: UserID(bits: 9), nickname: "Anna")
        let item = AuctionItem(id: ItemID(bits: 1), name: "Vase", description: "", media: [], owner: owner, rules: rules)
        for (index, outcome) in outcomes.enumerated() {
            results.append(
                RoundResult(
                    round: index + 1, item: RoundResult.Item(item), outcome: outcome, bidCount: 1,
                    closedAt: Timestamp(milliseconds: 0),
                    firstSeq: index, lastSeq: index))
        }
        return results
    }

    @Test func `what a member has won is the sum of their rows`() {
        let (ann, bo) = (Person(id: UserID(bits: 1), nickname: "Ann"), Person(id: UserID(bits: 2), nickname: "Bo"))
        var dice = Dice(seed: 1)
        let outcomes: [RoundResult.Outcome] = (0..<500).map { _ in
            dice.once(in: 3)
                ? .passed(.noBids)
                : .sold(to: dice.once(in: 2) ? ann : bo, price: Money(minorUnits: dice.amount(1...900)))
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

    @Test func `rows are stored as a list, and the sums are made anew from it`() throws {
        let ann = Person(id: UserID(bits: 1), nickname: "Ann")
        let results = results([.sold(to: ann, price: Money(minorUnits: 5)), .passed(.reserveNotMet)])
        let bytes = try JSONEncoder().encode(results)
        #expect(try JSONDecoder().decode([RoundResult].self, from: bytes) == Array(results))
        #expect(try JSONDecoder().decode(RoundResults.self, from: bytes) == results)
    }
}
