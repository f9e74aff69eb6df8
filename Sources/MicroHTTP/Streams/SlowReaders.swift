/// Load shedding: above the response budget, the connections with most unread bytes are cut off. Clients can reconnect and resume. Used on
/// the loop's thread only.
final class SlowReaders {
    private let budget: ResponseBudget
    private let turns: Turns
    private let connections: OpenConnections
    /// When connections with too many unread bytes are cut off next.
    private var nextCheck: UInt64 = 0

    /// Smaller responses fit into the kernel's send buffer.
    static let leastPendingBytes = 4096
    /// A client is not considered slow before this much time has passed since its response was queued.
    private static let graceMilliseconds: UInt64 = 250
    private static let checkMilliseconds: UInt64 = 50

    /// - Parameter budget: bytes of responses that clients have not read yet, of all loops.
    init(budget: ResponseBudget, turns: Turns, connections: OpenConnections) {
        self.budget = budget
        self.turns = turns
        self.connections = connections
    }

    /// When `cut` has to be called, in milliseconds of the loop's clock; `.max`: never.
    var nextWake: UInt64 { connections.count > 0 && budget.isExceeded ? nextCheck : .max }

    /// Cuts connections off, at most `OpenConnections.cutsPerTurn`, while the budget is exceeded.
    func cut() {
        guard budget.isExceeded, turns.now >= nextCheck else { return }
        nextCheck = turns.now + SlowReaders.checkMilliseconds
        var excess = budget.pendingBytes - budget.limit
        var holders: [(connection: Connection, bytes: Int)] = []
        for connection in connections.all {
            let bytes = pendingBytes(of: connection)
            if bytes > 0 { holders.append((connection, bytes)) }
        }
        holders.sort { $0.bytes > $1.bytes }
        // Connections may share the same bytes: then too few were cut off, and the next turn continues.
        for (connection, bytes) in holders.prefix(OpenConnections.cutsPerTurn) where excess > 0 {
            excess -= bytes
            nextCheck = turns.now
            turns.requestRun()
            if let stream = connection.exchange?.stream {
                stream.endAsTooSlow()
            } else {
                connection.exchange?.unread.bytes = 0
                connection.discardUnsentOnClose()
                connection.cut()
            }
        }
    }

    private func pendingBytes(of connection: Connection) -> Int {
        guard let exchange = connection.exchange else { return 0 }
        if let stream = exchange.stream { return stream.bufferedBytes }
        return exchange.unread.queuedAt + SlowReaders.graceMilliseconds <= turns.now ? exchange.unread.bytes : 0
    }
}
