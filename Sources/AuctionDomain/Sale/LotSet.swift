/// A set of lots, ordered by id, that is cheap to change while older copies of it exist.
struct LotSet: Hashable, Sendable {
    fileprivate struct Member: Hashable, Sendable {}

    private var tree = BTree<LotID, Member>()

    var isEmpty: Bool { tree.isEmpty }
    var count: Int { tree.count }

    func contains(_ lot: LotID) -> Bool { tree[lot] != nil }

    mutating func insert(_ lot: LotID) {
        if !contains(lot) { tree[lot] = Member() }
    }

    mutating func remove(_ lot: LotID) { tree[lot] = nil }
}

extension LotSet: Sequence {
    /// The lots in the order of their ids.
    struct Iterator: IteratorProtocol {
        private var rest: IndexingIterator<[BTree<LotID, Member>.Entry]>

        fileprivate init(_ set: LotSet) { rest = set.tree.entries.makeIterator() }

        mutating func next() -> LotID? { rest.next()?.key }
    }

    func makeIterator() -> Iterator { Iterator(self) }
}
