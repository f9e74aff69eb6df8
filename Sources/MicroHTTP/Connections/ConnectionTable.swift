/// The connections of one loop by slot, with their deadlines and with the order in which they became idle.
///
/// Deadlines are a plain array that is scanned a few times a second (16,000 in some microseconds): setting one, which
/// happens several times a request, is a single store.
struct ConnectionTable {
    static let never = UInt64.max

    private(set) var count = 0
    private var connections: [Connection?] = []
    private var deadlines: [UInt64] = []
    private var freeSlots: [Int] = []
    // Idle connections, and connections still without a complete request head, oldest first; slot 0 is the anchor of both lists.
    private var idle = CircularLists()
    private var awaitingFirstHead = CircularLists()

    init() {
        connections.append(nil)
        deadlines.append(ConnectionTable.never)
        idle.reserve(0)
        awaitingFirstHead.reserve(0)
    }

    /// Inserts the connection that `make` creates for the slot it is passed.
    mutating func insert(deadline: UInt64, _ make: (Int) -> Connection) -> Connection {
        count += 1
        let slot = freeSlots.popLast() ?? connections.count
        let connection = make(slot)
        if slot == connections.count {
            connections.append(connection)
            deadlines.append(deadline)
            idle.reserve(slot)
            awaitingFirstHead.reserve(slot)
        } else {
            connections[slot] = connection
            deadlines[slot] = deadline
        }
        awaitingFirstHead.append(slot, to: 0)
        return connection
    }

    mutating func remove(slot: Int) {
        guard connections[slot] != nil else { return }
        count -= 1
        endIdle(slot)
        endAwaitingFirstHead(slot)
        connections[slot] = nil
        deadlines[slot] = ConnectionTable.never
        freeSlots.append(slot)
    }

    subscript(slot: Int) -> Connection? {
        slot < connections.count ? connections[slot] : nil
    }

    mutating func setDeadline(_ deadline: UInt64, slot: Int) {
        deadlines[slot] = deadline
    }

    func deadline(slot: Int) -> UInt64 { deadlines[slot] }

    /// Connections whose deadline has passed, at most `limit`; their deadlines are cleared.
    mutating func takeExpired(_ now: UInt64, atMost limit: Int) -> [Connection] {
        var expired: [Connection] = []
        for slot in deadlines.indices where deadlines[slot] <= now {
            guard expired.count < limit else { break }
            deadlines[slot] = ConnectionTable.never
            if let connection = connections[slot] { expired.append(connection) }
        }
        return expired
    }

    /// Appends a connection to the idle list.
    mutating func beginIdle(_ slot: Int) { idle.append(slot, to: 0) }

    mutating func endIdle(_ slot: Int) { idle.remove(slot) }

    /// Removes a connection from the list of those without a request head: the head was received, or the connection closes.
    mutating func endAwaitingFirstHead(_ slot: Int) { awaitingFirstHead.remove(slot) }

    /// The connection that has been idle longest.
    var longestIdle: Connection? { connections[idle.successor(of: 0)] }

    /// The connection that has been open longest without a complete request head.
    var longestAwaitingFirstHead: Connection? { connections[awaitingFirstHead.successor(of: 0)] }

    var hasIdle: Bool { !idle.isAlone(0) }

    var hasAwaitingFirstHead: Bool { !awaitingFirstHead.isAlone(0) }

    /// Every connection, by slot.
    var all: [Connection] { connections.compactMap { $0 } }
}
