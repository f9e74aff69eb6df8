internal import HashTreeCollections

/// The bids of a round in order: a value that appends, and takes its newest bids back, in constant time while older copies
/// live on.
///
/// A plain array would be copied whole whenever the committed room and the decided one both hold it, which is always; full
/// chunks are kept in a tree, for the same reason. What is asked of the past is written beside each bid, so no question
/// scans backwards over bids that any member may pile up.
public struct BidHistory: Hashable, Sendable {
    /// A bid and what was before it.
    private struct Entry: Hashable, Sendable {
        let bid: Bid
        /// Where the bidder's explicit bid before this one stands.
        let previousOfBidder: Place
        /// Where the latest explicit bid stands, this one included.
        let latestExplicit: Place
        /// Where the latest bid stands that led when it was placed, this one included.
        let latestLeading: Place
    }

    /// An index, or none, in four bytes: three of them fit into what alignment leaves unused behind a bid.
    private struct Place: Hashable, Sendable {
        static let absent = Place(number: -1)
        private let number: Int32

        private init(number: Int32) { self.number = number }
        init(_ index: Int) { number = Int32(truncatingIfNeeded: index) }

        var index: Int? { number < 0 ? nil : Int(number) }
    }

    // Small: the copy that two holders of the tail force is at most this long, and half of it on average.
    private static let chunkSize = 16
    private var chunks: TreeDictionary<Int, [Entry]> = [:]
    private var tail: [Entry] = []
    /// Where each bidder's latest explicit bid stands.
    private var latest: TreeDictionary<UserID, Place> = [:]

    public init() {}

    /// How many people have placed a bid themselves.
    public var bidderCount: Int { latest.count }

    public var count: Int { chunks.count * Self.chunkSize + tail.count }
    public var isEmpty: Bool { tail.isEmpty && chunks.isEmpty }
    public var last: Bid? { lastEntry?.bid }

    /// The bid at a place; the oldest is at 0.
    public subscript(index: Int) -> Bid { entry(at: index).bid }

    /// The latest bid that a member placed themself.
    public func latest(of bidder: UserID) -> Bid? { latest[bidder]?.index.map { self[$0] } }

    /// The latest bid that its bidder placed themself.
    public var latestExplicit: Bid? { lastEntry?.latestExplicit.index.map { self[$0] } }

    /// The latest bid that led when it was placed.
    public var latestLeading: Bid? { lastEntry?.latestLeading.index.map { self[$0] } }

    /// The bids after the latest explicit one, oldest first: all of them automatic.
    var afterLatestExplicit: [Bid] {
        let first = lastEntry?.latestExplicit.index.map { $0 + 1 } ?? 0
        return (first..<count).map { self[$0] }
    }

    /// Whether a member has placed a bid themself.
    public func contains(bidder: UserID) -> Bool { latest[bidder] != nil }

    /// At most `limit` bids with a seq below `seq` (all if nil), newest first.
    public func newest(before seq: Int?, limit: Int) -> [Bid] {
        let end = seq.map(firstIndex(from:)) ?? count
        return (max(0, end - max(0, limit))..<end).reversed().map { self[$0] }
    }

    /// The latest bid of each bidder, in order.
    var standing: [Bid] { latest.values.compactMap(\.index).sorted().map { self[$0] } }

    /// All bids, oldest first.
    public var all: [Bid] { ((0..<chunks.count).flatMap { chunks[$0] ?? [] } + tail).map(\.bid) }

    mutating func append(_ bid: Bid) {
        let place = Place(count)
        let before = lastEntry
        tail.append(
            Entry(
                bid: bid, previousOfBidder: (bid.automatic ? nil : latest[bid.bidder.id]) ?? .absent,
                latestExplicit: bid.automatic ? before?.latestExplicit ?? .absent : place,
                latestLeading: bid.leading ? place : before?.latestLeading ?? .absent))
        if !bid.automatic { latest[bid.bidder.id] = place }
        if tail.count == Self.chunkSize {
            chunks[chunks.count] = tail
            tail = []
        }
    }

    /// Takes bids back.
    /// - Returns: how many bids were visited: those since the oldest removed one, whatever stands before it.
    @discardableResult
    mutating func remove(_ removed: [BidID]) -> Int {
        var missing = removed
        var kept: [Bid] = []
        var visited = 0
        while !missing.isEmpty, let newest = removeLast() {
            visited += 1
            if let place = missing.firstIndex(of: newest.id) { missing.remove(at: place) } else { kept.append(newest) }
        }
        for bid in kept.reversed() { append(bid) }
        return visited
    }

    private mutating func removeLast() -> Bid? {
        if tail.isEmpty { tail = chunks.removeValue(forKey: chunks.count - 1) ?? [] }
        guard let gone = tail.popLast() else { return nil }
        if !gone.bid.automatic {
            latest[gone.bid.bidder.id] = gone.previousOfBidder == .absent ? nil : gone.previousOfBidder
        }
        return gone.bid
    }

    private var lastEntry: Entry? { tail.last ?? chunks[chunks.count - 1]?.last }

    private func entry(at index: Int) -> Entry {
        chunks[index / Self.chunkSize]?[index % Self.chunkSize] ?? tail[index - chunks.count * Self.chunkSize]
    }

    /// The index of the first bid with at least this seq.
    private func firstIndex(from seq: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
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
