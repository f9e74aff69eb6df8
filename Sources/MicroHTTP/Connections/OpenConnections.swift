/// The open connections of a loop: their slots, deadlines and descriptors, and the sockets that linger after their close. Used on the
/// loop's thread only.
final class OpenConnections {
    private let poller: Poller
    private let turns: Turns
    private let times: TimeLimits
    private let scanMilliseconds: UInt64
    private var nextScan: UInt64 = 0
    private var table = ConnectionTable()
    /// The connection of each descriptor that libmicrohttpd reads from.
    private var readers = ReaderTable()
    private var lingering = LingeringSockets()

    /// Most connections cut off per turn: each takes about 20 µs, so a thousand at once would delay all other requests.
    static let cutsPerTurn = 8

    init(times: TimeLimits, poller: Poller, turns: Turns) {
        self.times = times
        self.poller = poller
        self.turns = turns
        // Deadlines are detected up to 250 ms late, or up to an eighth of the shortest time limit.
        scanMilliseconds = max(5, min(250, min(times.request, times.idle) / 8))
    }

    // MARK: - From accept to close

    /// Adds the connection that `make` creates for the slot it is passed.
    ///
    /// The deadline of its first head starts now, even if no byte of it arrives.
    func insert(_ make: (Int) -> Connection) -> Connection {
        let connection = table.insert(deadline: turns.now + times.request, make)
        readers[connection.descriptor] = connection
        return connection
    }

    /// Removes a connection before its descriptor closes, or is another connection's.
    func remove(_ connection: Connection) {
        connection.unwatch()
        connection.daemon?.forget(connection.descriptor)
        readers[connection.descriptor] = nil
        if connection.lingers { linger(connection.descriptor) }
        table.remove(slot: connection.slot)
    }

    /// The connection in a slot; nil if the slot is free.
    subscript(slot: Int) -> Connection? { table[slot] }

    var count: Int { table.count }

    /// Every connection, by slot.
    var all: [Connection] { table.all }

    /// The connection that libmicrohttpd reads from a descriptor; nil if it reads for none.
    func reading(_ descriptor: Int32) -> Connection? { readers[descriptor] }

    /// libmicrohttpd no longer reads from a descriptor.
    func stopReading(_ descriptor: Int32) { readers[descriptor] = nil }

    // MARK: - Deadlines

    /// Sets when the connection is cut off, in milliseconds of the loop's clock; `ConnectionTable.never`: not at all.
    func setDeadline(_ deadline: UInt64, of connection: Connection) { table.setDeadline(deadline, slot: connection.slot) }

    func deadline(of connection: Connection) -> UInt64 { table.deadline(slot: connection.slot) }

    /// The connections whose deadline has passed, at most `cutsPerTurn`; the rest follows in the next turn. Also closes sockets that have
    /// lingered long enough.
    func takeExpired() -> [Connection] {
        guard turns.now >= nextScan else { return [] }
        let expired = table.takeExpired(turns.now, atMost: OpenConnections.cutsPerTurn)
        nextScan = expired.count < OpenConnections.cutsPerTurn ? turns.now + scanMilliseconds : turns.now
        lingering.closeExpired(turns.now, poller)
        return expired
    }

    /// When `takeExpired` has to be called, in milliseconds of the loop's clock; `.max`: never.
    var nextWake: UInt64 { table.count > 0 || lingering.count > 0 ? nextScan : .max }

    // MARK: - Order

    /// Starts the wait for a connection's next request.
    func beginIdle(_ connection: Connection) {
        table.beginIdle(connection.slot)
        // Written bytes may still be in the kernel's buffer: checked again at the response deadline.
        connection.idleDeadline = turns.now + times.idle
        setDeadline(min(connection.idleDeadline, turns.now + times.response), of: connection)
    }

    func endIdle(_ connection: Connection) { table.endIdle(connection.slot) }

    /// A complete request head was received, or the connection no longer counts.
    func endAwaitingFirstHead(_ connection: Connection) { table.endAwaitingFirstHead(connection.slot) }

    /// The connection that has been idle longest.
    var longestIdle: Connection? { table.longestIdle }

    /// The connection that has been open longest without a complete request head.
    var longestAwaitingFirstHead: Connection? { table.longestAwaitingFirstHead }

    var hasIdle: Bool { table.hasIdle }

    var hasAwaitingFirstHead: Bool { table.hasAwaitingFirstHead }

    // MARK: - Lingering sockets

    /// Keeps a duplicate of a descriptor that is about to close, and discards what arrives.
    func linger(_ descriptor: Int32) { lingering.keep(descriptor, at: turns.now, poller) }

    /// Discards what has arrived; false if the poller's token is not a lingering socket's.
    func readLingering(_ token: UInt64) -> Bool {
        guard LingeringSockets.isToken(token) else { return false }
        lingering.read(token, at: turns.now, poller)
        return true
    }

    var lingeringCount: Int { lingering.count }

    func closeLingering() { lingering.closeAll(poller) }
}
