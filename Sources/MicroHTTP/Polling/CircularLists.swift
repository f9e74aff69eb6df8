/// Circular doubly linked lists of numbered nodes, stored in two arrays: inserting and removing take constant time. A node is in
/// at most one list. The caller chooses each list's anchor, a node that marks its beginning.
struct CircularLists {
    private var successors: [Int32] = []
    private var predecessors: [Int32] = []

    /// Ensures that a node exists; a new node is in no list.
    mutating func reserve(_ node: Int) {
        while successors.count <= node {
            successors.append(Int32(successors.count))
            predecessors.append(Int32(predecessors.count))
        }
    }

    /// Whether a node is in no list, or is the anchor of an empty one.
    func isAlone(_ node: Int) -> Bool { node >= successors.count || successors[node] == node }

    /// The next node in the list; the node itself if it is alone.
    func successor(of node: Int) -> Int { node < successors.count ? Int(successors[node]) : node }

    /// Removes a node from its list, if it is in one, and appends it to the anchor's list.
    mutating func append(_ node: Int, to anchor: Int) {
        remove(node)
        let last = predecessors[anchor]
        successors[Int(last)] = Int32(node)
        predecessors[node] = last
        successors[node] = Int32(anchor)
        predecessors[anchor] = Int32(node)
    }

    /// Removes a node from its list.
    mutating func remove(_ node: Int) {
        let (before, after) = (predecessors[node], successors[node])
        successors[Int(before)] = after
        predecessors[Int(after)] = before
        successors[node] = Int32(node)
        predecessors[node] = Int32(node)
    }
}
