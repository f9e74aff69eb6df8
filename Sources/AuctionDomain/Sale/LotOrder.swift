/// The order of a room's lots: a value in which placing and moving one lot costs about the same among ten as among ten thousand.
///
/// Each lot has a number, its place, and places rise along the order. A lot between two others gets the number half way between theirs;
/// where there is none left, the numbers nearby are spread again.
struct LotOrder: Hashable, Sendable {
    /// A lot and its place.
    struct Entry: Hashable, Sendable {
        let lot: LotID
        var place: UInt64
    }

    /// Distance between lots that were added at the end.
    static let distance: UInt64 = 1 << 32
    private static let mostInChunk = 64

    /// Sorted by place, in chunks none of which is empty: a change copies one chunk, not all entries.
    private var chunks: [[Entry]] = []

    init() {}

    /// The order of entries that are sorted by place.
    init(sorted entries: [Entry]) {
        chunks = stride(from: 0, to: entries.count, by: Self.mostInChunk / 2).map {
            Array(entries[$0..<min($0 + Self.mostInChunk / 2, entries.count)])
        }
    }

    var first: Entry? { chunks.first?.first }
    var last: Entry? { chunks.last?.last }

    /// Entries from `place` on, in order.
    func entries(from place: UInt64) -> some Sequence<Entry> {
        let start = chunk(of: place)
        return chunks[start...].lazy.joined().drop { $0.place < place }
    }

    /// How many lots are before the place.
    func count(before place: UInt64) -> Int {
        let index = chunk(of: place)
        guard index < chunks.count else { return chunks.reduce(0) { $0 + $1.count } }
        return chunks[..<index].reduce(0) { $0 + $1.count } + Self.index(of: place, in: chunks[index])
    }

    /// Adds a lot before the one at `next`, or at the end.
    /// - Parameter next: The place of a lot; nil: the end.
    /// - Returns: Every lot whose place is new or has changed.
    mutating func insert(_ lot: LotID, before next: UInt64?) -> [Entry] {
        guard let next else {
            let entry = Entry(lot: lot, place: (last?.place ?? 0) + Self.distance)
            insert(entry)
            return [entry]
        }
        let low = place(before: next) ?? 0
        if next - low > 1 {
            let entry = Entry(lot: lot, place: low + (next - low) / 2)
            insert(entry)
            return [entry]
        }
        return spread(adding: lot, before: next)
    }

    /// Removes the lot at a place.
    mutating func remove(at place: UInt64) {
        let index = chunk(of: place)
        guard index < chunks.count else { return }
        chunks[index].removeAll { $0.place == place }
        if chunks[index].isEmpty { chunks.remove(at: index) }
    }

    // MARK: - Chunks

    /// The first chunk that ends at or behind the place; `chunks.count` if none does.
    private func chunk(of place: UInt64) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if let last = chunks[middle].last, last.place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func index(of place: UInt64, in chunk: [Entry]) -> Int {
        chunk.firstIndex { $0.place >= place } ?? chunk.count
    }

    private func place(before next: UInt64) -> UInt64? {
        let index = chunk(of: next)
        guard index < chunks.count else { return last?.place }
        let inside = Self.index(of: next, in: chunks[index])
        return inside > 0 ? chunks[index][inside - 1].place : index > 0 ? chunks[index - 1].last?.place : nil
    }

    private mutating func insert(_ entry: Entry) {
        guard !chunks.isEmpty else { return chunks = [[entry]] }
        let index = min(chunk(of: entry.place), chunks.count - 1)
        chunks[index].insert(entry, at: Self.index(of: entry.place, in: chunks[index]))
        guard chunks[index].count > Self.mostInChunk else { return }
        let half = Self.mostInChunk / 2
        let upper = Array(chunks[index][half...])
        chunks[index].removeSubrange(half...)
        chunks.insert(upper, at: index + 1)
    }

    // MARK: - Spreading

    /// Spreads the lots around `next` over the smallest range of places that is sparse enough, with `lot` before it.
    ///
    /// The ranges are aligned and double in size, and the larger one is, the sparser it has to be; so a range is spread again only
    /// after about as many insertions into it as it has lots.
    private mutating func spread(adding lot: LotID, before next: UInt64) -> [Entry] {
        var allowed = 1.0
        for bits in UInt64(1)..<64 {
            allowed *= 1.5
            let size = UInt64(1) << bits
            let start = next & ~(size - 1)
            let inside = entries(from: start).prefix { $0.place - start < size }
            var lots = inside.map(\.lot)
            guard Double(lots.count + 1) <= allowed, let position = inside.map(\.place).firstIndex(of: next) else { continue }
            for entry in inside.map(\.place) { remove(at: entry) }
            lots.insert(lot, at: position)
            let step = size / UInt64(lots.count)
            // Not at 0, before which nothing could be inserted.
            let placed = lots.enumerated().map { Entry(lot: $1, place: start + UInt64($0) * step + step / 2) }
            for entry in placed { insert(entry) }
            return placed
        }
        preconditionFailure("more than 10^11 lots")  // proven: 1.5^63 are allowed in the largest range
    }
}
