internal import Synchronization

/// One client network with open connections.
final class Peer: Sendable {
    let key: ClientNetwork
    /// Unique among the networks with open connections, and reused; small, for use as an array's index.
    let index: Int
    /// Number of open connections on all loops.
    let open = Atomic<Int>(0)
    /// Its connections that were refused, or took the place of one of its own that had sent nothing.
    let displaced = Mutex(CountInSecond())

    init(key: ClientNetwork, index: Int) {
        self.key = key
        self.index = index
    }
}

/// Counts events in the current second.
struct CountInSecond {
    private var second: UInt64 = 0
    private var count = 0

    mutating func count(at milliseconds: UInt64) {
        count = value(at: milliseconds) + 1
        second = milliseconds / 1000
    }

    func value(at milliseconds: UInt64) -> Int { second == milliseconds / 1000 ? count : 0 }
}

/// Counts the connections of each client network on all loops, and finds the network with most. Accepting and closing take
/// constant time.
final class PeerRegistry: Sendable {
    /// The network with most connections, and a loop with some of them.
    struct Heaviest {
        let peer: Peer
        let count: Int
        let loop: Int
        /// Number of networks with open connections.
        let networks: Int
    }

    fileprivate struct State {
        var peers: [ClientNetwork: Peer] = [:]
        var byIndex: [Peer?] = []
        var freeIndices: [Int] = []
        /// Connections by network index and loop: index × loop count + loop.
        var perLoop: [Int] = []
        /// One list per count of connections: a network is node 2 × index, the list of a count is anchored at 2 × count + 1.
        var countLists = CircularLists()
        var most = 0
    }

    private let loopCount: Int
    private let state = Mutex(State())

    init(loopCount: Int) { self.loopCount = loopCount }

    /// Counts a new connection of a network; `Peer.open` has the new count.
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

    /// How many connections of a network were displaced (`Peer.displaced`) in the current second; 0 for a network without open connections.
    func displaced(_ key: ClientNetwork, at milliseconds: UInt64) -> Int {
        state.withLock { $0.peers[key]?.displaced.withLock { $0.value(at: milliseconds) } ?? 0 }
    }

    /// The network with most connections; nil if there are none.
    /// - Parameter loop: returned as `Heaviest.loop` if the network has connections on it.
    func heaviest(preferring loop: Int) -> Heaviest? {
        state.withLock { state in
            guard state.most > 0 else { return nil }
            let node = state.countLists.successor(of: 2 * state.most + 1)
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
            countLists.reserve(2 * index)
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

    /// Moves a network whose count changed by one to the list of its new count.
    fileprivate mutating func move(_ peer: Peer, to count: Int) {
        if count == 0 {
            countLists.remove(2 * peer.index)
        } else {
            countLists.reserve(2 * count + 1)
            countLists.append(2 * peer.index, to: 2 * count + 1)
        }
        if count > most {
            most = count
        } else if most > 0, countLists.isAlone(2 * most + 1) {
            // The last network with the highest count lost one connection, so the next lower count has a network, or none is left.
            most -= 1
        }
    }
}
