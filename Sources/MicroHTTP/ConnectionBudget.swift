internal import Synchronization

/// How many connections a server has over all its loops, and whose they are.
final class ConnectionBudget: Sendable {
    /// Whether one loop has something to close; written by its own thread only.
    final class Closable: Sendable {
        let silent = Atomic<Bool>(false)
        let idle = Atomic<Bool>(false)
    }

    /// A loop of the same server. Weak: a loop knows its budget.
    struct LoopReference: Sendable {
        weak let loop: EventLoop?
    }

    private let open = Atomic<Int>(0)
    private let silent = Atomic<Int>(0)
    private let loops = Mutex<[LoopReference]>([])
    let limits: HTTPLimits
    let peers: PeerRegistry
    /// By the index of the loop.
    let closable: [Closable]

    init(limits: HTTPLimits, loopCount: Int) {
        self.limits = limits
        peers = PeerRegistry(loopCount: loopCount)
        closable = (0..<loopCount).map { _ in Closable() }
    }

    /// Above this a connection is closed without an answer.
    var mayAdmit: Bool { open.load(ordering: .relaxed) < limits.refusableConnections }

    /// A tenth is kept for short requests.
    var isCrowded: Bool { open.load(ordering: .relaxed) > limits.connections - limits.connections / 10 }

    var isOver: Bool { open.load(ordering: .relaxed) > limits.connections }

    var hasTooManySilent: Bool {
        limits.silentConnections > 0 && silent.load(ordering: .relaxed) > limits.silentConnections
    }

    func enter() {
        open.add(1, ordering: .relaxed)
        silent.add(1, ordering: .relaxed)
    }

    func leave(wasSilent: Bool) {
        open.subtract(1, ordering: .relaxed)
        if wasSilent { silent.subtract(1, ordering: .relaxed) }
    }

    /// A whole head came.
    func spoke() { silent.subtract(1, ordering: .relaxed) }

    /// Whether a network has more than it may.
    func isOver(_ peer: Peer) -> Bool {
        limits.connectionsPerAddress > 0 && peer.open.load(ordering: .relaxed) > limits.connectionsPerAddress
    }

    /// Whether a tenth of what a network may have is all that is left: kept for its short requests.
    func isCrowded(_ peer: Peer) -> Bool {
        let limit = limits.connectionsPerAddress
        return limit > 0 && peer.open.load(ordering: .relaxed) > limit - limit / 10
    }

    func connect(_ loops: [EventLoop]) {
        self.loops.withLock { $0 = loops.map { LoopReference(loop: $0) } }
    }

    /// Another loop that has something to close.
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
