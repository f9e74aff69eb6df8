// Too much waits for readers: those that hold most are cut off, and come back with their cursor.
extension LoopCore {
    /// A smaller answer goes into the kernel's buffer.
    static let leastHeldBytes = 4096
    /// A reader that was answered a moment ago is not slow.
    private static let graceMilliseconds: UInt64 = 250
    private static let reliefMilliseconds: UInt64 = 50

    func relieveResponses() {
        nextRelief = now + LoopCore.reliefMilliseconds
        var excess = responses.heldBytes - responses.limit
        var holders: [(connection: Connection, bytes: Int)] = []
        for connection in table.all {
            let bytes = heldBytes(of: connection)
            if bytes > 0 { holders.append((connection, bytes)) }
        }
        holders.sort { $0.bytes > $1.bytes }
        // They may hold the same bytes: then this was too few, and the next turn finds out.
        for (connection, bytes) in holders.prefix(LoopCore.cutsPerTurn) where excess > 0 {
            excess -= bytes
            nextRelief = now
            needsRun = true
            if let stream = connection.exchange?.stream {
                stream.endAsTooSlow()
            } else {
                connection.exchange?.heldBytes = 0
                connection.forgetUnsent()
                connection.cut()
            }
        }
    }

    private func heldBytes(of connection: Connection) -> Int {
        guard let exchange = connection.exchange else { return 0 }
        if let stream = exchange.stream { return stream.heldBytes }
        return exchange.answeredAt + LoopCore.graceMilliseconds <= now ? exchange.heldBytes : 0
    }
}
