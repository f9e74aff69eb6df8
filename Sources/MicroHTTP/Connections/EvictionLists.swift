/// The connections of one loop by network, in the order of eviction: those without a complete request head, and the others.
struct EvictionLists {
    // A connection is node 2 × slot; each network has two lists, anchored at odd nodes.
    private var lists = CircularLists()

    /// Most connections of a network that `lowestRanked` examines.
    private static let examinedConnections = 32

    /// Adds a connection without a complete request head; one of a shared address is in no list.
    mutating func insert(_ connection: Connection) {
        lists.reserve(2 * connection.slot)
        guard let peer = connection.peer else { return }
        lists.reserve(EvictionLists.activeAnchor(peer))
        lists.append(2 * connection.slot, to: EvictionLists.awaitingFirstHeadAnchor(peer))
    }

    /// The connection has sent a complete request head.
    mutating func receivedFirstHead(_ connection: Connection) {
        guard let peer = connection.peer else { return }
        lists.append(2 * connection.slot, to: EvictionLists.activeAnchor(peer))
    }

    mutating func remove(_ connection: Connection) {
        if connection.peer != nil { lists.remove(2 * connection.slot) }
    }

    /// The network's connection that has been open longest without a complete request head.
    func longestAwaitingFirstHead(of peer: Peer, in connections: OpenConnections) -> Connection? {
        first(after: EvictionLists.awaitingFirstHeadAnchor(peer), of: peer, in: connections)
    }

    /// The connection with the lowest rank among the next few of a network, to bound the cost of a network with many. Each examined
    /// connection moves to the end of the list, so that the next call examines other ones.
    mutating func lowestRanked(
        of peer: Peer, in connections: OpenConnections, _ rank: (Connection) -> UInt64?
    ) -> Connection? {
        let anchor = EvictionLists.activeAnchor(peer)
        var lowestRanked: (connection: Connection, rank: UInt64)?
        for _ in 0..<EvictionLists.examinedConnections {
            guard let next = first(after: anchor, of: peer, in: connections) else { break }
            lists.append(2 * next.slot, to: anchor)
            if let rank = rank(next), lowestRanked.map({ rank < $0.rank }) ?? true { lowestRanked = (next, rank) }
        }
        return lowestRanked?.connection
    }

    private static func awaitingFirstHeadAnchor(_ peer: Peer) -> Int { 4 * peer.index + 1 }
    private static func activeAnchor(_ peer: Peer) -> Int { 4 * peer.index + 3 }

    private func first(after anchor: Int, of peer: Peer, in connections: OpenConnections) -> Connection? {
        let node = lists.successor(of: anchor)
        // In an empty list the anchor is its own successor; and its index may have been reused for another network.
        guard node.isMultiple(of: 2), let connection = connections[node / 2], connection.peer === peer else { return nil }
        return connection
    }
}
