internal import HashTreeCollections

/// The rows of a room's finished rounds, oldest first: a value that appends in constant time while older copies live on, and
/// that knows what each member has won without adding up rows for every bid.
public struct RoundResults: Hashable, Sendable {
    private var rows: TreeDictionary<Int, RoundResult> = [:]
    private var won: TreeDictionary<UserID, Money> = [:]

    public init() {}

    /// What a member has bought in this room so far.
    public func amountWon(by user: UserID) -> Money { won[user] ?? Money(minorUnits: 0) }

    mutating func append(_ result: RoundResult) {
        rows[rows.count] = result
        guard case .sold(let winner, let price) = result.outcome else { return }
        won[winner.id] = amountWon(by: winner.id) + price
    }
}

extension RoundResults: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { rows.count }

    public subscript(position: Int) -> RoundResult {
        guard let row = rows[position] else {
            preconditionFailure("no row at \(position) of \(rows.count)")  // proven: as for any collection, `indices` has them
        }
        return row
    }
}

extension RoundResults: Codable {
    public init(from decoder: any Decoder) throws {
        for row in try decoder.singleValueContainer().decode([RoundResult].self) { append(row) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(self))
    }
}
