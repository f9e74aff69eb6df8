internal import Synchronization

/// How many connections a server has, over all its loops.
final class ConnectionBudget: Sendable {
    private let open = Atomic<Int>(0)
    let limit: Int
    /// Above this a connection is closed without an answer.
    let hardLimit: Int

    init(limits: HTTPLimits) {
        limit = limits.connections
        hardLimit = limits.refusableConnections
    }

    var mayAdmit: Bool { open.load(ordering: .relaxed) < hardLimit }

    var isCrowded: Bool { open.load(ordering: .relaxed) > limit - limit / 10 }

    /// Counts one more; true where it is within the limit.
    func enter() -> Bool {
        open.add(1, ordering: .relaxed).newValue <= limit
    }

    func leave() {
        open.subtract(1, ordering: .relaxed)
    }
}
