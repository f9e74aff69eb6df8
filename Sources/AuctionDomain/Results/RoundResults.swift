/// The rows of a room's finished rounds, oldest first: a value that appends in constant time while older copies exist, and
/// that keeps each member's total, so that a bid's credit check does not add up rows.
package struct RoundResults: Hashable, Sendable {
    private var rows = BTree<Int, RoundResult>()
    private var won = UserTable<Money>()

    package init() {}

    /// Sum of the prices of the items that the user won in this room; zero if none.
    package func amountWon(by user: UserID) -> Money { won[user] ?? Money(minorUnits: 0) }

    /// Whether the user won an item in this room.
    package func hasWon(_ user: UserID) -> Bool { won[user] != nil }

    /// Number of items that the user won in this room.
    package func count(wonBy user: UserID) -> Int { hasWon(user) ? count { $0.sale?.buyer.id == user } : 0 }

    /// The row of a round; nil if the round is not over.
    package func row(ofRound round: Int) -> RoundResult? { position(ofRound: round).map { self[$0] } }

    /// The position of a round's row; nil if the round is not over.
    package func position(ofRound round: Int) -> Int? {
        // Rounds are numbered from 1, and each one that is over has one row.
        let (expected, overflows) = round.subtractingReportingOverflow(1)
        if !overflows, indices.contains(expected), self[expected].round == round { return expected }
        return firstIndex { $0.round == round }
    }

    /// Changes the row of a round, and what its buyers before and after have won.
    mutating func change(_ round: Int, _ change: (inout RoundResult) -> Void) {
        guard let position = position(ofRound: round) else { return }
        let before = self[position]
        var row = before
        change(&row)
        rows[position] = row
        for user in Set([before, row].compactMap { $0.sale?.buyer.id }) {
            let prices = lazy.compactMap { $0.sale }.filter { $0.buyer.id == user }.map(\.price)
            won[user] = prices.first.map { prices.dropFirst().reduce($0, +) }
        }
    }

    /// Makes another user the buyer of what `user` won, and the seller of what they sold.
    mutating func move(from user: UserID, to buyer: Person) {
        for entry in rows.entries where entry.value.names(user) {
            rows[entry.key] = entry.value.moved(from: user, to: buyer)
        }
        guard let amount = won[user] else { return }
        won[user] = nil
        won[buyer.id] = amountWon(by: buyer.id) + amount
    }

    mutating func append(_ result: RoundResult) {
        rows[rows.count] = result
        guard let sale = result.sale else { return }
        won[sale.buyer.id] = amountWon(by: sale.buyer.id) + sale.price
    }
}

extension RoundResults: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { rows.count }

    /// The row at a position from 0, the oldest, to `count - 1`; traps outside.
    package subscript(position: Int) -> RoundResult {
        guard let row = rows[position] else {
            preconditionFailure("no row at \(position) of \(rows.count)")  // proven: as for any collection, `indices` has them
        }
        return row
    }
}

extension RoundResults: Codable {
    /// Decodes an array of rows, oldest first; throws if an element is not a row.
    package init(from decoder: any Decoder) throws {
        for row in try decoder.singleValueContainer().decode([RoundResult].self) { append(row) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(self))
    }
}
