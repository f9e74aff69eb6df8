internal import Synchronization

/// Counts the connections of all loops of a server, in total and per client network, against the limits.
final class ConnectionBudget: Sendable {
    /// Whether one loop has connections that can be evicted; written by that loop's thread only.
    final class Closable: Sendable {
        let awaitingFirstHead = Atomic<Bool>(false)
        let idle = Atomic<Bool>(false)
    }

    /// A loop of the same server. Weak, because each loop retains the budget.
    struct LoopReference: Sendable {
        weak let loop: EventLoop?
    }

    private let open = Atomic<Int>(0)
    private let awaitingFirstHead = Atomic<Int>(0)
    private let loops = Mutex<[LoopReference]>([])
    let limits: HTTPLimits
    let peers: PeerRegistry
    let largeBodies: LargeBodyBudget
    /// Indexed by loop.
    let closable: [Closable]

    init(limits: HTTPLimits, loopCount: Int) {
        self.limits = limits
        peers = PeerRegistry(loopCount: loopCount)
        largeBodies = LargeBodyBudget(limit: limits.largeBodiesBytes)
        closable = (0..<loopCount).map { _ in Closable() }
    }

    /// Whether another connection may be accepted; above this bound it is closed without a response.
    var mayAdmit: Bool { open.load(ordering: .relaxed) < limits.refusableConnections }

    /// Whether only the tenth of the connections that is reserved for short requests is left.
    var isNearlyFull: Bool { open.load(ordering: .relaxed) > limits.connections - limits.connections / 10 }

    var isOver: Bool { open.load(ordering: .relaxed) > limits.connections }

    var hasTooManyAwaitingFirstHead: Bool {
        limits.silentConnections > 0 && awaitingFirstHead.load(ordering: .relaxed) > limits.silentConnections
    }

    func enter() {
        open.add(1, ordering: .relaxed)
        awaitingFirstHead.add(1, ordering: .relaxed)
    }

    func leave(wasAwaitingFirstHead: Bool) {
        open.subtract(1, ordering: .relaxed)
        if wasAwaitingFirstHead { awaitingFirstHead.subtract(1, ordering: .relaxed) }
    }

    /// A connection's first complete request head was received.
    func receivedFirstHead() { awaitingFirstHead.subtract(1, ordering: .relaxed) }

    /// Whether a network has more connections than the limit per address.
    func isOver(_ peer: Peer) -> Bool {
        limits.connectionsPerAddress > 0 && peer.open.load(ordering: .relaxed) > limits.connectionsPerAddress
    }

    /// Whether only the tenth of a network's connections that is reserved for its short requests is left.
    func isNearlyFull(_ peer: Peer) -> Bool {
        let limit = limits.connectionsPerAddress
        return limit > 0 && peer.open.load(ordering: .relaxed) > limit - limit / 10
    }

    func connect(_ loops: [EventLoop]) {
        self.loops.withLock { $0 = loops.map { LoopReference(loop: $0) } }
    }

    /// The index of another loop that has connections of this kind to evict.
    func otherLoop(than index: Int, with kind: (Closable) -> Bool) -> Int? {
        closable.indices.first { $0 != index && kind(closable[$0]) }
    }

    /// Runs a job on another loop's thread.
    func post(to index: Int, _ job: @escaping @Sendable (LoopCore) -> Void) {
        let loop = loops.withLock { index < $0.count ? $0[index].loop : nil }
        loop?.post { [weak loop] in
            if let loop { job(loop.core) }
        }
    }
}
