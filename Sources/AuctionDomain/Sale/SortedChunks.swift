/// An element of `SortedChunks`.
protocol SortedElement: Hashable, Sendable {
    associatedtype Key: Comparable
    /// What it is sorted by; two elements of one list differ in it.
    var key: Key { get }
}

/// A sorted list in chunks none of which is empty: a change copies one chunk, not all elements, while older copies exist.
struct SortedChunks<Element: SortedElement>: Hashable, Sendable {
    private static var mostInChunk: Int { 64 }

    private var chunks: [[Element]] = []

    init() {}

    /// The list of elements that are sorted.
    init(sorted elements: [Element]) {
        chunks = stride(from: 0, to: elements.count, by: Self.mostInChunk / 2).map {
            Array(elements[$0..<min($0 + Self.mostInChunk / 2, elements.count)])
        }
    }

    var first: Element? { chunks.first?.first }
    var last: Element? { chunks.last?.last }

    /// Elements from `key` on, in order.
    func elements(from key: Element.Key) -> some Sequence<Element> {
        let start = chunk(of: key)
        return chunks[start...].lazy.joined().drop { $0.key < key }
    }

    /// How many elements are before the key.
    func count(before key: Element.Key) -> Int {
        let index = chunk(of: key)
        guard index < chunks.count else { return chunks.reduce(0) { $0 + $1.count } }
        return chunks[..<index].reduce(0) { $0 + $1.count } + Self.index(of: key, in: chunks[index])
    }

    /// The last element before the key.
    func element(before key: Element.Key) -> Element? {
        let index = chunk(of: key)
        guard index < chunks.count else { return last }
        let inside = Self.index(of: key, in: chunks[index])
        return inside > 0 ? chunks[index][inside - 1] : index > 0 ? chunks[index - 1].last : nil
    }

    mutating func insert(_ element: Element) {
        guard !chunks.isEmpty else { return chunks = [[element]] }
        let index = min(chunk(of: element.key), chunks.count - 1)
        chunks[index].insert(element, at: Self.index(of: element.key, in: chunks[index]))
        guard chunks[index].count > Self.mostInChunk else { return }
        let half = Self.mostInChunk / 2
        let upper = Array(chunks[index][half...])
        chunks[index].removeSubrange(half...)
        chunks.insert(upper, at: index + 1)
    }

    /// Removes the element with a key.
    mutating func remove(at key: Element.Key) {
        let index = chunk(of: key)
        guard index < chunks.count else { return }
        chunks[index].removeAll { $0.key == key }
        if chunks[index].isEmpty { chunks.remove(at: index) }
    }

    /// The first chunk that ends at or behind the key; `chunks.count` if none does.
    private func chunk(of key: Element.Key) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if let last = chunks[middle].last, last.key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func index(of key: Element.Key, in chunk: [Element]) -> Int {
        chunk.firstIndex { $0.key >= key } ?? chunk.count
    }
}
