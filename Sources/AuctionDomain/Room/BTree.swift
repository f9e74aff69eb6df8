/// A dictionary in the order of its keys that is cheap to change while older copies of it exist: a change copies one path of a B-tree.
///
/// Few entries are one array, which is copied as a whole: copying the nodes of even a small tree costs several times as much. Its functions
/// are few and short, because the compiler makes all of them for each pair of types ("A release optimises what requests go through" in
/// DecisionsOnTheCore.md).
struct BTree<Key: Hashable & Comparable & Sendable, Value: Equatable & Sendable>: Sendable {
    /// A key with its value.
    struct Entry: Equatable, Sendable {
        let key: Key
        fileprivate(set) var value: Value
    }

    private enum Node: Sendable {
        case leaf([Entry])
        case branch([Child])
    }

    private struct Child: Sendable {
        /// No key of the node is less. Not used of the first child, which has all keys below that of the second.
        var least: Key
        var node: Node
    }

    /// Most entries of a leaf, and most children of a branch.
    private static var mostInNode: Int { 16 }

    private var root = Node.leaf([])
    /// Number of keys.
    private(set) var count = 0

    init() {}

    var isEmpty: Bool { count == 0 }

    /// All entries, ordered by key.
    var entries: [Entry] {
        if case .leaf(let entries) = root { return entries }
        var all: [Entry] = []
        all.reserveCapacity(count)
        Self.append(root, to: &all)
        return all
    }

    /// The value of a key; nil removes it.
    subscript(key: Key) -> Value? {
        get { Self.value(of: key, in: root) }
        set { if let newValue { set(key, newValue) } else { remove(key) } }
    }

    /// Whether a value matches; none is copied.
    func contains(where matches: (Value) -> Bool) -> Bool { Self.contains(in: root, where: matches) }

    @inline(never)
    private mutating func set(_ key: Key, _ value: Value) {
        var isNew = false
        guard let right = Self.set(key, value, in: &root, &isNew) else {
            if isNew { count += 1 }
            return
        }
        // The key of the first child is not used.
        root = .branch([Child(least: right.least, node: root), right])
        count += 1
    }

    @inline(never)
    private mutating func remove(_ key: Key) {
        guard self[key] != nil else { return }
        Self.remove(key, in: &root)
        count -= 1
        while case .branch(let children) = root, children.count == 1 { root = children[0].node }
    }
}

// A node that is changed leaves its place meanwhile: the array would be copied if the place shared it.
extension BTree {
    private static func value(of key: Key, in node: Node) -> Value? {
        switch node {
        case .leaf(let entries):
            // By index: an element by itself would be a copy. Of so few the search from the start is the cheapest.
            for index in entries.indices where entries[index].key == key { return entries[index].value }
            return nil
        case .branch(let children): return value(of: key, in: children[child(of: key, in: children)].node)
        }
    }

    /// Sets the value of a key.
    /// - Returns: The node to put behind this one, which was full; nil: none.
    private static func set(_ key: Key, _ value: Value, in node: inout Node, _ isNew: inout Bool) -> Child? {
        switch node {
        case .leaf(var entries):
            node = .leaf([])
            let position = position(of: key, in: entries)
            if position < entries.count, entries[position].key == key {
                entries[position].value = value
                node = .leaf(entries)
                return nil
            }
            isNew = true
            let right = insert(Entry(key: key, value: value), at: position, in: &entries)
            node = .leaf(entries)
            return right.first.map { Child(least: $0.key, node: .leaf(right)) }
        case .branch(var children):
            node = .leaf([])
            let position = child(of: key, in: children)
            var right: [Child] = []
            if let split = set(key, value, in: &children[position].node, &isNew) {
                right = insert(split, at: position + 1, in: &children)
            }
            node = .branch(children)
            return right.first.map { Child(least: $0.least, node: .branch(right)) }
        }
    }

    /// Inserts an element.
    /// - Returns: The elements that are behind it or before it in another node, if this one was full: half of them; none but the new one
    ///   if it is the last, so that keys which come in order fill their nodes.
    private static func insert<Element>(_ element: Element, at position: Int, in node: inout [Element]) -> [Element] {
        guard node.count == mostInNode else {
            node.insert(element, at: position)
            return []
        }
        if position == mostInNode { return [element] }
        let half = mostInNode / 2
        var right = Array(node[half...])
        node.removeSubrange(half...)
        if position <= half { node.insert(element, at: position) } else { right.insert(element, at: position - half) }
        return right
    }

    /// Removes a key that the node has.
    private static func remove(_ key: Key, in node: inout Node) {
        switch node {
        case .leaf(var entries):
            node = .leaf([])
            entries.remove(at: position(of: key, in: entries))
            node = .leaf(entries)
        case .branch(var children):
            node = .leaf([])
            let position = child(of: key, in: children)
            remove(key, in: &children[position].node)
            join(max(1, position), in: &children)
            node = .branch(children)
        }
    }

    /// Joins a child with the one before, if one is empty, or both together fill no more than three quarters of a node.
    private static func join(_ position: Int, in children: inout [Child]) {
        guard position < children.count else { return }
        let right = children[position]
        switch (children[position - 1].node, right.node) {
        case (.leaf(let first), .leaf(let second)) where fits(first.count, second.count):
            children[position - 1].node = .leaf(first + second)
        case (.branch(let first), .branch(var second)) where fits(first.count, second.count):
            second[0].least = right.least
            children[position - 1].node = .branch(first + second)
        default: return
        }
        children.remove(at: position)
    }

    private static func fits(_ one: Int, _ other: Int) -> Bool { one == 0 || other == 0 || one + other <= mostInNode * 3 / 4 }

    /// The first position whose key is not less.
    private static func position(of key: Key, in entries: [Entry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The position of the child that has the key, if any has.
    private static func child(of key: Key, in children: [Child]) -> Int {
        var (low, high) = (1, children.count)
        while low < high {
            let middle = (low + high) / 2
            if children[middle].least <= key { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    private static func append(_ node: Node, to entries: inout [Entry]) {
        switch node {
        case .leaf(let leaf): entries += leaf
        case .branch(let children): for child in children { append(child.node, to: &entries) }
        }
    }

    private static func contains(in node: Node, where matches: (Value) -> Bool) -> Bool {
        switch node {
        case .leaf(let entries):
            for index in entries.indices where matches(entries[index].value) { return true }
            return false
        case .branch(let children):
            for index in children.indices where contains(in: children[index].node, where: matches) { return true }
            return false
        }
    }
}

// Compares the entries, not the nodes: how they are divided depends on the order in which they came.
extension BTree: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.count == right.count && left.entries == right.entries }

    func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension BTree: Codable where Key: Codable, Value: Codable {
    /// Decodes what a dictionary is encoded as.
    init(from decoder: any Decoder) throws {
        self.init()
        for (key, value) in try [Key: Value](from: decoder) { self[key] = value }
    }

    /// Encodes what a dictionary is encoded as.
    func encode(to encoder: any Encoder) throws {
        try Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }).encode(to: encoder)
    }
}
