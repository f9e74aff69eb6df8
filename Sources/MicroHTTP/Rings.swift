/// Doubly linked rings through numbered nodes, in two arrays: inserting and removing cost the same however many there are. A node
/// is in one ring at a time, or alone. Which node is a ring's anchor is the caller's to know.
struct Rings {
    private var successors: [Int32] = []
    private var predecessors: [Int32] = []

    /// Makes sure that a node exists, alone if it is new.
    mutating func reserve(_ node: Int) {
        while successors.count <= node {
            successors.append(Int32(successors.count))
            predecessors.append(Int32(predecessors.count))
        }
    }

    /// Whether no other node is in its ring.
    func isAlone(_ node: Int) -> Bool { node >= successors.count || successors[node] == node }

    /// The next in its ring; itself where it is alone.
    func successor(of node: Int) -> Int { node < successors.count ? Int(successors[node]) : node }

    /// Takes a node out of its ring, if it is in one, and puts it last in the anchor's.
    mutating func append(_ node: Int, to anchor: Int) {
        remove(node)
        let last = predecessors[anchor]
        successors[Int(last)] = Int32(node)
        predecessors[node] = last
        successors[node] = Int32(anchor)
        predecessors[anchor] = Int32(node)
    }

    /// Leaves the node alone.
    mutating func remove(_ node: Int) {
        let (before, after) = (predecessors[node], successors[node])
        successors[Int(before)] = after
        predecessors[Int(after)] = before
        successors[node] = Int32(node)
        predecessors[node] = Int32(node)
    }
}
