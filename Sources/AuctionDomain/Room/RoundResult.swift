/// How a finished round ended: a row of the room's results.
public struct RoundResult: Hashable, Sendable, Codable {
    public enum Outcome: Hashable, Sendable, Codable {
        case sold(to: Person, price: Money)
        case passed(PassReason)
    }

    /// What a row keeps of the item; in whole it is in the log, where it was uploaded.
    public struct Item: Hashable, Sendable, Codable {
        public let id: ItemID
        public let name: String
        /// Decides which of the round's bids are shown to whom.
        public let format: AuctionFormatName

        public init(_ item: AuctionItem) {
            id = item.id
            name = item.name
            format = item.rules.format
        }
    }

    public let round: Int
    public let item: Item
    public let outcome: Outcome
    public let bidCount: Int
    public let closedAt: Timestamp
    /// The seqs of the round's first and last event: where its bids are found in the log.
    public let firstSeq: Int
    public let lastSeq: Int
    /// The seqs of the bids that were taken back, so that a reader of any part of the round knows them.
    public let retractedSeqs: [Int]

    public init(
        round: Int, item: Item, outcome: Outcome, bidCount: Int, closedAt: Timestamp, firstSeq: Int, lastSeq: Int,
        retractedSeqs: [Int] = []
    ) {
        self.retractedSeqs = retractedSeqs
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
    /// Keeps the seqs of bids that are about to be removed; they stand at the end of the history.
    mutating func keepSeqs(of retracted: BidRetracted) {
        var (missing, index) = (Set(retracted.removed), bids.count - 1)
        while !missing.isEmpty, index >= 0 {
            let bid = bids[index]
            if missing.remove(bid.id) != nil { retractedSeqs.append(bid.seq) }
            index -= 1
        }
    }

    /// How the current round ended; nil while it goes on.
    public var currentResult: RoundResult? { results.last.flatMap { $0.round == round ? $0 : nil } }
}
