internal import HashTreeCollections

/// The rows of a room's finished rounds, oldest first: a value that appends in constant time while older copies exist, and
/// that keeps each member's total, so that a bid's credit check does not add up rows.
package struct RoundResults: Hashable, Sendable {
    private var rows: TreeDictionary<Int, RoundResult> = [:]
    private var won: TreeDictionary<UserID, Money> = [:]

    package init() {}

    /// Sum of the prices of the items that the user won in this room; zero if none.
    package func amountWon(by user: UserID) -> Money { won[user] ?? Money(minorUnits: 0) }

    /// Whether the user won an item in this room.
    package func hasWon(_ user: UserID) -> Bool { won[user] != nil }

    /// Number of items that the user won in this room.
    package func count(wonBy user: UserID) -> Int { hasWon(user) ? count { $0.winner?.id == user } : 0 }

    /// The row of a round; nil if the round is not over.
    package func row(ofRound round: Int) -> RoundResult? {
        // Rounds are numbered from 1, and each one that is over has one row.
        if indices.contains(round - 1), self[round - 1].round == round { return self[round - 1] }
        return first { $0.round == round }
    }

    /// Makes another user the buyer of what `user` won, and the seller of what they sold.
    mutating func move(from user: UserID, to buyer: Person) {
        for (position, row) in rows where row.winner?.id == user || row.seller.id == user {
            rows[position] = row.moved(from: user, to: buyer)
        }
        guard let amount = won.removeValue(forKey: user) else { return }
        won[buyer.id] = amountWon(by: buyer.id) + amount
    }

    mutating func append(_ result: RoundResult) {
        rows[rows.count] = result
        guard case .sold(let winner, let price) = result.outcome else { return }
        won[winner.id] = amountWon(by: winner.id) + price
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
