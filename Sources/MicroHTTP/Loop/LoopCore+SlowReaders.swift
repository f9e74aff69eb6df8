// Load shedding: above the response budget, the connections with most unread bytes are cut off. Clients can reconnect and resume.
extension LoopCore {
    /// Smaller responses fit into the kernel's send buffer.
    static let leastPendingBytes = 4096
    /// A client is not considered slow before this much time has passed since its response was queued.
    private static let graceMilliseconds: UInt64 = 250
    private static let slowReaderCheckMilliseconds: UInt64 = 50

    func cutSlowReaders() {
        nextSlowReaderCheck = turns.now + LoopCore.slowReaderCheckMilliseconds
        var excess = responses.pendingBytes - responses.limit
        var holders: [(connection: Connection, bytes: Int)] = []
        for connection in connections.all {
            let bytes = pendingBytes(of: connection)
            if bytes > 0 { holders.append((connection, bytes)) }
        }
        holders.sort { $0.bytes > $1.bytes }
        // Connections may share the same bytes: then too few were cut off, and the next turn continues.
        for (connection, bytes) in holders.prefix(OpenConnections.cutsPerTurn) where excess > 0 {
            excess -= bytes
            nextSlowReaderCheck = turns.now
            turns.requestRun()
            if let stream = connection.exchange?.stream {
                stream.endAsTooSlow()
            } else {
                connection.exchange?.pendingBytes = 0
                connection.discardUnsentOnClose()
                connection.cut()
            }
        }
    }

    private func pendingBytes(of connection: Connection) -> Int {
        guard let exchange = connection.exchange else { return 0 }
        if let stream = exchange.stream { return stream.bufferedBytes }
        return exchange.respondedAt + LoopCore.graceMilliseconds <= turns.now ? exchange.pendingBytes : 0
    }
}
