internal import HashTreeCollections

/// The bids of a round in order: a value that appends in constant time while older copies live on.
///
/// A plain array would be copied whole whenever the committed room and the decided one both hold it, which is always; full
/// chunks are kept in a tree, for the same reason.
public struct BidHistory: Hashable, Sendable {
    // Small: the copy that two holders of the tail force is at most this long, and half of it on average.
    private static let chunkSize = 16
    private var chunks: TreeDictionary<Int, [Bid]> = [:]
    private var tail: [Bid] = []
    /// Where each bidder's latest explicit bid stands.
    private var latest: TreeDictionary<UserID, Int> = [:]

    public init() {}

    /// How many people have placed a bid themselves.
    public var bidderCount: Int { latest.count }

    public var count: Int { chunks.count * Self.chunkSize + tail.count }
    public var isEmpty: Bool { tail.isEmpty && chunks.isEmpty }
    public var last: Bid? { tail.last ?? chunks[chunks.count - 1]?.last }

    /// The bid at a place; the oldest is at 0.
    public subscript(index: Int) -> Bid {
        chunks[index / Self.chunkSize]?[index % Self.chunkSize] ?? tail[index - chunks.count * Self.chunkSize]
    }

    /// The latest bid that a member placed themself.
    public func latest(of bidder: UserID) -> Bid? { latest[bidder].map { self[$0] } }

    mutating func append(_ bid: Bid) {
        if !bid.automatic { latest[bid.bidder.id] = count }
        tail.append(bid)
        if tail.count == Self.chunkSize {
            chunks[chunks.count] = tail
            tail = []
        }
    }

    /// At most `limit` bids with a seq below `seq` (all if nil), newest first.
    public func newest(before seq: Int?, limit: Int) -> [Bid] {
        var page: [Bid] = []
        for number in stride(from: chunks.count, through: 0, by: -1) {
            let chunk = chunks[number] ?? tail
            if let seq, let first = chunk.first, first.seq >= seq { continue }
            for bid in chunk.reversed() where seq.map({ bid.seq < $0 }) ?? true {
                guard page.count < limit else { return page }
                page.append(bid)
            }
        }
        return page
    }

    /// The latest bid that somebody placed themself.
    public var latestExplicit: Bid? { latest { !$0.automatic } }

    /// The latest bid that led when it was placed.
    public var latestLeading: Bid? { latest { $0.leading } }

    private func latest(where matches: (Bid) -> Bool) -> Bid? {
        for index in stride(from: count - 1, through: 0, by: -1) where matches(self[index]) { return self[index] }
        return nil
    }

    /// Whether somebody has placed a bid themself.
    public func contains(bidder: UserID) -> Bool { latest[bidder] != nil }

    /// The history without some bids; looks at every bid.
    func removing(_ removed: [BidID]) -> BidHistory {
        var rest = BidHistory()
        for bid in all where !removed.contains(bid.id) { rest.append(bid) }
        return rest
    }

    /// All bids, oldest first.
    public var all: [Bid] { (0..<chunks.count).flatMap { chunks[$0] ?? [] } + tail }
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
