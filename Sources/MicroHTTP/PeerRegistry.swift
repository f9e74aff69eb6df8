internal import Synchronization

/// One client network with open connections.
final class Peer: Sendable {
    let key: ClientNetwork
    /// Distinct among those that have connections now; small, for use as an array's index.
    let index: Int
    /// Its connections, over all loops.
    let open = Atomic<Int>(0)

    init(key: ClientNetwork, index: Int) {
        self.key = key
        self.index = index
    }
}

/// How many connections each client network has, over all loops, and which has most. Constant time per accept and per close.
final class PeerRegistry: Sendable {
    /// The network with most connections, and a loop that has some of them.
    struct Heaviest {
        let peer: Peer
        let count: Int
        let loop: Int
        /// Networks with connections.
        let networks: Int
    }

    fileprivate struct State {
        var peers: [ClientNetwork: Peer] = [:]
        var byIndex: [Peer?] = []
        var freeIndices: [Int] = []
        /// Connections by index and loop.
        var perLoop: [Int] = []
        /// Those with equally many connections are in one ring: a peer is node 2 × index, the ring of a count is anchored at
        /// 2 × count + 1.
        var rings = Rings()
        var most = 0
    }

    private let loopCount: Int
    private let state = Mutex(State())

    init(loopCount: Int) { self.loopCount = loopCount }

    /// Counts a connection of a network; how many it has now is in `Peer.open`.
    func enter(_ key: ClientNetwork, loop: Int) -> Peer {
        state.withLock { state in
            let peer = state.peers[key] ?? state.add(key, loopCount: loopCount)
            state.perLoop[peer.index * loopCount + loop] += 1
            state.move(peer, to: peer.open.add(1, ordering: .relaxed).newValue)
            return peer
        }
    }

    func leave(_ peer: Peer, loop: Int) {
        state.withLock { state in
            state.perLoop[peer.index * loopCount + loop] -= 1
            let count = peer.open.subtract(1, ordering: .relaxed).newValue
            state.move(peer, to: count)
            if count == 0 { state.remove(peer) }
        }
    }

    /// - Parameter loop: preferred, where the network has connections on it.
    func heaviest(preferring loop: Int) -> Heaviest? {
        state.withLock { state in
            guard state.most > 0 else { return nil }
            let node = state.rings.successor(of: 2 * state.most + 1)
            guard node % 2 == 0, let peer = state.byIndex[node / 2] else { return nil }
            let counts = state.perLoop[(peer.index * loopCount)..<((peer.index + 1) * loopCount)]
            var chosen = loop
            if counts[counts.startIndex + loop] == 0, let largest = counts.indices.max(by: { counts[$0] < counts[$1] }) {
                chosen = largest - counts.startIndex
            }
            return Heaviest(peer: peer, count: state.most, loop: chosen, networks: state.peers.count)
        }
    }
}

extension PeerRegistry.State {
    fileprivate mutating func add(_ key: ClientNetwork, loopCount: Int) -> Peer {
        let index = freeIndices.popLast() ?? byIndex.count
        let peer = Peer(key: key, index: index)
        if index == byIndex.count {
            byIndex.append(peer)
            perLoop.append(contentsOf: repeatElement(0, count: loopCount))
            rings.reserve(2 * index)
        } else {
            byIndex[index] = peer
        }
        peers[key] = peer
        return peer
    }

    fileprivate mutating func remove(_ peer: Peer) {
        peers[peer.key] = nil
        byIndex[peer.index] = nil
        freeIndices.append(peer.index)
    }

    /// The count changed by one.
    fileprivate mutating func move(_ peer: Peer, to count: Int) {
        if count == 0 {
            rings.remove(2 * peer.index)
        } else {
            rings.reserve(2 * count + 1)
            rings.append(2 * peer.index, to: 2 * count + 1)
        }
        if count > most {
            most = count
        } else if most > 0, rings.isAlone(2 * most + 1) {
            // It had one more a moment ago, so one step down there is a peer, or none is left.
            most -= 1
        }
    }
}
