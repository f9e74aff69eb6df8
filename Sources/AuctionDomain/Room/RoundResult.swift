/// How a finished round ended: a row of the room's results.
public struct RoundResult: Hashable, Sendable, Codable {
    public enum Outcome: Hashable, Sendable, Codable {
        case sold(to: Person, price: Money)
        case passed(PassReason)
    }

    public let round: Int
    public let item: AuctionItem
    public let outcome: Outcome
    public let bidCount: Int
    public let closedAt: Timestamp
    /// The seqs of the round's first and last event: where its bids are found in the log.
    public let firstSeq: Int
    public let lastSeq: Int

    public init(
        round: Int, item: AuctionItem, outcome: Outcome, bidCount: Int, closedAt: Timestamp, firstSeq: Int, lastSeq: Int
    ) {
        self.round = round
        self.item = item
        self.outcome = outcome
        self.bidCount = bidCount
        self.closedAt = closedAt
        self.firstSeq = firstSeq
        self.lastSeq = lastSeq
    }
}

/// Why nobody got the item.
public enum PassReason: String, Hashable, Sendable, Codable {
    case noBids = "no_bids"
    case reserveNotMet = "reserve_not_met"
}

extension Room {
    /// How the current round ended; nil while it goes on.
    public var currentResult: RoundResult? { results.last.flatMap { $0.round == round ? $0 : nil } }
}
