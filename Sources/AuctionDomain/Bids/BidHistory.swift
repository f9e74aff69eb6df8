/// The bids of a round in order: a value that appends, and removes its newest bids, in constant time while older copies
/// exist.
///
/// An array would be copied on every append, because the committed room and the decided one always share it; full chunks are
/// in a tree for the same reason. Indexes of earlier bids are stored with each bid, so no query scans backwards over the bids,
/// whose number any member can increase.
package struct BidHistory: Hashable, Sendable {
    /// A bid with the indexes of earlier bids that queries need. A class, as an append to a shared tail copies its entries.
    private final class Entry: Hashable, Sendable {
        let bid: Bid
        /// Index of the bidder's previous own bid.
        let previousOfBidder: Place
        /// Index of the latest explicit bid, this one included.
        let latestExplicit: Place
        /// Index of the latest bid that led when it was placed, this one included.
        let latestLeading: Place

        init(bid: Bid, previousOfBidder: Place, latestExplicit: Place, latestLeading: Place) {
            self.bid = bid
            self.previousOfBidder = previousOfBidder
            self.latestExplicit = latestExplicit
            self.latestLeading = latestLeading
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left === right
                || left.bid == right.bid && left.previousOfBidder == right.previousOfBidder
                    && left.latestExplicit == right.latestExplicit && left.latestLeading == right.latestLeading
        }

        func hash(into hasher: inout Hasher) { hasher.combine(bid) }
    }

    /// An optional index in four bytes: three of them fit into the alignment padding behind a bid.
    private struct Place: Hashable, Sendable {
        static let absent = Place(number: -1)
        private let number: Int32

        private init(number: Int32) { self.number = number }
        init(_ index: Int) { number = Int32(truncatingIfNeeded: index) }

        var index: Int? { number < 0 ? nil : Int(number) }
    }

    // Small: an append to a shared tail copies at most this many entries, half of them on average.
    private static let chunkSize = 16
    private var chunks = BTree<Int, [Entry]>()
    private var tail: [Entry] = []
    /// Index of each bidder's latest own bid (`BidOrigin.isOwn`).
    private var latest = UserTable<Place>()

    package init() {}

    /// - Parameter bids: Oldest first.
    package init(_ bids: [Bid]) {
        var builder = Builder(count: bids.count)
        for bid in bids { builder.add(bid) }
        self = builder.history()
    }

    /// Makes a history of many bids in a fraction of the time that appending them takes, and with no more memory than they need.
    package struct Builder: ~Copyable {
        private var made = BidHistory()
        private var left: Int
        private var newest: [UserID: Place] = [:]
        private var (explicit, leading) = (Place.absent, Place.absent)

        /// - Parameter count: How many bids will be added.
        package init(count: Int) { left = count }

        /// Adds the next bid, the oldest first.
        package mutating func add(_ bid: Bid) {
            if made.tail.isEmpty { made.tail.reserveCapacity(max(1, min(chunkSize, left))) }
            left -= 1
            let place = Place(made.count)
            var previous: Place?
            if bid.origin.isOwn { previous = newest.updateValue(place, forKey: bid.bidder.id) }
            if !bid.automatic { explicit = place }
            if bid.leading { leading = place }
            made.tail.append(
                Entry(bid: bid, previousOfBidder: previous ?? .absent, latestExplicit: explicit, latestLeading: leading))
            made.endChunk()
        }

        /// The history of the bids that were added.
        package consuming func history() -> BidHistory {
            made.latest = UserTable(newest)
            return made
        }
    }

    /// Number of bids that were not retracted, automatic ones included.
    package var count: Int { chunks.count * Self.chunkSize + tail.count }
    /// True also after every bid was retracted.
    package var isEmpty: Bool { tail.isEmpty && chunks.isEmpty }
    /// The newest bid, explicit or automatic; nil without a bid.
    package var last: Bid? { lastEntry?.bid }

    /// The bid at an index from 0, the oldest, to `count - 1`; traps outside.
    package subscript(index: Int) -> Bid { entry(at: index).bid }

    /// The latest own bid of the user (`BidOrigin.isOwn`); nil if there is none.
    package func latest(of bidder: UserID) -> Bid? { latest[bidder]?.index.map { self[$0] } }

    /// The own bid (`BidOrigin.isOwn`) with this id; nil if it is not the latest explicit one and not among `candidates`.
    package func own(_ id: BidID) -> Bid? {
        if let latestExplicit, latestExplicit.id == id { return latestExplicit }
        return candidates(for: id).first { $0.id == id && $0.origin.isOwn }
    }

    /// The bids that show what absentee bids made of the opening, without retracted ones: two at most, the first of the round.
    var ofOpening: some Collection<Bid> { (0..<count).lazy.map { self[$0] }.prefix { $0.origin == .absentee } }

    /// The bids of the instant with which an id begins, and some after it.
    ///
    /// Bids have ids of the instant at which they were accepted, or left before the opening. In logs of 1.0 those of a node whose clock was behind have an older one.
    func candidates(for id: BidID) -> some Collection<Bid> {
        let instant = Int64(id.bits >> 80)
        let end = firstIndex { $0.at.milliseconds > instant }
        let indexes = firstIndex { $0.at.milliseconds >= instant }..<min(count, end + Self.searchedLater)
        return indexes.lazy.map { self[$0] }
    }

    /// Most bids of later instants that are compared with an id, since any member can increase their number.
    static let searchedLater = 1000

    /// The own bid with this id of this bidder; nil if there is none. Visits the bidder's later ones.
    func own(_ id: BidID, of bidder: UserID) -> Bid? { ownPlaces(of: bidder).lazy.map { self[$0] }.first { $0.id == id } }

    /// The bids after this one, oldest first.
    func after(_ bid: Bid) -> some Collection<Bid> { (firstIndex { $0.seq > bid.seq }..<count).lazy.map { self[$0] } }

    /// The latest explicit (not automatic) bid of any user; nil if there is none.
    package var latestExplicit: Bid? { lastEntry?.latestExplicit.index.map { self[$0] } }

    /// The latest bid that led when it was placed; nil if there is none.
    package var latestLeading: Bid? { lastEntry?.latestLeading.index.map { self[$0] } }

    /// The newest bid, explicit or automatic, of another bidder than this one; nil if there is none. Only a few of one bidder follow each other.
    func newest(otherThan bidder: UserID) -> Bid? {
        (0..<count).reversed().lazy.map { self[$0] }.first { $0.bidder.id != bidder }
    }

    /// Whether the user has an own bid.
    package func contains(bidder: UserID) -> Bool { latest[bidder] != nil }

    /// At most `limit` bids with a seq below `seq` (all if nil), newest first.
    package func newest(before seq: Int?, limit: Int) -> [Bid] {
        let end = seq.map { seq in firstIndex { $0.seq >= seq } } ?? count
        return (max(0, end - max(0, limit))..<end).reversed().map { self[$0] }
    }

    /// The latest own bid of each bidder, oldest first.
    var standing: [Bid] { latest.values.compactMap(\.index).sorted().map { self[$0] } }

    /// The users with an own bid, ordered by id.
    package var bidders: [UserID] { latest.sorted.map(\.user) }

    /// All bids, oldest first.
    package var all: [Bid] { (chunks.entries.flatMap(\.value) + tail).map(\.bid) }

    mutating func append(_ bid: Bid) {
        let place = Place(count)
        let before = lastEntry
        tail.append(
            Entry(
                bid: bid, previousOfBidder: (bid.origin.isOwn ? latest[bid.bidder.id] : nil) ?? .absent,
                latestExplicit: bid.automatic ? before?.latestExplicit ?? .absent : place,
                latestLeading: bid.leading ? place : before?.latestLeading ?? .absent))
        if bid.origin.isOwn { latest[bid.bidder.id] = place }
        endChunk()
    }

    private mutating func endChunk() {
        guard tail.count == Self.chunkSize else { return }
        chunks[chunks.count] = tail
        tail = []
    }

    /// Makes `user` the bidder of all bids of `bidder`.
    /// - Returns: how many bids were copied: those in chunks with a bid of either.
    @discardableResult
    mutating func move(from bidder: UserID, to user: Person) -> Int {
        let own = (Array(ownPlaces(of: bidder)) + ownPlaces(of: user.id)).sorted()
        let previous = Dictionary(uniqueKeysWithValues: zip(own, [Place.absent] + own.map { Place($0) }))
        var copied = 0
        func moved(_ chunk: [Entry], from first: Int) -> [Entry]? {
            guard chunk.contains(where: { $0.bid.bidder.id == bidder || $0.bid.bidder.id == user.id }) else { return nil }
            copied += chunk.count
            return chunk.enumerated().map { offset, entry in
                Entry(
                    bid: entry.bid.bidder.id == bidder ? entry.bid.placed(by: user) : entry.bid,
                    previousOfBidder: previous[first + offset] ?? entry.previousOfBidder,
                    latestExplicit: entry.latestExplicit, latestLeading: entry.latestLeading)
            }
        }
        for chunk in chunks.entries {
            if let moved = moved(chunk.value, from: chunk.key * Self.chunkSize) { chunks[chunk.key] = moved }
        }
        tail = moved(tail, from: chunks.count * Self.chunkSize) ?? tail
        latest[bidder] = nil
        if let newest = own.last { latest[user.id] = Place(newest) }
        return copied
    }

    /// Updates the nickname of a bidder.
    mutating func rename(_ person: Person) {
        func renamed(_ chunk: [Entry]) -> [Entry]? {
            guard chunk.contains(where: { $0.bid.bidder.id == person.id }) else { return nil }
            return chunk.map { entry in
                guard entry.bid.bidder.id == person.id else { return entry }
                return Entry(
                    bid: entry.bid.placed(by: person), previousOfBidder: entry.previousOfBidder,
                    latestExplicit: entry.latestExplicit, latestLeading: entry.latestLeading)
            }
        }
        for chunk in chunks.entries {
            if let renamed = renamed(chunk.value) { chunks[chunk.key] = renamed }
        }
        tail = renamed(tail) ?? tail
    }

    /// Indexes of the user's own bids, newest first.
    private func ownPlaces(of bidder: UserID) -> some Sequence<Int> {
        sequence(state: latest[bidder]?.index) { next in
            let place = next
            next = place.flatMap { entry(at: $0).previousOfBidder.index }
            return place
        }
    }

    /// Removes bids.
    /// - Returns: how many bids were visited: the oldest removed one and all after it.
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

    /// Removes an own bid that is not the latest explicit one, with the automatic bids that it caused. The bids that competed with it
    /// lead instead, in their order, each at its own amount: everyone after the first had to outbid the maximum of the one before.
    /// Of two absentee bids each competed with the other, whichever is first.
    /// - Returns: how many bids were visited, the removed one and all after it, and the seqs of those that lead instead.
    @discardableResult
    mutating func removeEarlier(_ gone: Bid, _ removed: [BidID]) -> (visited: Int, changedSeqs: [Int]) {
        let removed = Set(removed)
        var changedSeqs: [Int] = []
        var beaten = gone.beatenMaximum
        var isOpposed = gone.leading || gone.origin == .absentee
        var later: [Bid] = []
        while let last, last.seq >= gone.seq || gone.origin == .absentee && last.origin == .absentee {
            later.append(last)
            _ = removeLast()
        }
        for bid in later.reversed() where !removed.contains(bid.id) {
            append(isOpposed ? bid.leading(over: beaten) : bid)
            guard isOpposed else { continue }
            changedSeqs.append(bid.seq)
            beaten = bid.offeredMaximum
            isOpposed = !bid.leading
        }
        return (later.count, changedSeqs)
    }

    /// The bid with this seq; nil if it was removed.
    func bid(withSeq seq: Int) -> Bid? {
        newest(before: seq + 1, limit: 1).first.flatMap { $0.seq == seq ? $0 : nil }
    }

    private mutating func removeLast() -> Bid? {
        if tail.isEmpty {
            tail = chunks[chunks.count - 1] ?? []
            chunks[chunks.count - 1] = nil
        }
        guard let gone = tail.popLast() else { return nil }
        if gone.bid.origin.isOwn {
            latest[gone.bid.bidder.id] = gone.previousOfBidder == .absent ? nil : gone.previousOfBidder
        }
        return gone.bid
    }

    private var lastEntry: Entry? { tail.last ?? chunks[chunks.count - 1]?.last }

    private func entry(at index: Int) -> Entry {
        chunks[index / Self.chunkSize]?[index % Self.chunkSize] ?? tail[index - chunks.count * Self.chunkSize]
    }

    /// The index of the first bid that is late enough, where all after it are too; `count` if none is.
    private func firstIndex(_ isLate: (Bid) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isLate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension BidHistory: Codable {
    /// Decodes an array of bids, oldest first; throws if an element is not a bid.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Bid].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all)
    }
}
