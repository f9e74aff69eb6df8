/// The order of a room's lots: a value in which placing and moving one lot costs about the same among ten as among ten thousand.
///
/// Each lot has a number, its place, and places rise along the order. A lot between two others gets the number half way between theirs;
/// where there is none left, the numbers nearby are spread again.
struct LotOrder: Hashable, Sendable {
    /// A lot and its place.
    struct Entry: SortedElement {
        let lot: LotID
        var place: UInt64

        var key: UInt64 { place }
    }

    /// Distance between lots that were added at the end.
    static let distance: UInt64 = 1 << 32

    private var sorted = SortedChunks<Entry>()

    init() {}

    /// The order of entries that are sorted by place.
    init(sorted entries: [Entry]) { sorted = SortedChunks(sorted: entries) }

    var last: Entry? { sorted.last }

    /// Entries from `place` on, in order.
    func entries(from place: UInt64) -> some Sequence<Entry> { sorted.elements(from: place) }

    /// How many lots are before the place.
    func count(before place: UInt64) -> Int { sorted.count(before: place) }

    /// Adds a lot before the one at `next`, or at the end.
    /// - Parameter next: The place of a lot; nil: the end.
    /// - Returns: Every lot whose place is new or has changed.
    mutating func insert(_ lot: LotID, before next: UInt64?) -> [Entry] {
        guard let next else {
            let entry = Entry(lot: lot, place: (last?.place ?? 0) + Self.distance)
            sorted.insert(entry)
            return [entry]
        }
        let low = sorted.element(before: next)?.place ?? 0
        if next - low > 1 {
            let entry = Entry(lot: lot, place: low + (next - low) / 2)
            sorted.insert(entry)
            return [entry]
        }
        return spread(adding: lot, before: next)
    }

    /// Removes the lot at a place.
    mutating func remove(at place: UInt64) { sorted.remove(at: place) }

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
            for entry in placed { sorted.insert(entry) }
            return placed
        }
        preconditionFailure("more than 10^11 lots")  // proven: 1.5^63 are allowed in the largest range
    }
}
