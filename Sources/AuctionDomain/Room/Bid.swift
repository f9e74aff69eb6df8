/// One accepted offer. A refused one is never a bid.
public struct Bid: Hashable, Sendable, Codable {
    public let id: BidID
    /// The seq of its event: bids are ordered by it, never by time.
    public let seq: Int
    public let at: Timestamp
    public let amount: Money
    public let bidder: Person
    /// Whether it was the highest when it was placed.
    public let leading: Bool
    /// Whether the server placed it on the bidder's behalf.
    public let automatic: Bool

    public init(
        id: BidID, seq: Int, at: Timestamp, amount: Money, bidder: Person, leading: Bool, automatic: Bool
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.automatic = automatic
    }
}

/// The bids of a round in order: a value that appends in constant time while older copies live on.
///
/// A plain array would be copied whole whenever the committed room and the decided one both hold it, which is always.
public struct BidHistory: Hashable, Sendable {
    // Small: the copy that two holders of the tail force is at most this long, and half of it on average.
    private static let chunkSize = 16
    private var chunks: [[Bid]] = []
    private var tail: [Bid] = []

    public init() {}

    public var count: Int { chunks.count * Self.chunkSize + tail.count }
    public var isEmpty: Bool { tail.isEmpty && chunks.isEmpty }
    public var last: Bid? { tail.last ?? chunks.last?.last }

    mutating func append(_ bid: Bid) {
        tail.append(bid)
        if tail.count == Self.chunkSize {
            chunks.append(tail)
            tail = []
        }
    }

    /// At most `limit` bids with a seq below `seq` (all if nil), newest first.
    public func newest(before seq: Int?, limit: Int) -> [Bid] {
        var page: [Bid] = []
        for chunk in CollectionOfOne(tail[...]) + chunks.reversed().map({ $0[...] }) {
            if let seq, let first = chunk.first, first.seq >= seq { continue }
            for bid in chunk.reversed() where seq.map({ bid.seq < $0 }) ?? true {
                guard page.count < limit else { return page }
                page.append(bid)
            }
        }
        return page
    }

    /// Whether somebody has bid; looks at every bid, so it is not for the way of a bid.
    public func contains(bidder: UserID) -> Bool {
        tail.contains { $0.bidder.id == bidder } || chunks.contains { $0.contains { $0.bidder.id == bidder } }
    }

    /// All bids, oldest first.
    public var all: [Bid] { chunks.flatMap { $0 } + tail }
}

extension BidHistory: Codable {
    public init(from decoder: any Decoder) throws {
        for bid in try decoder.singleValueContainer().decode([Bid].self) { append(bid) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all)
    }
}
